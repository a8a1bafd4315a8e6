// The curve at random points of the whole stated domain.
#include <gtest/gtest.h>

#include "renyi/error.h"
#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/random_inputs.h"

namespace renyi::curve_property_test {
namespace {

using test::RandomInputs;

Direction random_direction(RandomInputs& random) { return random.chance(0.5) ? Direction::remove : Direction::add; }

TEST(CurveProperty, DivergencesAreSaneAndAccurate) {
  test::for_random_cases(5, [](RandomInputs& random) {
    const Mechanism m = random.mechanism();
    const double order = random.order();
    const Direction direction = random_direction(random);
    SCOPED_TRACE(fmt::format("{} order {} {}", test::describe(m), order, test::name_of(direction)));
    const Bounded d = divergence(*m.curve(), order, direction);
    test::expect_sane(d);
    EXPECT_LE(d.error, order <= 1e4 ? 1e-10 * d.value : test::infinity);
    // Nothing is free unless no loss is possible at all.
    EXPECT_EQ(d.upper() == 0, m.curve()->worst_max_loss().upper() == 0);
  });
}

TEST(CurveProperty, DivergencesNeverFallWithTheOrder) {
  test::for_random_cases(2, [](RandomInputs& random) {
    const Mechanism m = random.mechanism();
    double low = random.order(), high = random.order();
    if (random.chance(0.3) && std::isfinite(low)) high = low * (1 + random.log_uniform(1e-15, 1e-3));
    if (low > high) std::swap(low, high);
    const Direction direction = random_direction(random);
    SCOPED_TRACE(fmt::format("{} orders {} {} {}", test::describe(m), low, high, test::name_of(direction)));
    const auto curve = m.curve();
    test::expect_not_above(divergence(*curve, low, direction), divergence(*curve, high, direction));
  });
}

TEST(CurveProperty, MoreNoiseOrLessSamplingNeverCostsMore) {
  test::for_random_cases(2, [](RandomInputs& random) {
    const double q = random.sampling_rate(), s = random.noise_multiplier(), order = random.order();
    const double less = random.chance(0.5) ? std::min(q, random.sampling_rate()) : q;
    const double more = random.chance(0.5) ? std::max(s, random.noise_multiplier()) : s * (1 + random.uniform(0, 1e-9));
    SCOPED_TRACE(fmt::format("q {} -> {}, s {} -> {}, order {}", q, less, s, more, order));
    const Mechanism dear = SampledGaussian{q, s}, cheap = SampledGaussian{less, std::min(more, 1e6)};
    test::expect_not_above(rdp(*cheap.curve(), order), rdp(*dear.curve(), order));
  });
}

TEST(CurveProperty, ComplexPointsAreSaneAndBelowTheRealAxis) {
  test::for_random_cases(1, [](RandomInputs& random) {
    const Mechanism m = random.mechanism();
    const std::complex<double> z(random.log_uniform(1e-6, 300), random.log_uniform(1e-6, 100));
    const Direction direction = random_direction(random);
    SCOPED_TRACE(fmt::format("{} z = {}+{}i {}", test::describe(m), z.real(), z.imag(), test::name_of(direction)));
    const auto curve = m.curve();
    if (curve->knowledge() == Knowledge::orders || z.real() > curve->last_order() - 1) return;  // no complex points
    const LogMoment real = curve->log_moment(z.real(), direction);
    const double top = test::value_of(real).upper();
    try {
      const ComplexLogMoment k = curve->log_moment(z, direction);
      EXPECT_FALSE(std::isnan(k.value.real()) || std::isnan(k.value.imag()) || std::isnan(k.error));
      EXPECT_LE(k.value.real() - k.error, top + 1e-14 * std::abs(k.value.real()));
    } catch (const NotConverged&) {
      // Only where the phases spread so far that the moment vanishes beside the real one.
      EXPECT_GT(z.imag() * std::sqrt(real.curvature), 5);
    }
  });
}

}  // namespace
}  // namespace renyi::curve_property_test
