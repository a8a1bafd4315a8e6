#include "apps/server/gate.h"

#include <algorithm>
#include <cctype>

#include "apps/server/responses.h"
#include "digest/secret.h"
#include "digest/sha256.h"

namespace renyi::server {

namespace gate_file {
namespace {

constexpr std::string_view cookie_name = "renyi_session";
constexpr std::string_view scheme = "Bearer ";

// The name in "name:port", "[::1]:port" or without a port, in lower case.
std::string name_in(std::string_view host) {
  const std::size_t bracket = host.rfind(']');
  const std::size_t colon = host.rfind(':');
  if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket)) {
    host = host.substr(0, colon);
  }
  std::string name(host);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

// The value of our cookie; empty if there is none.
std::string cookie_in(const HttpRequest& request) {
  for (const auto& [name, value] : request.headers) {
    if (name_in(name) != "cookie") continue;
    for (std::size_t begin = 0; begin < value.size();) {
      std::size_t end = value.find(';', begin);
      if (end == std::string::npos) end = value.size();
      std::string_view pair(value.data() + begin, end - begin);
      while (pair.starts_with(' ')) pair.remove_prefix(1);
      if (pair.starts_with(cookie_name) && pair.substr(cookie_name.size()).starts_with('=')) {
        return std::string(pair.substr(cookie_name.size() + 1));
      }
      begin = end + 1;
    }
  }
  return {};
}

bool changes_something(const HttpRequest& request) { return request.method != "GET" && request.method != "HEAD"; }

// The proxy that is trusted has added the last value, to the last line or as one.
std::string forwarded(const HttpRequest& request, std::string_view header) {
  const std::string* value = request.last_header(header);
  if (value == nullptr) return {};
  const std::size_t comma = value->rfind(',');
  std::string last = comma == std::string::npos ? *value : value->substr(comma + 1);
  std::erase(last, ' ');
  return last;
}

}  // namespace
}  // namespace gate_file

std::string Gate::peer_of(const HttpRequest& request) const {
  const std::string told = behind_proxy_ ? gate_file::forwarded(request, "X-Forwarded-For") : std::string();
  return told.empty() || told.size() > 64 ? request.peer : told;
}

bool Gate::is_encrypted(const HttpRequest& request) const {
  return request.is_secure || (behind_proxy_ && gate_file::forwarded(request, "X-Forwarded-Proto") == "https");
}

void Gate::check_host(const HttpRequest& request) const {
  const std::string* host = request.header("Host");
  if (host == nullptr || request.is_repeated("Host"))
    throw Refused("invalid_argument", "Host: one is required", "Host");
  const std::string name = gate_file::name_in(*host);
  if (std::find(hosts_.begin(), hosts_.end(), name) != hosts_.end()) return;
  throw Refused("forbidden", "Host: not a name of this server; --host of renyi serve adds one", "Host");
}

void Gate::check_origin(const HttpRequest& request) {
  const std::string* origin = request.header("Origin");
  if (origin == nullptr || !gate_file::changes_something(request)) return;
  const std::string* host = request.header("Host");
  const std::size_t begin = origin->find("://");
  if (begin != std::string::npos && host != nullptr && origin->substr(begin + 3) == *host) return;
  throw Refused("forbidden", "Origin: a page of another site may not call this server", "Origin");
}

void Gate::admit(const api::Token& token) {
  const std::chrono::seconds wait = quotas_.admit(token, std::chrono::steady_clock::now());
  if (wait.count() == 0) return;
  metrics_.refuse_for_quota();
  throw Refused("too_many_requests", "the token has used up its calls or its processor time of the last minute", {},
                {{"Retry-After", std::to_string(wait.count())}});
}

api::Token Gate::check_token(const HttpRequest& request, const std::string& presented) {
  const std::string peer = peer_of(request);
  const std::string digest = digest::sha256(presented);
  const auto now = std::chrono::steady_clock::now();
  if (const auto wait = attempts_.wait(peer, digest, now); wait.count() > 0) {
    throw Refused("too_many_requests", "too many attempts with tokens that are not valid; try again later", {},
                  {{"Retry-After", std::to_string(wait.count())}});
  }
  if (const auto token = tokens_.find(presented)) {
    attempts_.succeeded(peer, digest, now);
    admit(*token);
    return *token;
  }
  attempts_.failed(peer, now);
  metrics_.refuse_token();
  throw Refused("unauthorized", "the token is not valid: unknown, expired or revoked");
}

std::optional<Caller> Gate::identify(const HttpRequest& request) {
  if (const std::string* header = request.header("Authorization")) {
    if (request.is_repeated("Authorization")) throw Refused("invalid_argument", "Authorization: more than one");
    if (!header->starts_with(gate_file::scheme)) throw Refused("unauthorized", "Authorization: allowed: Bearer TOKEN");
    return Caller{.token = check_token(request, header->substr(gate_file::scheme.size()))};
  }
  const std::string cookie = gate_file::cookie_in(request);
  if (cookie.empty()) return std::nullopt;
  const auto session = sessions_.find(cookie);
  const auto token = session ? tokens_.find_id(session->token_id) : std::nullopt;
  if (!token) throw Refused("unauthorized", "the session has ended");
  if (gate_file::changes_something(request)) {
    const std::string* csrf = request.header("X-Renyi-CSRF");
    if (csrf == nullptr || !digest::is_same_secret(*csrf, session->csrf)) {
      throw Refused("forbidden", "X-Renyi-CSRF: a call with a cookie needs what /v1/session has answered as \"csrf\"",
                    "X-Renyi-CSRF");
    }
  }
  admit(*token);
  return Caller{*token, session, cookie};
}

Caller Gate::require(const HttpRequest& request) {
  auto caller = identify(request);
  if (!caller) throw Refused("unauthorized", "Authorization: a token is required");
  return *caller;
}

std::string Gate::cookie_text(const HttpRequest& request, const std::string& value, bool ends) const {
  return std::string(gate_file::cookie_name) + '=' + value + "; HttpOnly; SameSite=Strict; Path=/" +
         (is_encrypted(request) ? "; Secure" : "") + (ends ? "; Max-Age=0" : "");
}

std::string Gate::begin_session(const HttpRequest& request, const api::Token& token, std::string& csrf) {
  const Sessions::Begun begun = sessions_.begin(token.id);
  csrf = begun.session.csrf;
  return cookie_text(request, begun.cookie, false);
}

std::string Gate::end_session(const HttpRequest& request, const Caller& caller) {
  if (caller.session) sessions_.end(caller.cookie);
  return cookie_text(request, "", true);
}

}  // namespace renyi::server
