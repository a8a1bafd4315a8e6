// Laws of the loss itself, over every mechanism whose loss is known: its cumulants
// and the orders below 1.
#include <gtest/gtest.h>

#include "renyi/error.h"
#include "renyi/plan.h"
#include "support/expect.h"
#include "support/settings.h"

namespace renyi::loss_laws_test {
namespace {

using test::both_directions;
using test::expect_overlap;

// A loss that may be infinite has no moments.
bool has_moments(const Curve& curve) { return curve.knowledge() == Knowledge::loss && !test::may_be_infinite(curve); }

// Calls law(curve, direction) for every corner whose loss is known, and finite.
template <class Law>
void for_each_known_loss(const Law& law) {
  test::for_each_corner([&](const Curve& curve, Direction direction) {
    if (has_moments(curve)) law(curve, direction);
  });
}

TEST(LossLaws, CumulantsAreTheDerivativesAtZero) {
  for_each_known_loss([](const Curve& curve, Direction direction) {
    const LogMoment k = curve.log_moment(0, direction);
    const Cumulants c = curve.cumulants(direction);
    EXPECT_NEAR(c.mean, k.slope, c.mean_error + k.slope_error);
    // A loss that is nearly constant has its variance in the rounding of its mean.
    EXPECT_NEAR(c.variance, k.curvature, c.variance_error + 1e-9 * k.curvature + 1e-12 * k.slope * k.slope);
    EXPECT_LE(c.variance_error, 1e-9 * (c.variance + c.mean * c.mean));
    EXPECT_GE(c.variance, 0);
  });
}

// K'' (z) - K''(-z) = 2 z K''' to second order; K on the left by chernoff:
// K(h) - K(-h) - 2 h m = h^3 K'''/3.
TEST(LossLaws, TheThirdCumulantIsTheThirdDerivative) {
  for (const Mechanism& m : test::everyday_settings()) {
    const auto curve = m.curve();
    if (!has_moments(*curve)) continue;
    for (const Direction direction : both_directions) {
      SCOPED_TRACE(test::describe(m) + " " + test::name_of(direction));
      const Cumulants c = curve->cumulants(direction);
      const double h = 0.02 / (1 + std::sqrt(c.variance));
      const double odd = curve->log_moment(h, direction).value + curve->chernoff(1 - h, direction).value;
      const double noise = 1e-12 * c.mean / (h * h);
      EXPECT_NEAR(3 * (odd - 2 * h * c.mean) / (h * h * h), c.third,
                  0.02 * (std::abs(c.third) + std::pow(c.variance, 1.5)) + noise);
    }
  }
}

// One number by two sums: E_Q[(P/Q)^a] = E_P[(Q/P)^(1-a)], also next to 1/2 where the
// implementation changes sides.
TEST(LossLaws, OrdersBelowOneAreSkewSymmetric) {
  for_each_known_loss([](const Curve& curve, Direction direction) {
    const Direction back = direction == Direction::remove ? Direction::add : Direction::remove;
    for (const double a : {1e-12, 1e-3, 0.2, 0.4999, 0.5}) {
      expect_overlap(curve.chernoff(a, direction), curve.chernoff(1 - a, back));
    }
    EXPECT_EQ(curve.chernoff(0, direction).value, 0);
    EXPECT_EQ(curve.chernoff(1, direction).value, 0);
    const double below = curve.chernoff(0.5, direction).lower(), above = curve.chernoff(0.5, back).upper();
    EXPECT_LE(below, above);
  });
}

// 1 - a is rounded; near 0 that is most of the error.
TEST(LossLaws, OrdersNearZeroCountTheRoundingOfTheirComplement) {
  const auto curve = Mechanism(Gaussian{1}).curve();
  for (const double a : {1e-6, 1e-12, 1e-15}) {
    const Bounded c = curve->chernoff(a, Direction::remove);
    EXPECT_LE(std::abs(c.value - 0.5 * a * (1 - a)), c.error) << a;
  }
}

// D_a = chernoff(a)/(1-a) is non-decreasing, up to D_1, and chernoff is concave.
TEST(LossLaws, DivergencesBelowOneRiseToOrderOne) {
  for_each_known_loss([](const Curve& curve, Direction direction) {
    double before = 0;
    for (const double a : {0.01, 0.3, 0.5, 0.75, 0.9, 0.999, 1 - 1e-6}) {
      SCOPED_TRACE(a);
      const Bounded c = curve.chernoff(a, direction);
      test::expect_sane(c);
      EXPECT_LE(before, c.upper() / (1 - a) * (1 + 1e-9));
      before = c.lower() / (1 - a);
    }
    EXPECT_LE(before, divergence(curve, 1, direction).upper() * (1 + 1e-9));
  });
}

TEST(LossLaws, OrderOneIsReachedFromBelow) {
  for (const Mechanism& m : test::everyday_settings()) {
    const auto curve = m.curve();
    if (!has_moments(*curve)) continue;
    for (const Direction direction : both_directions) {
      const double d = divergence(*curve, 1, direction).value;
      EXPECT_NEAR(curve->chernoff(1 - 1e-5, direction).value / 1e-5, d, 1e-4 * d) << test::describe(m);
    }
  }
}

TEST(LossLaws, CompositionAddsBoth) {
  const auto plan = compose(Plan().add(SampledGaussian{0.1, 0.7}, 3).add(Laplace{2}, 2));
  const auto sampled = Mechanism(SampledGaussian{0.1, 0.7}).curve(), laplace = Mechanism(Laplace{2}).curve();
  for (const Direction direction : both_directions) {
    const Cumulants c = plan->cumulants(direction), s = sampled->cumulants(direction),
                    l = laplace->cumulants(direction);
    EXPECT_DOUBLE_EQ(c.mean, 3 * s.mean + 2 * l.mean);
    EXPECT_DOUBLE_EQ(c.variance, 3 * s.variance + 2 * l.variance);
    EXPECT_DOUBLE_EQ(c.third, 3 * s.third + 2 * l.third);
    EXPECT_DOUBLE_EQ(plan->chernoff(0.3, direction).value,
                     3 * sampled->chernoff(0.3, direction).value + 2 * laplace->chernoff(0.3, direction).value);
  }
}

TEST(LossLaws, AnUnknownLossIsRefused) {
  for (const Mechanism& m : {Mechanism(PureDp{1}), Mechanism(Gdp{1}), Mechanism(Zcdp{0.1}), Mechanism(Moments{8, 1})}) {
    EXPECT_THROW(m.curve()->cumulants(Direction::remove), Unsupported) << m.kind();
    EXPECT_THROW(m.curve()->chernoff(0.5, Direction::remove), Unsupported) << m.kind();
    EXPECT_THROW(compose(Plan().add(Laplace{1}).add(m))->cumulants(Direction::add), Unsupported) << m.kind();
  }
}

}  // namespace
}  // namespace renyi::loss_laws_test
