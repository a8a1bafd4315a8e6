// The questions, the same for every family.
#include <fmt/format.h>

#include <cmath>

#include "divergence/pair_model.h"
#include "numerics/rounding.h"
#include "renyi/curve.h"
#include "renyi/divergence.h"
#include "renyi/error.h"

namespace renyi {
namespace {

void check_divergence_order(double order) {
  const bool finite = order >= smallest_divergence_order && order <= largest_order;
  if (finite || (std::isinf(order) && order > 0)) return;
  throw InvalidArgument("order", fmt::format("{}", order),
                        fmt::format("a number in [{}, {}], or inf", smallest_divergence_order, largest_order));
}

Bounded scaled(const Bounded& bounded, double factor) {
  if (std::isinf(bounded.value) || (bounded.value == 0 && bounded.error == 0)) return bounded;
  const double value = bounded.value * factor;
  // Three roundings: the factor has two, the product one more.
  const double rounding = 4 * numerics::unit_roundoff * value + std::numeric_limits<double>::denorm_min();
  return {value, numerics::next_up(numerics::next_up(bounded.error * factor) * (1 + 0x1p-50) + rounding)};
}

}  // namespace

DistributionPair DistributionPair::swapped() const { return DistributionPair(model_->swapped()); }

Bounded renyi_divergence(const DistributionPair& pair, double order) {
  check_divergence_order(order);
  if (order >= 0.5) return pair.model().renyi(order - 1);
  // (1-a) D_a(P||Q) = a D_{1-a}(Q||P), 0 < a < 1 (van Erven, Harremoes 2014, Proposition 2).
  return scaled(pair.model().swapped()->renyi(-order), order / (1 - order));
}

Bounded kl_divergence(const DistributionPair& pair) { return pair.model().renyi(0); }

Bounded hockey_stick(const DistributionPair& pair, double epsilon) {
  if (!(epsilon >= 0)) {
    throw InvalidArgument("epsilon", fmt::format("{}", epsilon), "a number of at least 0, or inf");
  }
  return pair.model().hockey_stick(epsilon);
}

Bounded total_variation(const DistributionPair& pair) { return pair.model().hockey_stick(0); }

}  // namespace renyi
