// Calibration: solves for the number that meets a target, which may be noise, steps, a rate, or the target itself.
#pragma once

#include <string>
#include <vector>

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

// Reads a request with one null. Its steps may be those of a run with an unknown size, which is then the unknown
// number.
CalibrateRequest read_calibrate(const Document& request, const ResolvedRun& run = ResolvedRun());
CalibrateAnswer answer(const CalibrateRequest& asked);
// Makes the answer from what the library found for this request.
CalibrateAnswer answer_of(const CalibrateRequest& asked, Calibration found);
std::string write(const Document& request, const CalibrateAnswer& answer);

// Several unknown noise parameters that share one budget: a request with "split".
struct SplitRequest {
  Plan plan;  // contains placeholders for the unknown numbers
  std::vector<UnknownNumber> numbers{};
  Split split{};
  Target target{};
  CalibrateOptions options{};
};

struct SplitAnswer {
  SplitCalibration found;
  std::vector<UnknownNumber> numbers{};
  SplitRule rule{};
  Target target{};
  Cost cost{};
  std::string note{};
};

SplitRequest read_split(const Document& request);
SplitAnswer answer(const SplitRequest& asked);
SplitAnswer answer_of(const SplitRequest& asked, SplitCalibration found);
std::string write(const Document& request, const SplitAnswer& answer);

// Returns the places of all numbers of that name in the "steps" of a request, such as "steps[0].noise_multiplier",
// spelled as the steps spell them. What is no step is skipped: it is refused when the request is read.
std::vector<std::string> places_named(const Document& request, const std::string& name);

}  // namespace renyi::api
