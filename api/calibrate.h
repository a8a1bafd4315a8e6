// The number that meets a target: noise, steps, a rate, or the target itself.
#pragma once

#include <string>

#include "api/document.h"
#include "renyi/calibrate.h"
#include "renyi/plan.h"

namespace renyi::api {

// The number that a request leaves open.
struct UnknownNumber {
  Unknown unknown{};
  std::string name{};  // as the request spells it, from the step on
  std::string path{};  // "steps[0].noise_multiplier", "unit", "epsilon", "delta"
};

struct CalibrateRequest {
  Plan plan;  // holds a placeholder where the number is
  UnknownNumber number{};
  Target target{};
  CalibrateOptions options{};
};

struct CalibrateAnswer {
  Calibration found;
  UnknownNumber number{};
  Cost cost{};  // of the plan with the number found: both parts, or why there is no exact one
  std::string note{};
};

CalibrateRequest read_calibrate(const Document& request);
CalibrateAnswer answer(const CalibrateRequest& asked);
std::string write(const Document& request, const CalibrateAnswer& answer);

}  // namespace renyi::api
