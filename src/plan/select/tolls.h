// What the theorems of Papernot, Steinke 2022 add to the curve of one run (docs/math/selection.md).
#pragma once

#include <functional>
#include <memory>

#include "plan/select/runs.h"
#include "renyi/curve.h"

namespace renyi::plan {

// The runs' law is a truncated negative binomial one.
std::shared_ptr<const Curve> truncated_binomial_curve(std::shared_ptr<const Curve> one_run,
                                                      const TruncatedBinomial& runs);

// At least the delta of one run at an epsilon of 0 or more, in both directions.
using DeltaOfOneRun = std::function<double(double epsilon)>;

std::shared_ptr<const Curve> poisson_curve(std::shared_ptr<const Curve> one_run, double mean, DeltaOfOneRun delta);

}  // namespace renyi::plan
