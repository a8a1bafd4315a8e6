// What the reader of plans makes of the step that a release says to account for.
#pragma once

#include <string>
#include <variant>

#include "renyi/mechanism.h"
#include "renyi/noise.h"
#include "renyi/plan.h"

namespace renyi::test {

inline Mechanism step_of(const noise::Release& release) {
  const Plan plan = read_plan(R"({"renyi": 1, "steps": [)" + release.step + "]}");
  return std::get<Mechanism>(plan.steps().at(0).what);
}

}  // namespace renyi::test
