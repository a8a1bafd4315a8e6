// Divergences of a pair of any family, and the checks that several families share.
#include "divergence/pair.h"

#include <fmt/format.h>

#include <cmath>

#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/extras/divergence.h"

namespace renyi::divergence_detail {
namespace pair_file {
namespace {

// Squares of ratios, times orders up to 1e100, stay within double.
constexpr double largest = 1e50;
constexpr double smallest_scale = 1e-50;

}  // namespace
}  // namespace pair_file

void check_location(const std::string& field, double value) {
  if (std::abs(value) <= pair_file::largest) return;
  throw InvalidArgument(field, fmt::format("{}", value), fmt::format("a number from -{0} to {0}", pair_file::largest));
}

void check_scale(const std::string& field, double value) {
  if (value >= pair_file::smallest_scale && value <= pair_file::largest) return;
  throw InvalidArgument(field, fmt::format("{}", value),
                        fmt::format("a number from {} to {}", pair_file::smallest_scale, pair_file::largest));
}

}  // namespace renyi::divergence_detail

namespace renyi {
namespace pair_file {
namespace {

void check_divergence_order(double order) {
  const bool finite = order >= smallest_divergence_order && order <= largest_divergence_order;
  if (finite || (std::isinf(order) && order > 0)) return;
  throw InvalidArgument(
      "order", fmt::format("{}", order),
      fmt::format("a number in [{}, {}], or inf", smallest_divergence_order, largest_divergence_order));
}

Bounded scaled(const Bounded& bounded, double factor) {
  if (std::isinf(bounded.value) || (bounded.value == 0 && bounded.error == 0)) return bounded;
  const double value = bounded.value * factor;
  // Three roundings: the factor has two, the product one more.
  const double rounding = 4 * numerics::unit_roundoff * value + std::numeric_limits<double>::denorm_min();
  return {value, numerics::next_up(numerics::next_up(bounded.error * factor) * (1 + 0x1p-50) + rounding)};
}

// Above 2^53 order - 1 rounds. D never falls in the order (van Erven, Harremoes 2014, Theorem 3), so
// D of order 1 + z below and above enclose it.
Bounded between_neighbours(const DistributionPair& pair, double order) {
  const Bounded low = pair.model().renyi(numerics::next_down(order)), high = pair.model().renyi(order);
  if (std::isinf(low.lower())) return low;
  if (std::isinf(high.upper())) return {low.value, std::numeric_limits<double>::infinity()};
  const double most = std::max(high.value, high.upper()), least = std::min(low.value, low.lower());
  const double apart = std::max(most - high.value, high.value - least);
  return {high.value, apart == 0 ? 0 : numerics::next_up(apart)};
}

}  // namespace
}  // namespace pair_file

DistributionPair DistributionPair::swapped() const { return DistributionPair(model_->swapped()); }

std::optional<DistributionPair> DistributionPair::mixed(double rate) const {
  if (!(rate > 0 && rate < 1)) throw InvalidArgument("rate", fmt::format("{}", rate), "a number between 0 and 1");
  auto model = model_->mixed(rate);
  if (!model) return std::nullopt;
  return DistributionPair(std::move(model));
}

Bounded renyi_divergence(const DistributionPair& pair, double order) {
  pair_file::check_divergence_order(order);
  const double z = order - 1;
  // order - z is exact, so this tests whether z is exact.
  if (std::isfinite(order) && order >= 0.5 && order - z != 1) return pair_file::between_neighbours(pair, order);
  if (order >= 0.5) return pair.model().renyi(z);
  // (1-a) D_a(P||Q) = a D_{1-a}(Q||P), 0 < a < 1 (van Erven, Harremoes 2014, Proposition 2).
  return pair_file::scaled(pair.model().swapped()->renyi(-order), order / (1 - order));
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
