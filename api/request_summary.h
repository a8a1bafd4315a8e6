// What a request says of a run, for people to read. Of the request, not of its plan: a number may be left open in it,
// and it is shown with the names and the units that the user chose.
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
  // One line a step; those of a group, of a parallel part or of a selection below it, indented by "> ".
  std::vector<std::string> steps{};
  std::vector<Scheme> schemes{};  // of its samples, in the order of all_schemes
  bool exchanges = false;         // in samples of noise a record takes the place of another
  std::string assumes{};          // what its figures take for granted (renyi/plan.h); empty for most
  std::optional<double> delta{};  // where one is asked about
};

RequestSummary summary_of_request(const Document& request);

// A plan file with a line for each step.
std::string plan_in_lines(std::string_view plan_file);

}  // namespace renyi::api
