// The curve of private selection: that of one run, and what the choice among runs adds (docs/math/selection.md).
#pragma once

#include <functional>
#include <memory>

#include "renyi/extras/curve.h"

namespace renyi::plan {

// What is added to K(z), beside what is added whatever z is.
struct SelectionPenalty {
  std::function<double(double z)> at{};  // z > 0
  double steepest = 0;                   // at least at(z)/z for every z, and what the largest loss grows by
  bool linear = false;                   // at(z) is z times the steepest
};

// K(z) <= K of one run + toll.at(z) + once for every z > 0; below the order where that bounds the divergence best, the
// divergence is no larger than there. Convex, where that of one run and the toll are.
std::shared_ptr<const Curve> select_curve(std::shared_ptr<const Curve> one_run, SelectionPenalty penalty, double once);

}  // namespace renyi::plan
