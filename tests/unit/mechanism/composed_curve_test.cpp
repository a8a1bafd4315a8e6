#include "mechanism/composed_curve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "conversion/renyi_bound.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"
#include "support/expect.h"

namespace renyi::composed_curve_test {
namespace {

// n Gaussians are one with sigma / sqrt(n).
TEST(ComposedCurve, ManyGaussiansAreOneWithLessNoise) {
  const auto many = compose(Plan().add(Gaussian{12}, 16)), one = Mechanism(Gaussian{3}).curve();
  for (const double z : {0.0, 0.5, 30.0}) {
    const LogMoment a = many->log_moment(z, Direction::remove), b = one->log_moment(z, Direction::remove);
    test::expect_overlap(test::value_of(a), test::value_of(b));
    test::expect_overlap(test::slope_of(a), test::slope_of(b));
    EXPECT_NEAR(a.curvature, b.curvature, 1e-14 * b.curvature);
  }
}

TEST(ComposedCurve, TheLargestLossAdds) {
  const auto curve = compose(Plan().add(PureDp{0.5}, 3).add(Laplace{4}, 2));
  EXPECT_NEAR(curve->worst_max_loss().value, 2, 1e-14);
  EXPECT_GE(curve->worst_max_loss().upper(), 2);
  EXPECT_EQ(compose(Plan().add(PureDp{0.5}).add(Gaussian{1}))->worst_max_loss().upper(), test::infinity);
}

// A free step beside one without bound: 0 times infinity must not become NaN.
TEST(ComposedCurve, FreeStepsAddNothing) {
  const auto curve = compose(Plan().add(SampledGaussian{0, 1}, 1'000'000'000'000).add(PureDp{0.5}));
  EXPECT_NEAR(curve->worst_max_loss().value, 0.5, 1e-15);
  EXPECT_NEAR(curve->log_moment(1.0, Direction::remove).value,
              Mechanism(PureDp{0.5}).curve()->log_moment(1.0, Direction::remove).value, 1e-15);
}

// Two steps that mirror each other have different larger directions, and their plan has none.
TEST(ComposedCurve, TheLargerDirectionIsThatOfTheWholePlan) {
  const auto pairs = [](Rows rows) { return make_mechanism("pairs", {}, {{"probabilities", std::move(rows)}}); };
  const Plan plan = Plan().add(pairs({{0.9, 0.5}, {0.1, 0.5}})).add(pairs({{0.5, 0.9}, {0.5, 0.1}}));
  const auto curve = compose(plan);
  EXPECT_FALSE(curve->larger_direction());
  test::expect_overlap(rdp(*curve, 8), divergence(*curve, 8, Direction::remove));
  EXPECT_NEAR(rdp(*curve, 8).value, 2.0831520824916, 1e-12);
  // Both at once, as one pair.
  const Mechanism both = pairs({{0.45, 0.45}, {0.45, 0.05}, {0.05, 0.45}, {0.05, 0.05}});
  EXPECT_NEAR(renyi_epsilon(plan, 1e-2).upper, renyi_epsilon(Plan().add(both), 1e-2).upper, 1e-8);
  EXPECT_NEAR(renyi_delta(plan, 1).upper, renyi_delta(Plan().add(both), 1).upper, 1e-9);
}

// Each direction has its own best order: the larger of two bounds is below the bound of the larger curve.
TEST(ComposedCurve, EachDirectionIsBoundedByItself) {
  const auto pairs = [](Rows rows) { return make_mechanism("pairs", {}, {{"probabilities", std::move(rows)}}); };
  const Mechanism one = pairs({{0.5, 0.4}, {0.49, 0.5999}, {0.01, 0.0001}});
  const Plan forth = Plan().add(one, 20).add(pairs({{0.6, 0.4}, {0.4, 0.6}}), 3);
  const Plan back =
      Plan().add(pairs({{0.4, 0.5}, {0.5999, 0.49}, {0.0001, 0.01}}), 20).add(pairs({{0.4, 0.6}, {0.6, 0.4}}), 3);
  for (const double delta : {1e-9, 1e-3, 0.1}) {
    EXPECT_EQ(renyi_epsilon(forth, delta).upper, renyi_epsilon(back, delta).upper);
    double least = test::infinity;
    const auto curve = compose(forth);
    for (double z = 0.01; z < 1e3; z *= 1.01) {
      const LogMoment k = curve->worst_log_moment(z);
      least = std::min(least, (k.value - std::log(delta) - std::log1p(z)) / z - std::log1p(1 / z));
    }
    EXPECT_LE(renyi_epsilon(forth, delta).upper, least + 1e-9);
  }
}

TEST(ComposedCurve, KnowsTheLargerDirectionWhereItsStepsAgree) {
  EXPECT_EQ(compose(Plan())->larger_direction(), Direction::remove);
  const auto curve = compose(Plan().add(Laplace{1}).add(SampledGaussian{0.2, 1}).add(SampledGaussian{0.1, 2}));
  EXPECT_EQ(curve->larger_direction(), Direction::remove);
  EXPECT_FALSE(curve->is_symmetric());
}

TEST(ComposedCurve, TheWorstIsNotBelowEitherDirection) {
  const auto curve = compose(Plan().add(SampledGaussian{0.2, 1}, 10).add(Laplace{1}));
  const LogMoment worst = curve->worst_log_moment(3);
  for (const Direction direction : test::both_directions) {
    test::expect_not_above(test::value_of(curve->log_moment(3.0, direction)), test::value_of(worst));
  }
  test::expect_overlap(test::value_of(worst), test::value_of(curve->log_moment(3.0, Direction::remove)));
}

TEST(ComposedCurve, ComplexPointsAdd) {
  const std::complex<double> z(1.5, 2);
  const auto sum = compose(Plan().add(Laplace{1}, 2).add(Gaussian{2}))->log_moment(z, Direction::add);
  const auto expected = 2.0 * Mechanism(Laplace{1}).curve()->log_moment(z, Direction::add).value +
                        Mechanism(Gaussian{2}).curve()->log_moment(z, Direction::add).value;
  EXPECT_LE(std::abs(sum.value - expected), sum.error);
}

// A double stands for the decimal it was written as (docs/math/decimal-input.md).
TEST(ComposedCurve, PureLossesAddAsWritten) {
  const auto largest = [](const Plan& plan) { return compose(plan)->max_loss(Direction::add); };
  const Bounded tenths = largest(Plan().add(PureDp{0.1}, 3));
  EXPECT_EQ(tenths.lower(), 0.3);
  EXPECT_EQ(tenths.upper(), 0.3);
  const Bounded thirds = largest(Plan().add(Laplace{3}, 2).add(Laplace{6, 2}, 1).add(PureDp{0.2}, 5));
  EXPECT_EQ(thirds.lower(), 2);
  EXPECT_EQ(thirds.upper(), 2);
  // A loss that is no decimal keeps its interval, beside others that are.
  const Bounded mixed = largest(Plan().add(PureDp{0.1}, 10).add(RandomizedResponse{0.75}, 1));
  EXPECT_LT(mixed.lower(), 1 + std::log(3));
  EXPECT_GT(mixed.upper(), 1 + std::log(3));
}

}  // namespace
}  // namespace renyi::composed_curve_test
