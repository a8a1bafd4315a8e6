// One table of requests for every front end (docs/format/requests.md).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace renyi::api {

using Json = nlohmann::ordered_json;

// One line of JSON in, one line of JSON out. Never throws: a failure is an
// answer too, {"error":{"kind","message","path"},"id":...}.
std::string answer(std::string_view request_line) noexcept;

// The same table for programs that hold the request already. Throws renyi::Error.
Json evaluate(const Json& request);

// The members of a plan file that a request takes over ("neighbors", "steps").
// Checks the text and its header; steps are checked when the request is evaluated.
// Throws InvalidArgument.
Json request_from_plan(std::string_view plan_file);

// A document as one line; numbers read back to the same double.
std::string write(const Json& document);

}  // namespace renyi::api
