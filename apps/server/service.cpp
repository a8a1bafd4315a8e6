#include "apps/server/service.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <exception>
#include <new>
#include <utility>

#include "api/api.h"
#include "api/openapi.h"
#include "apps/server/responses.h"
#include "apps/server/secret_text.h"
#include "apps/server/token_log.h"
#include "digest/sha256.h"
#include "renyi/version.h"

namespace renyi::server {

namespace service_file {
namespace {

constexpr std::chrono::seconds longest_question{10};
constexpr std::chrono::seconds longest_wait{10};  // for a thread
constexpr std::size_t most_memory = 256U << 20U;

std::string_view path_of(std::string_view target) { return target.substr(0, target.find_first_of("?#")); }

double cpu_seconds_of_thread() {
  std::timespec time{};
  return ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0
             ? static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec)
             : 0;
}

bool is_json(const HttpRequest& request) {
  const std::string* type = request.header("Content-Type");
  if (type == nullptr) return false;
  std::string name = type->substr(0, type->find(';'));
  std::erase(name, ' ');
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name == "application/json";
}

}  // namespace
}  // namespace service_file

// One request on its way to an answer.
struct Service::Exchange {
  HttpRequest request{};
  HttpServer::Reply reply{};
  std::string id{};
  std::string path{};
  std::string rest{};  // what the path has behind the route's
  std::optional<api::Token> token{};
  std::string error_kind{};
  bool refused_by_budget = false;
  std::string_view route_name = "other";
};

struct Service::Route {
  std::string_view name;  // for /metrics
  std::string_view path;  // one that ends with "/" stands for all below it
  std::string_view methods;
  Place place;
  HttpResponse (Service::*answer)(Exchange&);
  bool watches = false;  // it is for watching the server, and answered however busy that is
};

const Service::Route& Service::route_of(const Exchange& exchange) {
  static constexpr std::array<Route, 10> routes{{
      {"ask", "/v1/ask", "POST", Place::askers, &Service::ask},
      {"ledger", "/v1/ledger/", "POST", Place::callers, &Service::call_ledger},
      {"session", "/v1/session", "GET POST DELETE", Place::callers, &Service::session},
      {"tokens", "/v1/tokens", "GET POST", Place::callers, &Service::tokens},
      {"tokens", "/v1/tokens/", "DELETE POST", Place::callers, &Service::one_token},
      {"openapi", "/v1/openapi.json", "GET HEAD", Place::here, &Service::describe},
      {"healthz", "/healthz", "GET HEAD", Place::here, &Service::health, true},
      {"readyz", "/readyz", "GET HEAD", Place::callers, &Service::ready, true},
      {"metrics", "/metrics", "GET HEAD", Place::here, &Service::metrics, true},
      {"page", "/", "GET HEAD", Place::here, &Service::page},
  }};
  for (const Route& route : routes) {
    const bool is_below = route.path.ends_with('/') && exchange.path.starts_with(route.path);
    if (exchange.path == route.path || is_below) return route;
  }
  return routes.back();
}

Service::Service(const ServiceSettings& settings, std::shared_ptr<Ledger> ledger, TokenFile& tokens)
    : settings_(settings),
      tokens_(tokens),
      log_(settings.logs),
      gate_(tokens, metrics_, settings.hosts, settings.behind_proxy, settings.quota),
      ledger_(std::move(ledger), settings.ledger_threads),
      id_prefix_(digest::sha256(random_text()).substr(0, 8)),
      askers_(std::make_unique<Workers>(settings.ask_threads, settings.longest_queue)),
      callers_(std::make_unique<Workers>(settings.ledger_threads, settings.longest_queue)) {}

void Service::stop_workers() {
  askers_.reset();
  callers_.reset();
}

