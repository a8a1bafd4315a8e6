// What the theorem on a Poisson number of runs asks of one run. The plan's room knows no engine: it says what it needs,
// and a room to the right, which sees these steps as any others, provides it (exact/single_run_delta.cpp).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "renyi/extras/curve.h"
#include "renyi/plan.h"

namespace renyi::plan {

// At least the delta of one run at an epsilon of 0 or more, in both directions.
using SingleRunDelta = std::function<double(double epsilon)>;

// Of these analysed steps, whose composed curve that is.
SingleRunDelta single_run_delta(const std::vector<CountedMechanism>& steps, std::shared_ptr<const Curve> curve);

}  // namespace renyi::plan
