#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "renyi/error.h"
#include "renyi/extras/certify.h"
#include "renyi/extras/custom.h"
#include "support/expect.h"

namespace renyi::delta_and_epsilon_test {
namespace {

const Enclosure nothing{};
const Plan training = Plan().add(SampledGaussian{0.01, 1.1}, 10'000);

double width(const Certified& figure) {
  return (rounded_up(figure.value.upper) - rounded_down(figure.value.lower)) / rounded_up(figure.value.upper);
}

// Plans that the contour supports; all except the last have no closed form.
const Plan plans[] = {training, Plan().add(SampledGaussian{0.1, 2}, 100).add(Laplace{3, 1}, 5),
                      Plan().add(Laplace{1, 1}, 500), Plan().add(SampledGaussian{1e-4, 1}, 1'000'000'000),
                      Plan().add(Gaussian{4, 1}, 20)};

TEST(CertifiedDelta, TheVerifiersEnclosureFitsInside) {
  for (const Plan& plan : plans) {
    for (const Direction direction : test::both_directions) {
      const double epsilon = rounded_up(certified::epsilon(plan, 1e-6, direction).value.upper);
      const Certified first = certified::delta(plan, epsilon, direction);
      const Certified second = certified::delta(plan, epsilon, direction, Route::second);
      EXPECT_TRUE(contains(first.value, second.value));
      EXPECT_FALSE(contains(second.value, first.value));
      EXPECT_LT(width(first), 1e-9);
      EXPECT_LE(rounded_down(first.value.lower), 1e-6);
      EXPECT_GT(rounded_up(first.value.upper), 1e-6 * (1 - 1e-8));
      EXPECT_GT(first.precision, 64);
    }
  }
}

// Where the interval begins at 0 or ends at 1, the stated ends are exactly that.
TEST(CertifiedDelta, StaysWithinItsRange) {
  const Certified all = certified::delta(Plan().add(Gaussian{0.01, 1}), 1, Direction::remove);
  EXPECT_EQ(all.value.upper, (Dyadic{"1", 0}));
  const double whole = rounded_up(certified::delta(training, 0, Direction::remove).value.upper);
  EXPECT_EQ(certified::epsilon(training, whole * (1 - 1e-12), Direction::remove).value.lower, Dyadic{});
}

TEST(CertifiedDelta, TotalVariationIsTheSameInBothDirections) {
  const Certified remove = certified::delta(training, 0, Direction::remove);
  const Certified add = certified::delta(training, 0, Direction::add);
  EXPECT_TRUE(contains(remove.value, certified::delta(training, 0, Direction::add, Route::second).value));
  EXPECT_TRUE(contains(add.value, certified::delta(training, 0, Direction::remove, Route::second).value));
}

TEST(CertifiedDelta, IsZeroFromTheLargestLossOn) {
  const Plan sampled = Plan().add(SampledGaussian{0.5, 1}, 30);
  EXPECT_EQ(certified::delta(sampled, 21, Direction::add).value, nothing);  // 30 ln 2 = 20.79
  EXPECT_NE(certified::delta(sampled, 20, Direction::add).value, nothing);
  EXPECT_NE(certified::delta(sampled, 21, Direction::remove).value, nothing);
  EXPECT_EQ(certified::delta(Plan().add(Laplace{2, 1}, 4), 2, Direction::remove).value, nothing);
  EXPECT_EQ(certified::delta(training, HUGE_VAL, Direction::remove).value, nothing);
}

TEST(CertifiedDelta, OfStepsThatCostNothing) {
  for (const Plan& plan : {Plan(), Plan().add(SampledGaussian{0, 1}, 5).add(PureDp{0})}) {
    EXPECT_EQ(certified::delta(plan, 0, Direction::remove).value, nothing);
    EXPECT_EQ(certified::epsilon(plan, 0, Direction::remove).value, nothing);
    EXPECT_NEAR(rounded_up(certified::delta(plan, -1, Direction::remove).value.upper), 1 - std::exp(-1), 1e-15);
  }
}

TEST(CertifiedDelta, RefusesWhatItCannotAnswer) {
  EXPECT_THROW(certified::delta(training, std::nan(""), Direction::remove), InvalidArgument);
  EXPECT_THROW(certified::delta(training, -HUGE_VAL, Direction::remove), InvalidArgument);
  for (const Mechanism& bound :
       {Mechanism(Zcdp{0.1}), Mechanism(Tcdp{0.1, 10}), Mechanism(Cdp{0.1, 0.5}), Mechanism(Moments{8, 1})}) {
    EXPECT_THROW(certified::delta(Plan().add(bound), 1, Direction::remove), Unsupported);
    EXPECT_THROW(certified::epsilon(Plan().add(bound), 1e-5, Direction::remove), Unsupported);
  }
}

TEST(CertifiedDelta, RefusesMechanismsOfOnesOwn) {
  const Plan own = Plan().add(custom_curve("mine", [](double order) { return order; }));
  EXPECT_THROW(certified::delta(own, 1, Direction::remove), Unsupported);
}

TEST(CertifiedEpsilon, TheVerifiersEnclosureFitsInside) {
  for (const Plan& plan : plans) {
    for (const Direction direction : test::both_directions) {
      const Certified first = certified::epsilon(plan, 1e-6, direction);
      const Certified second = certified::epsilon(plan, 1e-6, direction, Route::second);
      EXPECT_TRUE(contains(first.value, second.value));
      EXPECT_FALSE(contains(second.value, first.value));
      EXPECT_LT(width(first), 1e-9);
    }
  }
}

// Either end is proven by deltas of its own.
TEST(CertifiedEpsilon, DeltaIsOnEitherSide) {
  const double delta = 1e-7;
  for (const Plan& plan : plans) {
    const Certified epsilon = certified::epsilon(plan, delta, Direction::add);
    const Certified below = certified::delta(plan, rounded_down(epsilon.value.lower), Direction::add, Route::second);
    const Certified above = certified::delta(plan, rounded_up(epsilon.value.upper), Direction::add, Route::second);
    EXPECT_GT(rounded_down(below.value.lower), delta);
    EXPECT_LT(rounded_up(above.value.upper), delta);
  }
}

TEST(CertifiedEpsilon, EndsOfTheScale) {
  EXPECT_EQ(certified::epsilon(training, 1, Direction::remove).value, nothing);
  EXPECT_EQ(certified::epsilon(training, 0.999, Direction::remove).value, nothing);
  EXPECT_EQ(certified::epsilon(training, 0, Direction::remove).value.upper.mantissa, "inf");
  const Certified largest = certified::epsilon(training, 0, Direction::add);
  EXPECT_LE(rounded_down(largest.value.lower), -10'000 * std::log1p(-0.01) * (1 + 1e-15));
  EXPECT_GE(rounded_up(largest.value.upper), -10'000 * std::log1p(-0.01) * (1 - 1e-15));
  EXPECT_LT(width(largest), 1e-15);
  EXPECT_THROW(certified::epsilon(training, -1e-5, Direction::remove), InvalidArgument);
  EXPECT_THROW(certified::epsilon(training, std::nan(""), Direction::remove), InvalidArgument);
}

// Just above and just below delta(0).
TEST(CertifiedEpsilon, NextToTheTotalVariation) {
  const double whole = rounded_up(certified::delta(training, 0, Direction::remove).value.upper);
  EXPECT_EQ(certified::epsilon(training, whole * (1 + 1e-9), Direction::remove).value, nothing);
  const Certified small = certified::epsilon(training, whole * (1 - 1e-9), Direction::remove);
  EXPECT_GT(rounded_up(small.value.upper), 0);
  EXPECT_LT(rounded_up(small.value.upper), 1e-7);
}

// 8e18 steps together with 1e6 others; the reference is the same integral in 60-digit arithmetic.
TEST(CertifiedEpsilon, KeepsItsDigitsOverManySteps) {
  const Plan plan = Plan()
                        .add(SampledGaussian{4.9748563998995332e-11, 0.41234474232233415}, 8'369'904'317'065'513'984)
                        .add(SampledGaussian{0.0027606909730157401, 0.91578843766406981}, 977'753);
  const Certified delta = certified::delta(plan, 41.44483450161394, Direction::add);
  EXPECT_LE(rounded_down(delta.value.lower), 3.74019148133077e-10 * (1 + 1e-14));
  EXPECT_GE(rounded_up(delta.value.upper), 3.74019148133077e-10 * (1 - 1e-14));
  EXPECT_LT(width(delta), 1e-9);
}

}  // namespace
}  // namespace renyi::delta_and_epsilon_test