void Service::handle(HttpRequest request, HttpServer::Reply reply) {
  metrics_.begin();
  const auto exchange = std::make_shared<Exchange>(Exchange{
      .request = std::move(request), .reply = std::move(reply), .id = id_prefix_ + '-' + std::to_string(++requests_)});
  exchange->path = service_file::path_of(exchange->request.target);
  const Route& route = route_of(*exchange);
  exchange->route_name = route.name;
  const auto refuse_for_now = [this, exchange](const char* message) {
    exchange->error_kind = "unavailable";
    HttpResponse response = error_response("unavailable", message);
    finish(*exchange, response);
    exchange->reply(std::move(response));
  };
  const auto task = [this, exchange, refuse_for_now, added = std::chrono::steady_clock::now()] {
    // Nobody waits for this answer any more, or should: nothing was done, and the client may try again.
    if (std::chrono::steady_clock::now() - added > service_file::longest_wait) {
      return refuse_for_now("the request waited too long for its turn; try again");
    }
    const double cpu_before = service_file::cpu_seconds_of_thread();
    HttpResponse response = answer_or_explain(*exchange);
    if (exchange->token) gate_.spend(*exchange->token, service_file::cpu_seconds_of_thread() - cpu_before);
    finish(*exchange, response);
    exchange->reply(std::move(response));
  };
  if (exchange->request.is_beyond_limit && !route.watches) {
    return refuse_for_now("there are too many connections; try again");
  }
  if (route.place == Place::here) return task();
  if ((route.place == Place::askers ? askers_ : callers_)->add(task)) return;
  refuse_for_now("there are too many requests at once; try again");
}

HttpResponse Service::refuse(int status, const HttpRequest& request) {
  metrics_.begin();
  Exchange exchange{.request = {.method = request.method,
                                .peer = request.peer,
                                .is_secure = request.is_secure,
                                .begun = request.begun},
                    .reply = {},
                    .id = id_prefix_ + '-' + std::to_string(++requests_)};
  exchange.path = service_file::path_of(request.target);
  exchange.error_kind = "protocol";
  if (exchange.request.begun.time_since_epoch().count() == 0) exchange.request.begun = std::chrono::steady_clock::now();
  HttpResponse response = protocol_error(status);
  finish(exchange, response);
  return response;
}

void Service::finish(Exchange& exchange, HttpResponse& response) {
  response.headers.emplace_back("X-Request-Id", exchange.id);
  add_common_headers(response, gate_.is_encrypted(exchange.request));
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - exchange.request.begun).count();
  metrics_.end(exchange.route_name, response.status, seconds);
  AccessRecord record{.id = exchange.id,
                      .peer = gate_.peer_of(exchange.request),
                      .method = exchange.request.method,
                      .path = exchange.path,
                      .status = response.status,
                      .milliseconds = seconds * 1000,
                      .bytes = std::max(response.body.size(), response.lasting.size()),
                      .error_kind = exchange.error_kind,
                      .refused_by_budget = exchange.refused_by_budget};
  if (exchange.token) {
    record.token_id = exchange.token->id;
    record.token_name = exchange.token->name;
    record.role = to_string(exchange.token->role);
  }
  log_.write(record);
}

// No request ends the thread that answers it: whatever happens is an answer.
HttpResponse Service::answer_or_explain(Exchange& exchange) noexcept {
  const auto explain = [&](std::string_view kind, std::string_view message) {
    exchange.error_kind = kind;
    return error_response(kind, message);
  };
  try {
    return answer(exchange);
  } catch (const Refused& refused) {
    exchange.error_kind = refused.kind;
    HttpResponse response = error_response(refused.kind, refused.what(), refused.path);
    for (const auto& field : refused.headers) response.headers.push_back(field);
    return response;
  } catch (const StoreFailure& error) {
    log_.note("store failure", error.what());
    metrics_.fail_store(to_string(error.fault()));
    exchange.error_kind = to_string(error.kind());
    if (dynamic_cast<const TokenFileFailure*>(&error) == nullptr) return error_response(error);
    return explain(exchange.error_kind, "the file of tokens cannot be used; the server's log says why");
  } catch (const Error& error) {
    HttpResponse response = error_response(error);
    exchange.error_kind = response.status == 409 ? "conflict" : to_string(error.kind());
    return response;
  } catch (const std::bad_alloc&) {
    return explain("internal", "out of memory");
  } catch (const std::exception& error) {
    log_.note("internal error", error.what());
    return explain("internal", "the server failed; its log says why");
  }
}

