// The number that meets a target: noise, steps, a rate, or the target itself.
#pragma once

#include <string>

#include "api/document.h"
#include "renyi/calibrate.h"
#include "renyi/plan.h"

namespace renyi::api {

// The number that a request leaves open.
struct OpenNumber {
  Unknown unknown{};
  std::string name{};  // as the request spells it, from the step on
  std::string path{};  // "steps[0].noise_multiplier", "unit", "epsilon", "delta"
};

struct CalibrateAsked {
  Plan plan;  // holds a placeholder where the number is
  OpenNumber number{};
  Target target{};
  CalibrateOptions options{};
};

struct CalibrateAnswer {
  Calibration found;
  OpenNumber number{};
  Cost cost{};  // of the plan with the number found: both parts, or why there is no exact one
  std::string note{};
};

CalibrateAsked read_calibrate(const Document& request);
CalibrateAnswer answer(const CalibrateAsked& asked);
std::string write(const Document& request, const CalibrateAnswer& answer);

}  // namespace renyi::api
