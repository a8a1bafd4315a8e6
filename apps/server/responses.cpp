#include "apps/server/responses.h"

#include <algorithm>
#include <array>
#include <utility>

#include "api/api.h"

namespace renyi::server {

namespace responses_file {
namespace {

constexpr std::array<std::pair<std::string_view, int>, 17> statuses{{
    {"invalid_argument", 400},
    {"unauthorized", 401},
    {"forbidden", 403},
    {"not_found", 404},
    {"method_not_allowed", 405},
    {"timeout", 408},
    {"conflict", 409},
    {"too_large", 413},
    {"unsupported_media_type", 415},
    {"unsupported", 422},
    {"not_converged", 422},
    {"limit_reached", 422},
    {"too_many_requests", 429},
    {"headers_too_large", 431},
    {"internal", 500},
    {"store_failure", 503},
    {"unavailable", 503},
}};

// Scripts, workers and styles come from this server only, and the page may not be framed.
constexpr const char* content_security_policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

}  // namespace
}  // namespace responses_file

int status_of(std::string_view error_kind) noexcept {
  for (const auto& [kind, status] : responses_file::statuses) {
    if (kind == error_kind) return status;
  }
  return 500;
}

HttpResponse json_response(std::string body, int status) {
  return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = std::move(body)};
}

HttpResponse error_response(std::string_view kind, std::string_view message, std::string_view path) {
  HttpResponse response = json_response(api::error_line(kind, message, path), status_of(kind));
  if (response.status == 503) response.headers.emplace_back("Retry-After", retry_soon);
  if (response.status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"renyi\"");
  return response;
}

// A key that was used for something else is a conflict, which a client treats in another way than a mistake.
HttpResponse error_response(const Error& error) {
  if (const auto* invalid = dynamic_cast<const InvalidArgument*>(&error)) {
    if (invalid->path() == "key" && invalid->allowed().starts_with("a key that was not used")) {
      return error_response("conflict", "Idempotency-Key: " + invalid->allowed(), "Idempotency-Key");
    }
  }
  HttpResponse response = json_response(api::error_line(error), status_of(to_string(error.kind())));
  if (response.status == 503) response.headers.emplace_back("Retry-After", retry_soon);
  return response;
}

HttpResponse protocol_error(int status) {
  switch (status) {
    case 408: return error_response("timeout", "the request did not arrive in time");
    case 413: return error_response("too_large", "the body is larger than this server takes");
    case 431: return error_response("headers_too_large", "the header is larger than this server takes");
    case 503: return error_response("unavailable", "the server stops, or has too many connections; try again");
    default: return error_response("invalid_argument", "this is no request of HTTP/1.1");
  }
}

void add_common_headers(HttpResponse& response, bool is_encrypted) {
  const auto has = [&](std::string_view name) {
    return std::any_of(response.headers.begin(), response.headers.end(),
                       [&](const auto& field) { return field.first == name; });
  };
  const auto add = [&](const char* name, const char* value) { response.headers.emplace_back(name, value); };
  add("Content-Security-Policy", responses_file::content_security_policy);
  add("X-Content-Type-Options", "nosniff");
  add("Referrer-Policy", "no-referrer");
  add("Cross-Origin-Opener-Policy", "same-origin");
  add("Cross-Origin-Resource-Policy", "same-origin");
  add("X-Frame-Options", "DENY");
  if (is_encrypted) add("Strict-Transport-Security", "max-age=31536000");
  if (!has("Cache-Control")) add("Cache-Control", "no-store");
}

}  // namespace renyi::server