HttpResponse Service::answer(Exchange& exchange) {
  const HttpRequest& request = exchange.request;
  gate_.check_host(request);
  // A path is taken as it is: nothing is decoded, so that nothing can mean another path.
  if (exchange.path.empty() || exchange.path.front() != '/') throw Refused("invalid_argument", "a path begins with /");
  const Route& route = route_of(exchange);
  if (route.path.ends_with('/')) exchange.rest = exchange.path.substr(route.path.size());
  const std::string methods = ' ' + std::string(route.methods) + ' ';
  if (methods.find(' ' + request.method + ' ') == std::string::npos) {
    std::string allowed(route.methods);
    for (std::size_t at = allowed.find(' '); at != std::string::npos; at = allowed.find(' ', at + 2))
      allowed.replace(at, 1, ", ");
    throw Refused("method_not_allowed", "method: allowed here: " + allowed, "method", {{"Allow", allowed}});
  }
  Gate::check_origin(request);
  if (request.method == "POST" && !service_file::is_json(request)) {
    throw Refused("unsupported_media_type", "Content-Type: allowed: application/json", "Content-Type");
  }
  if (const std::string* coding = request.header("Content-Encoding"); coding != nullptr && *coding != "identity") {
    throw Refused("unsupported_media_type", "Content-Encoding: allowed: identity, or none", "Content-Encoding");
  }
  return (this->*route.answer)(exchange);
}

// ---- Questions.

HttpResponse Service::ask(Exchange& exchange) {
  // An old cookie does not keep anybody from asking what nobody needs a token for.
  const bool is_bound = settings_.asking_needs_token || exchange.request.header("Authorization") != nullptr;
  try {
    if (const auto caller = gate_.identify(exchange.request)) exchange.token = caller->token;
  } catch (const Refused&) {
    if (is_bound) throw;
  }
  if (settings_.asking_needs_token && !exchange.token)
    throw Refused("unauthorized", "Authorization: a token is required");
  api::RemoteAnswer found = api::answer_remote(exchange.request.body, {.time = service_file::longest_question,
                                                                       .memory = service_file::most_memory,
                                                                       .stop = live_.is_stopping,
                                                                       .may_prove = exchange.token.has_value()});
  exchange.error_kind = found.error_kind;
  HttpResponse response = json_response(std::move(found.text));
  if (!found.error_kind.empty()) response.status = status_of(found.error_kind);
  if (response.status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"renyi\"");
  return response;
}

// ---- The ledger.

HttpResponse Service::call_ledger(Exchange& exchange) {
  const Caller caller = gate_.require(exchange.request);
  exchange.token = caller.token;
  LedgerRoutes::Answer found = ledger_.call(exchange.rest, exchange.request, caller, live_.begins_to_stop);
  exchange.refused_by_budget = found.refused_by_budget;
  if (found.refused_by_budget) metrics_.refuse_charge();
  return json_response(std::move(found.text));
}

// ---- Sessions and tokens.

HttpResponse Service::session(Exchange& exchange) {
  const HttpRequest& request = exchange.request;
  if (request.method == "POST") {
    const api::Token token = gate_.check_token(request, api::read_presented_token(request.body));
    exchange.token = token;
    std::string csrf;
    const std::string cookie = gate_.begin_session(request, token, csrf);
    HttpResponse response = json_response(api::write_session(token, csrf, settings_.is_demo));
    response.headers.emplace_back("Set-Cookie", cookie);
    return response;
  }
  const Caller caller = gate_.require(request);
  exchange.token = caller.token;
  if (request.method == "GET") {
    return json_response(
        api::write_session(caller.token, caller.session ? caller.session->csrf : "", settings_.is_demo));
  }
  HttpResponse response = json_response("{}");
  response.headers.emplace_back("Set-Cookie", gate_.end_session(request, caller));
  return response;
}

