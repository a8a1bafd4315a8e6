// The description of the server's interface, generated from the table of requests.
#pragma once

#include <string>

namespace renyi::api {

// Returns an OpenAPI 3.0 document as JSON.
std::string openapi();

}  // namespace renyi::api
