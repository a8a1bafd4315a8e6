// The curve of private selection: the curve of one run plus the penalty for choosing among runs
// (docs/math/selection.md).
#pragma once

#include <functional>
#include <memory>

#include "renyi/extras/curve.h"

namespace renyi::plan {

// The part of the penalty on K(z) that depends on z.
struct SelectionPenalty {
  std::function<double(double z)> at{};  // the penalty; z > 0
  double steepest = 0;                   // an upper bound on at(z)/z for every z, added to the largest loss
  bool linear = false;                   // at(z) is z times `steepest`
};

// Returns a curve with K(z) <= K of one run + penalty.at(z) + once for every z > 0. Below the order at which this bound
// on the divergence is smallest, the divergence is at most the bound at that order. The curve is convex if that of one
// run and the penalty are.
std::shared_ptr<const Curve> select_curve(std::shared_ptr<const Curve> one_run, SelectionPenalty penalty, double once);

}  // namespace renyi::plan
