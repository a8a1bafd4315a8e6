// All that a privacy statement says of a plan, as one document: the answers of the other operations, and what the plan
// consists of. The words are made of it alone (statement.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json/parse.h"
#include "renyi/plan.h"

namespace renyi::api {

struct StatementAsked {
  json::Json exact_options = json::Json::object();  // "delta", "tolerance" and "memory", as the operations take them
  std::string title{};                              // empty: the usual one
  std::vector<std::string> remarks{};               // on what was run, by whoever asks
  std::optional<std::int64_t> dataset_size{};
};

// Throws what "epsilon" throws; any other part that cannot be given is {"unavailable": why}.
json::Json facts_of(const Plan& plan, const StatementAsked& asked);

}  // namespace renyi::api
