#include "calibrate/probe.h"

#include <algorithm>
#include <cmath>

namespace renyi::calibrate_detail {

namespace {

// Farther off, only the side matters.
constexpr double far = 2;

// Intervals of ln(cost) narrower than `narrow` are those of smooth engines, whose ends can be followed to `fine`.
// Others are followed to their width, or to the one asked for where an engine could not keep to it.
double window_of(double width, double asked_width) {
  constexpr double narrow = 1e-7, fine = 1e-10, coarsest = 1e-3;
  if (!(width > narrow)) return fine;  // also infinity less infinity
  return std::max(fine, std::min({width, asked_width, coarsest}));
}

// epsilon(delta) is 0 all over the private side of such a target; delta(0) is not, and asks the same.
void steer_by_delta(Probe& found, const ExactCost& cost) {
  const ExactFigure delta = cost.delta_at_target(found.setting).worst;
  found.excess = log_ratio(delta.upper, cost.target().delta);
  found.window = window_of(log_ratio(delta.upper, delta.lower), cost.tolerance());
}

void steer_by_epsilon(Probe& found, const ExactFigure& epsilon, const ExactCost& cost) {
  const double target = cost.target().epsilon;
  found.excess = log_ratio(epsilon.upper, target);
  found.window = window_of((epsilon.upper - epsilon.lower) / target, cost.tolerance() / target);
}

}  // namespace

Probe probe(const ExactCost& cost, const Setting& setting) {
  Probe found{.setting = setting, .x = std::log(setting.value), .excess = far};
  try {
    const ExactFigure epsilon = cost.answer(setting).worst;
    found.lower = epsilon.lower;
    if (cost.target().epsilon == 0) {
      steer_by_delta(found, cost);
    } else {
      steer_by_epsilon(found, epsilon, cost);
    }
    found.is_private = epsilon.upper <= cost.target().epsilon;
  } catch (const NotConverged&) {
  } catch (const Unsupported&) {  // the one engine asked for does not serve here
  }
  found.excess = found.is_private ? std::clamp(found.excess, -far, 0.0) : std::clamp(found.excess, 1e-15, far);
  return found;
}

}  // namespace renyi::calibrate_detail
