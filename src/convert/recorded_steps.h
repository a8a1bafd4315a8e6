// What a record says was run, piece by piece, before it becomes a plan; most pieces add Gaussian or Laplace noise to a
// sum of bounded contributions, one a record.
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
  std::string path{};                         // in the record
  std::optional<Mechanism> for_one_record{};  // as steps on samples state it, where that is different
};
using RecordedSteps = std::vector<RecordedStep>;

// Throws with the path of the part where its mechanism is not analysed under the relation.
void check_analysed(const RecordedStep& part, Neighbors neighbors);

// The plan of all parts, equal ones merged. `record_path` is where errors about totals point.
Plan assemble(const RecordedSteps& parts, Neighbors neighbors, const std::string& record_path);

// The parameter of that name of that mechanism of the catalogue.
const Parameter& parameter_of(std::string_view kind, std::string_view name);

// A number in the parameter's range; errors call it `name`, because in arrays the path does not.
double read_parameter(const json::Field& value, std::string_view name, const Parameter& parameter);

// The same, or 0.
double read_noise(const json::Field& value, std::string_view name, const Parameter& parameter);

// Noise of `noise` times the largest norm C of one record's contribution. No noise is no privacy.
// Taking a record away moves the sum by at most C, replacing it by at most 2C.
Mechanism gaussian_of(double noise, Neighbors neighbors);
double distance_between(Neighbors neighbors);  // 1 or 2, in units of C

// A step with no privacy at all.
Mechanism non_private();
bool is_non_private(const Mechanism& mechanism);

}  // namespace renyi::convert
