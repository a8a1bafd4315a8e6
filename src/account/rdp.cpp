// Renyi divergences read off a curve: D_a = K(a-1)/(a-1), D_1 = K'(0), D_inf = sup L
// (docs/math/log-moment-curve.md).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/rounding.h"
#include "renyi/account.h"
#include "renyi/error.h"

namespace renyi {

namespace {

void check_order(double order) {
  if (order >= 1) return;  // false for NaN
  throw InvalidArgument("order", fmt::format("{}", order), "a number of at least 1, or inf");
}

// D_a from K at z = a - 1.
Bounded from_moment(const LogMoment& k, double z) {
  if (z == 0) return {k.slope, k.slope_error};
  return {k.value / z, k.error / z + 2 * numerics::unit_roundoff * (k.value / z)};
}

// One mechanism with sampled Gaussians evaluated by the chosen method.
Bounded by_method(const Mechanism& mechanism, double order, const RdpOptions& options) {
  if (const auto* sampled = mechanism.get_if<SampledGaussian>()) {
    // Remove is the larger at every order (docs/math/sampled-gaussian.md).
    const Direction direction = options.direction.value_or(Direction::remove);
    return sampled_gaussian_divergence(*sampled, order, direction, options.method);
  }
  const auto curve = mechanism.curve();
  return options.direction ? divergence(*curve, order, *options.direction) : rdp(*curve, order);
}

Bounded sum_by_method(const std::vector<CountedMechanism>& mechanisms, double order, const RdpOptions& options) {
  Bounded total;
  for (const CountedMechanism& m : mechanisms) {
    const auto n = static_cast<double>(m.count);
    const Bounded one = by_method(m.mechanism, order, options);
    if (one.value == 0 && one.error == 0) continue;
    total.value += n * one.value;
    total.error += n * one.error + 4 * numerics::unit_roundoff * n * one.value;
  }
  if (std::isinf(total.value)) total.error = 0;
  return total;
}

}  // namespace

Bounded divergence(const Curve& curve, double order, Direction direction) {
  check_order(order);
  if (std::isinf(order)) return curve.max_loss(direction);
  return from_moment(curve.log_moment(order - 1, direction), order - 1);
}

Bounded rdp(const Curve& curve, double order) {
  check_order(order);
  if (std::isinf(order)) return curve.worst_max_loss();
  return from_moment(curve.worst_log_moment(order - 1), order - 1);
}

std::vector<Bounded> rdp(const Plan& plan, std::span<const double> orders, const RdpOptions& options) {
  std::for_each(orders.begin(), orders.end(), check_order);
  std::vector<Bounded> result;
  result.reserve(orders.size());
  const auto mechanisms = plan.merged();
  if (options.method != SampledGaussianMethod::quadrature) {
    for (const double order : orders) result.push_back(sum_by_method(mechanisms, order, options));
    return result;
  }
  const auto curve = compose(mechanisms);
  for (const double order : orders) {
    result.push_back(options.direction ? divergence(*curve, order, *options.direction) : rdp(*curve, order));
  }
  return result;
}

}  // namespace renyi
