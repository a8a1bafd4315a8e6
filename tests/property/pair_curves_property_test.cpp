// Laws of the curves of random one-dimensional pairs.
#include <gtest/gtest.h>

#include <cmath>

#include "mechanism/monotone/pairs_curve.h"
#include "mechanism/sampled_gaussian/curve.h"
#include "sampling/pairs/gaussian_pair.h"
#include "sampling/pairs/laplace_pair.h"
#include "support/expect.h"
#include "support/line_pair.h"
#include "support/random_inputs.h"

namespace renyi::test::pair_curves_property_test {
namespace {

using monotone::MonotonePair;
using monotone::PairsCurve;
using monotone::Reading;
using sampling::gaussian_pair;
using sampling::laplace_pair;
using sampling::opposite_gaussian_pair;

double rate(RandomInputs& inputs) { return std::clamp(inputs.sampling_rate(), 1e-100, 1 - 0x1p-53); }
std::int64_t group(RandomInputs& inputs) {
  return static_cast<std::int64_t>(inputs.log_uniform(1, inputs.chance(0.1) ? 1000 : 20));
}
double real_z(RandomInputs& inputs) {
  const double order = inputs.order();
  return std::isinf(order) ? inputs.log_uniform(1e5, 1e100) : order - 1;
}
PairsCurve alone(std::shared_ptr<const MonotonePair> pair) {
  return PairsCurve({{1, std::move(pair)}}, Knowledge::loss);
}

std::shared_ptr<const MonotonePair> random_monotone_pair(RandomInputs& inputs) {
  const double q = rate(inputs), s = inputs.noise_multiplier();
  switch (inputs.below(4)) {
    case 0: return gaussian_pair({q, s, group(inputs)}, Reading::one_sided);
    case 1: return gaussian_pair({q, s, 1}, Reading::symmetric);
    case 2: return opposite_gaussian_pair({q, s, group(inputs)});
    default: return laplace_pair(q, s, inputs.chance(0.5) ? Reading::one_sided : Reading::symmetric);
  }
}

TEST(PairCurveLaws, CurvesAreConvexAndBelowTheirGrowth) {
  for_random_cases(0.3, [](RandomInputs& inputs) {
    const PairsCurve curve = alone(random_monotone_pair(inputs));
    const double z = real_z(inputs);
    for (const Direction d : both_directions) {
      const LogMoment k = curve.log_moment(z, d);
      expect_sane(value_of(k));
      EXPECT_GT(k.slope, 0);
      EXPECT_TRUE(std::isfinite(k.slope_error));
      if (z == 0 || z > 1e99) continue;
      const LogMoment twice = curve.log_moment(2 * z, d);
      EXPECT_LE(2 * (k.value - k.error), (twice.value + twice.error) * (1 + 1e-15));
      // The tangent lies below the chord to 2z and above the one from 0.
      EXPECT_LE((k.slope - k.slope_error) * z, (twice.value + twice.error - k.value + k.error) * (1 + 1e-12));
      EXPECT_GE((k.slope + k.slope_error) * z * (1 + 1e-12), k.value - k.error);
      EXPECT_LE((k.value - k.error) / z, (curve.growth().xi + curve.growth().rho * (z + 1)) * (1 + 1e-12));
      EXPECT_LE((k.value - k.error) / z, curve.max_loss(d).upper());
      EXPECT_GE(curve.worst_log_moment(z).value + curve.worst_log_moment(z).error, k.value - k.error);
    }
  });
}

TEST(PairCurveLaws, OneRecordIsTheSampledGaussian) {
  for_random_cases(0.3, [](RandomInputs& inputs) {
    const double q = rate(inputs), s = std::max(0.05, inputs.noise_multiplier()), z = real_z(inputs);
    if (z > 1e4) return;
    const PairsCurve curve = alone(gaussian_pair({q, s, 1}, Reading::one_sided));
    const sampled_gaussian::SampledGaussianCurve other(q, s);
    const LogMoment closed = alone(gaussian_pair({q, s, 1}, Reading::symmetric)).log_moment(z, Direction::remove);
    for (const Direction d : both_directions) {
      const LogMoment a = curve.log_moment(z, d), b = other.log_moment(z, d);
      expect_overlap(value_of(a), value_of(b));
      expect_overlap(slope_of(a), slope_of(b));
      // The closure is above both directions.
      expect_not_above(value_of(a), value_of(closed));
    }
  });
}

TEST(PairCurveLaws, GroupsAreSumsAtOrderTwo) {
  for_random_cases(0.2, [](RandomInputs& inputs) {
    const double q = rate(inputs), s = inputs.log_uniform(0.3, 1e6);
    const auto k = static_cast<std::size_t>(inputs.log_uniform(1, 30));
    const auto weights = binomial_weights(k, q);
    Real sum = 0;
    for (std::size_t i = 1; i <= k; ++i) {
      for (std::size_t j = 1; j <= k; ++j) {
        sum += weights[i] * weights[j] * std::expm1(static_cast<Real>(i * j) / (Real(s) * s));
      }
    }
    if (!std::isfinite(sum)) return;
    const PairsCurve curve = alone(gaussian_pair({q, s, static_cast<std::int64_t>(k)}, Reading::one_sided));
    expect_bounds(value_of(curve.log_moment(1, Direction::remove)), std::log1p(sum), 1e-10L, 1e-11L);
  });
}

TEST(PairCurveLaws, VerticalLinesAreCharacteristicFunctions) {
  for_random_cases(0.1, [](RandomInputs& inputs) {
    const double q = inputs.log_uniform(1e-6, 0.9), s = inputs.log_uniform(0.4, 20), c = inputs.log_uniform(0.01, 30);
    const auto pair =
        inputs.chance(0.5) ? gaussian_pair({q, s, 1}, Reading::symmetric) : laplace_pair(q, s, Reading::one_sided);
    const PairsCurve curve = alone(pair);
    for (const Direction d : both_directions) {
      const LogMoment base = curve.log_moment(c, d);
      // Far enough for a phase of about 2, and no further: beyond, rounding may hide it, or a rare large loss turn too
      // often.
      const double wide = inputs.uniform(0.01, 2) / std::sqrt(base.curvature + base.slope * base.slope);
      const double y = std::min(wide, 500.0);
      const ComplexLogMoment up = curve.log_moment(std::complex{c, y}, d);
      const ComplexLogMoment down = curve.log_moment(std::complex{c, -y}, d);
      EXPECT_LE(up.value.real() - up.error, base.value + base.error);
      EXPECT_LE(std::abs(up.value - std::conj(down.value)), up.error + down.error);
      EXPECT_LE(up.error, 1e-10);
    }
  });
}

}  // namespace
}  // namespace renyi::test::pair_curves_property_test
