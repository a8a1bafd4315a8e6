// What a record says was run, piece by piece, before it becomes a plan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "renyi/convert.h"

namespace renyi::convert {

struct Part {
  std::optional<Mechanism> mechanism;  // nothing: a step with no privacy at all
  std::int64_t count = 1;              // at least 1
  std::string path{};                  // in the record
};
using Parts = std::vector<Part>;

// Throws with the path of the part where its mechanism is not analysed under the relation.
void check_analysed(const Part& part, Neighbors neighbors);

// The plan of all parts, equal ones merged. `record_path` is where errors about totals point.
Converted assemble(const Parts& parts, Neighbors neighbors, const std::string& record_path);

}  // namespace renyi::convert
