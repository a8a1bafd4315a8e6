// Summarizes the plan of a request for people to read. It describes the request and not its plan: a number may be
// unknown in it, and it is shown with the names and the units that the user chose.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/document.h"
#include "renyi/sampling.h"

namespace renyi::api {

struct RequestSummary {
  std::string neighbors;  // "add-or-remove-one", ...
  std::int64_t unit = 1;
  // One line per step; the steps of a group, a parallel part or a selection follow below it, indented by "> ".
  std::vector<std::string> steps{};
  // The mechanism of each step in words, without its count: one for each step and, below it, for each step of a group.
  std::vector<std::string> mechanisms{};
  std::vector<Scheme> schemes{};  // the sampling schemes, in the order of all_schemes
  bool exchanges = false;         // in samples with noise, one record may replace another
  std::string assumes{};          // what its values assume (renyi/plan.h); empty for most
  std::optional<double> delta{};  // if the request gives one
};

RequestSummary summary_of_request(const Document& request);

// Formats a plan file with one line per step.
std::string plan_in_lines(std::string_view plan_file);

}  // namespace renyi::api
