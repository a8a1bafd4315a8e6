// Steps known to be (epsilon, delta)-DP.
#include <gtest/gtest.h>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/calibrate.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/extras/privacy_loss.h"
#include "renyi/papers/composition_theorems.h"
#include "renyi/rdp.h"
#include "support/expect.h"

namespace renyi::approx_dp_test {
namespace {

using test::infinity;

Mechanism approx(double epsilon, double delta) {
  return make_mechanism("approx-dp", {{"epsilon", epsilon}, {"delta", delta}});
}

TEST(ApproxDp, AtItsOwnDeltaItHasItsOwnEpsilon) {
  const Plan plan = Plan().add(approx(1.5, 1e-5));
  EXPECT_EQ(renyi_epsilon(plan, 1e-5).upper, 1.5);
  EXPECT_EQ(renyi_epsilon(plan, 1e-5).infinite_mass, 1e-5);
  EXPECT_EQ(renyi_delta(plan, 1.5).upper, 1e-5);
  EXPECT_EQ(PrivacyProfile(plan).delta(1.5).worst.upper, 1e-5);
  EXPECT_EQ(PrivacyProfile(plan).delta(1.5).worst.lower, 1e-5);
  const ExactInterval epsilon = PrivacyProfile(plan).epsilon(1e-5).worst;
  EXPECT_EQ(epsilon.upper, 1.5);
  EXPECT_NEAR(epsilon.lower, 1.5, 1e-12);
}

TEST(ApproxDp, BelowItsDeltaNothingIsPromised) {
  const Plan plan = Plan().add(approx(1.5, 1e-5));
  EXPECT_EQ(renyi_epsilon(plan, 9e-6).upper, infinity);
  EXPECT_EQ(PrivacyProfile(plan).epsilon(9e-6).worst.lower, infinity);
  EXPECT_EQ(renyi_epsilon(plan, 0).upper, infinity);
  EXPECT_EQ(renyi_delta(plan, infinity).upper, 1e-5);
  EXPECT_EQ(PrivacyProfile(plan).delta(infinity).worst.upper, 1e-5);
}

TEST(ApproxDp, NoOrderAboveOneIsFinite) {
  const auto curve = approx(0.1, 1e-9).curve();
  EXPECT_EQ(rdp(*curve, 2).lower(), infinity);
  EXPECT_EQ(rdp(*curve, 1).lower(), infinity);
  EXPECT_EQ(curve->worst_max_loss().lower(), infinity);
  EXPECT_EQ(curve->knowledge(), Knowledge::profile);
  EXPECT_THROW(curve->log_moment(std::complex<double>(0, 1), Direction::remove), Unsupported);
  EXPECT_THROW(PrivacyLoss(Plan().add(approx(1, 1e-9)), Direction::remove), Unsupported);
}

TEST(ApproxDp, WithoutDeltaItIsPure) {
  for (const double delta : {1e-6, 1e-3}) {
    EXPECT_EQ(renyi_epsilon(Plan().add(approx(0.3, 0), 7), delta).upper,
              renyi_epsilon(Plan().add(PureDp{0.3}, 7), delta).upper);
  }
  EXPECT_EQ(renyi_epsilon(Plan().add(approx(0.3, 0)), 1e-6).infinite_mass, 0);
}

// Kairouz, Oh, Viswanath 2015, Theorem 3.3: delta = 1 - (1-d)^k (1 - delta_k), and at k e nothing of delta_k is left.
TEST(ApproxDp, StepsPayTheirDeltaEachOnce) {
  const Plan plan = Plan().add(approx(0.5, 1e-3), 10);
  const double infinite_mass = -std::expm1(10 * std::log1p(-1e-3));
  EXPECT_NEAR(renyi_delta(plan, 5).upper, infinite_mass, 1e-15);
  EXPECT_GE(renyi_delta(plan, 5).upper, infinite_mass);
  EXPECT_NEAR(PrivacyProfile(plan).delta(5).worst.upper, infinite_mass, 1e-15);
  EXPECT_NEAR(renyi_epsilon(plan, 0.02).infinite_mass, infinite_mass, 1e-15);
  const double pure = PrivacyProfile(Plan().add(PureDp{0.5}, 10)).delta(2).worst.upper;
  EXPECT_NEAR(PrivacyProfile(plan).delta(2).worst.upper, infinite_mass + (1 - infinite_mass) * pure, 1e-14);
}

// Beside Gaussian noise: only the finite part is asked of orders, with what is left of delta.
TEST(ApproxDp, ComposesWithOtherSteps) {
  const Plan noise = Plan().add(Gaussian{4}, 20), both = Plan(noise).add(approx(0, 1e-6), 3);
  const double left = (1e-5 - 3e-6) / (1 - 3e-6);
  EXPECT_NEAR(renyi_epsilon(both, 1e-5).upper, renyi_epsilon(noise, left).upper, 1e-6);
  EXPECT_GT(renyi_epsilon(both, 1e-5).upper, renyi_epsilon(noise, 1e-5).upper);
  EXPECT_NEAR(PrivacyProfile(both).epsilon(1e-5).worst.upper, PrivacyProfile(noise).epsilon(left).worst.upper, 1e-5);
  EXPECT_LT(PrivacyProfile(both).epsilon(1e-5).worst.upper, renyi_epsilon(both, 1e-5).upper);
}

TEST(ApproxDp, GroupsAreChainsOfNeighbours) {
  const auto three = approx(0.5, 1e-6).for_group(3);
  ASSERT_TRUE(three);
  EXPECT_NEAR(three->values()[0], 1.5, 1e-15);
  EXPECT_NEAR(three->values()[1], 1e-6 * (1 + std::exp(0.5) + std::exp(1.0)), 1e-18);
  EXPECT_GE(three->values()[1], 1e-6 * (1 + std::exp(0.5) + std::exp(1.0)) * (1 - 1e-15));
  EXPECT_EQ(approx(700, 0.5).for_group(3)->values()[1], 1);
  EXPECT_EQ(approx(1e40, 1e-300).for_group(2)->values()[1], 1);
  EXPECT_NEAR(approx(0, 1e-6).for_group(4)->values()[1], 4e-6, 1e-18);
  const Plan person = Plan(Neighbors::replace_one, 3).add(approx(0.5, 1e-6));
  EXPECT_EQ(renyi_epsilon(person, three->values()[1]).upper, three->values()[0]);
}

// Balle, Barthe, Gaboardi 2018, Theorems 8 and 9: (ln(1 + q (e^e - 1)), q d), which the pair attains.
TEST(ApproxDp, SamplesPayForThoseWhoAreDrawn) {
  const double rate = 0.01, epsilon = std::log1p(rate * std::expm1(2.0));
  const Mechanism poisson = approx(2, 1e-4).sampled_by(Sampling::poisson(rate));
  const Mechanism fixed = approx(2, 1e-4).sampled_by(Sampling::fixed_size(1000, 10));
  for (const Plan& plan :
       {Plan().add(poisson), Plan(Neighbors::zero_out).add(poisson), Plan(Neighbors::replace_one).add(fixed)}) {
    EXPECT_NEAR(PrivacyProfile(plan).delta(epsilon).worst.upper, rate * 1e-4, 1e-15);
    EXPECT_LE(renyi_epsilon(plan, rate * 1e-4 * (1 + 1e-12)).upper, epsilon * (1 + 1e-9));
    EXPECT_EQ(renyi_epsilon(plan, rate * 1e-4 * 0.99).upper, infinity);
    EXPECT_NEAR(renyi_epsilon(plan, 1e-3).infinite_mass, rate * 1e-4, 1e-20);
  }
  EXPECT_THROW(Plan(Neighbors::replace_one).add(poisson), Unsupported);
}

TEST(ApproxDp, IsSolvedFor) {
  const Plan plan = Plan().add(Gaussian{10}).add(approx(1, 1e-6));
  const Calibration noise = calibrate(plan, {.path = {0}, .parameter = "stddev"}, {.epsilon = 2, .delta = 1e-5});
  EXPECT_LE(noise.cost.exact->worst.upper, 2);
  EXPECT_GT(noise.cost.exact->worst.upper, 1.999);
  const Calibration delta = calibrate(plan, {.path = {1}, .parameter = "delta"}, {.epsilon = 2, .delta = 1e-5});
  EXPECT_LT(delta.value, 1e-5);
  EXPECT_GT(delta.value, 9e-6);
  EXPECT_THROW(
      calibrate(Plan(plan).add(approx(1, 1e-4)), {.path = {0}, .parameter = "stddev"}, {.epsilon = 2, .delta = 1e-5}),
      Unsupported);
}

// The theorem for equal steps is about these; the exact cost is no larger than any.
TEST(ApproxDp, CompositionTheoremsKeepItsDelta) {
  const Plan plan = Plan().add(approx(0.1, 1e-7), 50);
  const Comparison all = compare(plan, 1e-4);
  double exact = infinity;
  for (const auto& row : all.theorems) {
    if (row.name == "exact") exact = *row.epsilon;
  }
  int finite = 0;
  for (const auto& row : all.theorems) {
    if (!row.epsilon) continue;
    EXPECT_GE(*row.epsilon, exact * (1 - 1e-9)) << row.name;
    finite += std::isfinite(*row.epsilon) ? 1 : 0;
    if (row.name == "basic") {
      EXPECT_NEAR(*row.epsilon, 5, 1e-12);
    }
  }
  EXPECT_GE(finite, 4);
}

}  // namespace
}  // namespace renyi::approx_dp_test