HttpResponse Service::tokens(Exchange& exchange) {
  const Caller caller = gate_.require(exchange.request);
  exchange.token = caller.token;
  if (caller.token.role != api::Role::admin) throw Refused("forbidden", "tokens are for the role admin");
  if (exchange.request.method == "GET") return json_response(api::write_token_list(tokens_.all()));
  const NewToken made =
      make_token(tokens_, &ledger_.ledger(), api::read_token_order(exchange.request.body), caller.token.name);
  return json_response(api::write_token(made.token, made.itself), 201);
}

HttpResponse Service::one_token(Exchange& exchange) {
  const Caller caller = gate_.require(exchange.request);
  exchange.token = caller.token;
  if (caller.token.role != api::Role::admin) throw Refused("forbidden", "tokens are for the role admin");
  constexpr std::string_view rotate = "/rotate";
  const bool rotates = exchange.rest.ends_with(rotate);
  const std::string id = exchange.rest.substr(0, exchange.rest.size() - (rotates ? rotate.size() : 0));
  if (rotates != (exchange.request.method == "POST")) {
    const char* allowed = rotates ? "POST" : "DELETE";
    throw Refused("method_not_allowed", std::string("method: allowed here: ") + allowed, "method",
                  {{"Allow", allowed}});
  }
  const auto all = tokens_.all();
  const bool is_known = std::any_of(all.begin(), all.end(),
                                    [&](const api::Token& token) { return token.id == id && token.revoked.empty(); });
  if (!is_known) throw Refused("not_found", "there is no such token, or it is revoked");
  Ledger& ledger = ledger_.ledger();
  if (!rotates) return json_response(api::write_token(revoke_token(tokens_, &ledger, id, caller.token.name)));
  const api::TokenRotation rotation = api::read_token_rotation(exchange.request.body);
  const NewToken made = rotate_token(tokens_, &ledger, id, rotation, caller.token.name);
  return json_response(api::write_token(made.token, made.itself), 201);
}

// ---- What everybody may see.

HttpResponse Service::describe(Exchange&) {
  static const std::string text = api::openapi();
  HttpResponse response{.headers = {{"Content-Type", "application/json"}}};
  response.lasting = text;
  return response;
}

HttpResponse Service::health(Exchange&) {
  return json_response(R"({"status":"ok","version":")" + std::string(version) + "\"}");
}

// That the process answers says little about what it needs, which is read here.
HttpResponse Service::ready(Exchange&) {
  tokens_.all();
  ledger_.check();
  return json_response(R"({"status":"ready"})");
}

// How much the ledger is used, and how it fares, is for those who may see the whole of it.
HttpResponse Service::metrics(Exchange& exchange) {
  if (const auto caller = gate_.identify(exchange.request)) exchange.token = caller->token;
  const bool may_see = exchange.token && exchange.token->role != api::Role::analyst;
  const LedgerStatistics ledger = ledger_.statistics();
  return {.headers = {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}},
          .body = metrics_.text({.http = live_.counts(),
                                 .waiting_asks = askers_->waiting(),
                                 .waiting_calls = callers_->waiting(),
                                 .dropped_lines = log_.dropped_lines(),
                                 .ledger = may_see ? &ledger : nullptr})};
}

// NOLINTNEXTLINE(readability-make-member-function-const): the functions of all routes have one type
HttpResponse Service::page(Exchange& exchange) {
  return page_response(settings_.page, exchange.path, exchange.request);
}

}  // namespace renyi::server
