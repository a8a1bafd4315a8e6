// The theorem on a Poisson number of runs needs the delta of one run. The module `plan` does not know the engines: it
// declares the function that it needs, and a downstream module, which treats these steps as any others, defines it
// (exact/single_run_delta.cpp).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "renyi/extras/curve.h"
#include "renyi/plan.h"

namespace renyi::plan {

// Returns an upper bound on the delta of one run at an epsilon of 0 or more, in both directions.
using SingleRunDelta = std::function<double(double epsilon)>;

// Returns that function for the given analysed steps; `curve` is their composed curve.
SingleRunDelta single_run_delta(const std::vector<CountedMechanism>& steps, std::shared_ptr<const Curve> curve);

}  // namespace renyi::plan
