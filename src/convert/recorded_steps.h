// The steps that a record of another tool contains, before they become a plan. Most of them add Gaussian or Laplace
// noise to a sum of bounded contributions, one per record of the dataset.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/field.h"
#include "renyi/extras/convert.h"

namespace renyi::convert {

struct RecordedStep {
  Mechanism mechanism;
  std::int64_t count = 1;                     // at least 1
  std::string path{};                         // the JSON path in the record
  std::optional<Mechanism> for_one_record{};  // as steps on samples state it, if different
};
using RecordedSteps = std::vector<RecordedStep>;

// Throws, with the path of the step, if its mechanism is not analysed under the neighbouring relation.
void check_analysed(const RecordedStep& part, Neighbors neighbors);

// Returns the plan of all steps, with equal ones merged. Errors about totals are reported at `record_path`.
Plan assemble(const RecordedSteps& parts, Neighbors neighbors, const std::string& record_path);

// Returns the parameter with this name of a mechanism of the catalogue.
const Parameter& parameter_of(std::string_view kind, std::string_view name);

// Reads a number in the parameter's range. Errors call it `name`, because in arrays the path does not.
double read_parameter(const json::Field& value, std::string_view name, const Parameter& parameter);

// Reads a number in the parameter's range, or 0.
double read_noise(const json::Field& value, std::string_view name, const Parameter& parameter);

// The noise is `noise` times the largest norm C of one record's contribution. Without noise there is no privacy.
// Removing a record changes the sum by at most C, replacing it by at most 2C.
Mechanism gaussian_of(double noise, Neighbors neighbors);
double distance_between(Neighbors neighbors);  // 1 or 2, in units of C

// Returns a step with no privacy at all.
Mechanism non_private();
bool is_non_private(const Mechanism& mechanism);

}  // namespace renyi::convert
