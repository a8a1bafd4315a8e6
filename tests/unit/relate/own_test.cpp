// A user's bound on divergences says nothing from below.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "renyi/extras/custom.h"
#include "renyi/extras/relate.h"
#include "renyi/rdp.h"

namespace renyi::relate_own_test {
namespace {

Mechanism bounded() {
  return custom_curve("bounded", [](double order) { return std::min(1.0, 0.1 * order); });
}

void expect_from_zero(const Interval& found) {
  EXPECT_EQ(found.lower, 0);
  EXPECT_GT(found.upper, 0);
  EXPECT_TRUE(std::isfinite(found.upper));
}

void expect_no_lower_ends(const Plan& plan) {
  expect_from_zero(to_pure(plan).found.value().epsilon);
  expect_from_zero(to_zcdp(plan).found.value().rho);
  expect_from_zero(to_zcdp(plan, 0.01).found.value().xi);
  expect_from_zero(to_tcdp(plan, 5).found.value().rho);
  expect_from_zero(to_cdp(plan).found.value().mu);
  expect_from_zero(to_cdp(plan).found.value().tau);
  expect_from_zero(to_gdp(plan).found.value().mu);
}

TEST(RelateOwn, BoundsHaveNoLowerEnds) { expect_no_lower_ends(Plan().add(bounded(), 3)); }

TEST(RelateOwn, UpperEndsAreThoseOfTheBound) {
  const Plan plan = Plan().add(bounded());
  EXPECT_NEAR(to_pure(plan).found.value().epsilon.upper, 1, 1e-15);
  EXPECT_NEAR(to_zcdp(plan).found.value().rho.upper, 0.1, 1e-8);
  EXPECT_NEAR(to_cdp(plan).found.value().mu.upper, std::tanh(0.5), 1e-14);
}

// A largest loss of 1, and divergences that are known from both sides: but the curve gives upper ends only.
TEST(RelateOwn, OtherPairsHaveNoLowerEnds) {
  expect_no_lower_ends(Plan().add(custom_pair("shifted", DistributionPair::laplace({0, 1}, {1, 1}))));
}

// Other steps of the plan keep their own lower bounds.
TEST(RelateOwn, OtherStepsKeepTheirs) {
  const Plan with = Plan().add(bounded(), 2).add(Laplace{4}).add(Gaussian{10}),
             without = Plan().add(Laplace{4}).add(Gaussian{10});
  const auto expect_lower = [](const Interval& both, const Interval& known) {
    EXPECT_GT(known.lower, 0);
    EXPECT_LE(both.lower, known.lower * (1 + 1e-9));
    EXPECT_GE(both.lower, known.lower * (1 - 1e-9));
    EXPECT_GT(both.upper, known.upper);
  };
  expect_lower(to_zcdp(with).found.value().rho, to_zcdp(without).found.value().rho);
  expect_lower(to_tcdp(with, 5).found.value().rho, to_tcdp(without, 5).found.value().rho);
  expect_lower(to_cdp(with).found.value().mu, to_cdp(without).found.value().mu);
  expect_lower(to_cdp(with).found.value().tau, to_cdp(without).found.value().tau);
  expect_lower(to_gdp(with).found.value().mu, to_gdp(without).found.value().mu);
}

// Discrete pairs are known completely: both ends are theirs.
TEST(RelateOwn, DiscretePairsHaveBothEnds) {
  const Plan plan = Plan().add(custom_pair("discrete", DistributionPair::discrete({0.75, 0.25}, {0.25, 0.75})));
  const Interval epsilon = to_pure(plan).found.value().epsilon;
  EXPECT_NEAR(epsilon.lower, std::log(3), 1e-14);
  EXPECT_NEAR(epsilon.upper, std::log(3), 1e-14);
  EXPECT_NEAR(to_zcdp(plan).found.value().rho.lower, 0.5 * std::log(3), 1e-9);
}

}  // namespace
}  // namespace renyi::relate_own_test
