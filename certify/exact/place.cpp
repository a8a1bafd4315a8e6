// Where a law will be asked: the saddle of its contour, by bisection on logarithms.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "certify/exact/estimate.h"

namespace renyi::certify {
namespace {

constexpr double smallest_saddle = 1e-9, largest_saddle = 1e9;

// The point of the falling predicate's change, on a logarithmic scale.
template <class Before>
double last_before(const Before& before) {
  double low = std::log(smallest_saddle);
  double high = std::log(largest_saddle);
  for (int i = 0; i < 48; ++i) {
    const double middle = (low + high) / 2;
    (before(std::exp(middle)) ? low : high) = middle;
  }
  return std::exp(low);
}

// K'(c) = epsilon + 1/c + 1/(c+1) at the saddle.
double epsilon_at(const Estimate& k, double c) { return k.slope - 1 / c - 1 / (c + 1); }

// ln of the saddle-point approximation.
double log_delta_at(const Estimate& k, double c, double epsilon) {
  const double width = k.curvature + 1 / (c * c) + 1 / ((c + 1) * (c + 1));
  return std::min(0.0,
                  k.value - c * epsilon - std::log(c) - std::log1p(c) - std::log(2 * std::numbers::pi * width) / 2);
}

}  // namespace

Place place_of_epsilon(const Steps& steps, Direction direction, double epsilon) {
  const double c =
      last_before([&](double z) { return epsilon_at(estimate_log_moment(steps, direction, z), z) < epsilon; });
  return {epsilon, c, log_delta_at(estimate_log_moment(steps, direction, c), c, epsilon)};
}

Place place_of_delta(const Steps& steps, Direction direction, double delta) {
  const double wanted = std::log(delta);
  const auto found = [&](double c) {
    const Estimate k = estimate_log_moment(steps, direction, c);
    const double epsilon = epsilon_at(k, c);
    return Place{epsilon, c, log_delta_at(k, c, epsilon)};
  };
  const Place place = found(last_before([&](double c) { return found(c).log_delta > wanted; }));
  return place.epsilon > 0 ? place : place_of_epsilon(steps, direction, 0);
}

}  // namespace renyi::certify
