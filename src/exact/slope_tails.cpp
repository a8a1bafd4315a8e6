#include "exact/slope_tails.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "conversion/infinite_loss.h"
#include "numerics/rounding.h"

namespace renyi::exact {

namespace slope_tails_file {
namespace {

// The requested width of delta, and the distances over which its slope is taken: over short ones the slope is lost in
// that width, over long ones in the curvature. The best of all bounds is used.
constexpr double tolerance = 1e-8;
constexpr std::array<double, 2> distances{1e-4, 1e-3};  // in standard deviations of the loss

constexpr double rounding = 16 * numerics::unit_roundoff;

TailProbability probability(double lower, double upper) {
  return {{std::clamp(lower * (1 - rounding), 0.0, 1.0), std::clamp(upper * (1 + rounding), 0.0, 1.0)},
          LossMethod::lattice};
}

}  // namespace
}  // namespace slope_tails_file

// delta(t), a lower bound on exp(t) Q(L > t), and an upper bound on exp(t) Q(L >= t).
struct SlopeTails::Slope {
  ExactInterval delta;
  double lower = 0;
  double upper = 0;

  bool is_known() const { return delta.engine != Engine::bounds && lower <= upper; }
};

SlopeTails::SlopeTails(const std::vector<CountedMechanism>& steps, std::shared_ptr<const Curve> curve)
    : curve_(std::move(curve)), accountant_(steps, curve_, {.tolerance = slope_tails_file::tolerance}) {}

// Returns delta at any epsilon: a negative one is computed from the other direction.
ExactInterval SlopeTails::delta(double epsilon, Direction direction) const {
  const bool same = epsilon >= 0;
  const ExactAnswer answer = accountant_.delta(std::abs(epsilon));
  const bool removes = (direction == Direction::remove) == same;
  ExactInterval figure = removes ? answer.remove : answer.add;
  if (same) return figure;
  figure.lower = conversion::delta_at_negative_epsilon_lower(-epsilon, figure.lower);
  figure.upper = conversion::delta_at_negative_epsilon_upper(-epsilon, figure.upper);
  return figure;
}

// As a function of exp(epsilon), delta is convex, and its slope is -Q(L > epsilon) to the right and -Q(L >= epsilon) to
// the left:
//     (delta(t) - delta(t+h)) / (exp(h) - 1) <= exp(t) Q(L > t),
//     exp(t) Q(L >= t) <= (delta(t-h) - delta(t)) / (1 - exp(-h)).
SlopeTails::Slope SlopeTails::slope(double t, Direction direction) const {
  Slope found{.delta = delta(t, direction), .upper = HUGE_VAL};
  const double deviation = std::sqrt(std::max(curve_->log_moment(0.0, direction).curvature, 0.0));
  const auto look_right = [&](double h) {
    if (!(h > 0) || t + h == t) return;
    const double to = t + h, next = delta(to, direction).upper;
    // The second point is rounded, so the distance is taken between both points as they are.
    found.lower = std::max(found.lower, (found.delta.lower - next) / std::expm1(to - t));
  };
  const auto look_left = [&](double h) {
    if (!(h > 0) || t - h == t) return;
    const double to = t - h, before = delta(to, direction).upper;
    found.upper = std::min(found.upper, (before - found.delta.lower) / -std::expm1(to - t));
  };
  for (const double distance : slope_tails_file::distances) {
    look_right(distance * deviation);
    look_left(distance * deviation);
  }
  // The longest distance reaches the largest loss, where delta is exactly 0.
  const double rest = curve_->max_loss(direction).upper() - t;
  if (std::isfinite(rest)) look_right(rest);
  return found;
}

// P(L >= t) = delta(t) + exp(t) Q(L >= t)
std::optional<TailProbability> SlopeTails::at_least(double t, Direction direction) const {
  const Slope found = slope(t, direction);
  if (!found.is_known()) return std::nullopt;
  return slope_tails_file::probability(found.delta.lower + found.lower, found.delta.upper + found.upper);
}

// The loss of the other direction is L' = -L, and its Q is our P: P(L < -s) = Q'(L' > s).
std::optional<TailProbability> SlopeTails::below(double s, Direction direction) const {
  const Slope found = slope(s, opposite(direction));
  if (!found.is_known()) return std::nullopt;
  const double scale = std::exp(-s);
  return slope_tails_file::probability(found.lower * scale, found.upper * scale);
}

}  // namespace renyi::exact
