// One table of requests for every front end (docs/format/requests.md).
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "api/document.h"
#include "renyi/error.h"
#include "renyi/plan.h"

namespace renyi::api {

// Takes one line of JSON and returns one line of JSON. Never throws: a failure is an answer too,
// {"error":{"kind","message","path"},"id":...}.
std::string answer(std::string_view request_line) noexcept;
// The same, but throws std::bad_alloc if there is no memory for an answer.
std::string answer_or_throw(std::string_view request_line);

// Formats a failure as one line of JSON that replaces an answer.
std::string error_line(const Error& error);
// The same for kinds that are no error of the library: "forbidden", "not_found", ...
std::string error_line(std::string_view kind, std::string_view message, std::string_view path = {});

// Limits of a request that somebody else sent, beside those that it states. Without a statement it has the usual time.
struct RemoteLimits {
  std::chrono::nanoseconds time{};
  std::size_t memory = 0;
  std::function<bool()> stop{};
  bool may_prove = false;  // certify and verify, which take long
};
struct RemoteAnswer {
  std::string text{};
  std::string error_kind{};  // empty if it is no error
};
// Answers a request that somebody else sent: it may not name a ledger, which is a file here. Throws std::bad_alloc if
// there is no memory for an answer.
RemoteAnswer answer_remote(std::string_view request, const RemoteLimits& limits);

// The same table for programs that hold the plan as a value: the request, one JSON object, has neither "neighbors" nor
// "steps". Throws renyi::Error.
std::string evaluate(std::string_view request, const Plan& plan);

// The same table for one whole request, with the steps among its members. Throws renyi::Error.
std::string evaluate_request(std::string_view request);

// Returns the members of a plan file that a request takes over ("neighbors", "steps"). Checks the text and its header;
// steps are checked when the request is evaluated. Throws InvalidArgument.
Document request_from_plan(std::string_view plan_file);
// Returns the "pair" of a divergence request, from a table of probabilities as a JSON file:
// {"p":[...],"q":[...],"normalize":true}. The numbers are checked when the request is evaluated. Throws
// InvalidArgument.
Document pair_from_file(std::string_view text);

// Parses strict JSON text into a document that can be put into a request. Throws InvalidArgument.
Document read(std::string_view text);

}  // namespace renyi::api
