// Calibration: solves for the number that meets a target, which may be noise, steps, a rate, or the target itself.
#pragma once

#include <string>

#include "api/document.h"
#include "renyi/calibrate.h"
#include "renyi/plan.h"

namespace renyi::api {

// The unknown number of a request.
struct UnknownNumber {
  Unknown unknown{};
  std::string name{};  // the spelling of the request, relative to the step
  std::string path{};  // "steps[0].noise_multiplier", "unit", "epsilon", "delta"
};

struct CalibrateRequest {
  Plan plan;  // contains a placeholder for the unknown number
  UnknownNumber number{};
  Target target{};
  CalibrateOptions options{};
};

struct CalibrateAnswer {
  Calibration found;
  UnknownNumber number{};
  Cost cost{};  // for the solved plan: both parts, or why there is no exact one
  std::string note{};
};

CalibrateRequest read_calibrate(const Document& request);
CalibrateAnswer answer(const CalibrateRequest& asked);
// Makes the answer from what the library found for this request.
CalibrateAnswer answer_of(const CalibrateRequest& asked, Calibration found);
std::string write(const Document& request, const CalibrateAnswer& answer);

}  // namespace renyi::api
