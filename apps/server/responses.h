// Responses and their headers: what every response has, and errors with their status.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "apps/server/http.h"
#include "renyi/error.h"

namespace renyi::server {

// Ends the handling of a request with an error, which is its answer.
class Refused : public std::runtime_error {
 public:
  Refused(std::string_view error_kind, const std::string& message, std::string error_path = {}, Headers more = {})
      : std::runtime_error(message), kind(error_kind), path(std::move(error_path)), headers(std::move(more)) {}
  std::string kind;
  std::string path;
  Headers headers;
};

// Returns the status of a kind of error: 400 for "invalid_argument", and so on; 500 for one that is not known.
int status_of(std::string_view error_kind) noexcept;

HttpResponse json_response(std::string body, int status = 200);
HttpResponse error_response(std::string_view kind, std::string_view message, std::string_view path = {});
HttpResponse error_response(const Error& error);
// The response to what is no request that can be handled: 400, 408, 413, 431 or 503.
HttpResponse protocol_error(int status);

// Adds the headers that every response has.
void add_common_headers(HttpResponse& response, bool is_encrypted);

// How long a client that was refused for lack of room should wait.
inline constexpr const char* retry_soon = "1";

}  // namespace renyi::server
