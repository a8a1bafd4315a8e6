// The Renyi divergences of a plan, by any of the methods for sampled Gaussians.
#include <algorithm>
#include <cmath>

#include "numerics/rounding.h"
#include "renyi/account.h"

namespace renyi {

namespace {

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

std::vector<Bounded> rdp(const Plan& plan, std::span<const double> orders, const RdpOptions& options) {
  std::for_each(orders.begin(), orders.end(), check_order);
  std::vector<Bounded> result;
  result.reserve(orders.size());
  const auto mechanisms = plan.analysed();
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
