// Exact accounting where losses may be infinite, or a step is known by its orders and a pair that dominates it.
#include <gtest/gtest.h>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "explain/promises.h"
#include "mechanism/custom/order_curve.h"
#include "renyi/accountant.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/explain.h"
#include "renyi/extras/custom.h"
#include "renyi/rdp.h"
#include "support/account_parts.h"
#include "support/expect.h"

namespace renyi::infinite_loss_test {
namespace {

using test::infinity;

Mechanism approx(double epsilon, double delta) {
  return make_mechanism("approx-dp", {{"epsilon", epsilon}, {"delta", delta}});
}

// The Gaussian's divergences, or `share` of them, beside its pair.
class Dominated final : public mechanism::OrderCurve {
 public:
  explicit Dominated(double share) : share_(share) {}
  bool is_symmetric() const override { return true; }
  std::shared_ptr<const Curve> dominating_curve() const override { return Mechanism(Gaussian{2}).curve(); }

 private:
  Bounded divergence_of(double order, Direction) const override {
    return {share_ * rdp(*Mechanism(Gaussian{2}).curve(), order).upper(), 0};
  }
  double share_;
};

TEST(DominatedSteps, AreServedByTheirPair) {
  const Plan plan = Plan().add(CustomMechanism("as good as its pair", std::make_shared<Dominated>(1.0)), 5);
  const ExactInterval figure = PrivacyProfile(plan).epsilon(1e-5).worst;
  const ExactInterval pair = PrivacyProfile(Plan().add(Gaussian{2}, 5)).epsilon(1e-5).worst;
  EXPECT_NEAR(figure.upper, pair.upper, 1e-5);
  EXPECT_LT(figure.upper, renyi_epsilon(plan, 1e-5).upper);
}

// Orders that say more than the pair: their bound stands, and nothing is claimed from below.
TEST(DominatedSteps, AreCappedByTheirOrders) {
  const Plan plan = Plan().add(CustomMechanism("better than its pair", std::make_shared<Dominated>(0.1)), 5);
  const ExactInterval figure = PrivacyProfile(plan).epsilon(1e-5).worst;
  EXPECT_EQ(figure.upper, renyi_epsilon(plan, 1e-5).upper);
  EXPECT_EQ(figure.lower, 0);
}

TEST(InfiniteLoss, TheRunningAccountAgrees) {
  Accountant account;
  Plan plan;
  for (int i = 0; i < 3; ++i) {
    account.step(approx(0.2, 1e-7), 4);
    account.step(Gaussian{3});
    plan.add(approx(0.2, 1e-7), 4).add(Gaussian{3});
    EXPECT_EQ(exact_epsilon(account, 1e-5).worst.upper, PrivacyProfile(plan).epsilon(1e-5).worst.upper);
    EXPECT_EQ(renyi_epsilon(account, 1e-5).upper, renyi_epsilon(plan, 1e-5).upper);
    EXPECT_GT(renyi_epsilon(account, 1e-5).infinite_mass, 0);
  }
}

// The largest parallel part counts, and each part has its own infinite mass.
TEST(InfiniteLoss, ParallelPartsCountByTheLargest) {
  const Mechanism parts = Parallel({{Step{approx(0.5, 1e-6), 2}}, {Step{approx(1, 1e-8), 1}}});
  const Plan plan = Plan().add(parts);
  const ExactAnswer exact = PrivacyProfile(plan).delta(0.9);
  const double first = PrivacyProfile(Plan().add(approx(0.5, 1e-6), 2)).delta(0.9).worst.upper;
  const double second = PrivacyProfile(Plan().add(approx(1, 1e-8))).delta(0.9).worst.upper;
  EXPECT_EQ(exact.worst.upper, std::max(first, second));
  EXPECT_GE(renyi_delta(plan, 0.9).upper, exact.worst.upper);
  EXPECT_EQ(renyi_epsilon(plan, 1e-9).upper, infinity);
  EXPECT_LE(renyi_epsilon(plan, 1e-3).upper, 1);
}

// A part that costs nothing beside one whose loss is infinite in one direction only.
TEST(InfiniteLoss, ParallelPartsKeepTheMassOfEachDirection) {
  const Mechanism leaky = custom_pair("leaky", DistributionPair::discrete({0.7, 0.1, 0.2}, {0.5, 0.5, 0}));
  const Plan alone = Plan().add(leaky);
  const Plan beside = Plan().add(Parallel({{Step{leaky}}, {Step{PureDp{1e-9}}}}));
  EXPECT_EQ(compose(beside)->infinite_mass(Direction::add).upper(), 0);
  for (const double epsilon : {0.0, 0.5, 1.0, 1.5}) {
    const double expected = renyi_delta(alone, epsilon).upper;
    EXPECT_NEAR(renyi_delta(beside, epsilon).upper, expected, 1e-9) << epsilon;
    EXPECT_GE(renyi_delta(beside, epsilon).upper, PrivacyProfile(beside).delta(epsilon).worst.lower);
  }
  for (const double delta : {0.21, 0.3}) {
    EXPECT_NEAR(renyi_epsilon(beside, delta).upper, renyi_epsilon(alone, delta).upper, 1e-8) << delta;
  }
}

// Compares with the privacy loss distribution itself: in direction add, the odds of the true dataset always grow.
TEST(InfiniteLoss, BayesTailsAreThoseOfTheLoss) {
  const auto curve = custom_pair("leaky", DistributionPair::discrete({0.3, 0.5, 0.2}, {0.4, 0.6, 0})).curve();
  EXPECT_EQ(bayes_tail(*curve, 1).upper, 1);
  EXPECT_GE(bayes_tail(*curve, 1.19).upper, 1 - 1e-12);
  EXPECT_GE(bayes_tail(*curve, 1.3).upper, 0.4);
  EXPECT_GE(bayes_tail(*curve, 1.4).upper, 0.2);
  EXPECT_LT(bayes_tail(*curve, 1.4).upper, 0.21);
}

// The chance that the odds grow is at least that in either part, also where each law of the one lacks what the other
// part's does not.
TEST(InfiniteLoss, BayesTailsOfParallelPartsBoundThoseOfEach) {
  const Steps first{Step{custom_pair("first", DistributionPair::discrete({0.9, 0.1, 0}, {0.5, 0.4, 0.1}))}};
  const Steps second{Step{custom_pair("second", DistributionPair::discrete({0.3, 0.5, 0.2}, {0.4, 0.6, 0}))}};
  const auto both = compose(Plan().add(Parallel({first, second})));
  for (const double factor : {1.0, 1.2, 1.5, 1.8, 2.0, 5.0}) {
    for (const Steps& part : {first, second}) {
      EXPECT_GE(bayes_tail(*both, factor).upper, bayes_tail(*compose(Plan().add(part)), factor).upper) << factor;
    }
  }
}

// Two masses of which the sum is asked for: neither more nor less.
TEST(InfiniteLoss, DeltaPastTheMassIsSharpAtItsEdge) {
  const Plan plan = Plan().add(approx(1, 1e-3), 2);
  const double mass = 1 - 0.999 * 0.999;
  EXPECT_EQ(PrivacyProfile(plan).epsilon(mass * (1 - 1e-9)).worst.lower, infinity);
  const ExactInterval past = PrivacyProfile(plan).epsilon(mass * (1 + 1e-9)).worst;
  EXPECT_LE(past.upper, 2);
  EXPECT_GT(past.lower, 1.99);
}

// At a delta of one half nothing is below 0.
TEST(InfiniteLoss, EpsilonIsNeverNegative) {
  const Mechanism leaky = custom_pair("leaky", DistributionPair::discrete({0.3, 0.4, 0.3, 0}, {0, 0.3, 0.3, 0.4}));
  for (const double delta : {0.35, 0.45, 0.5, 0.7, 0.95}) {
    const ExactAnswer answer = PrivacyProfile(Plan().add(leaky)).epsilon(delta);
    EXPECT_GE(answer.worst.lower, 0) << delta;
    EXPECT_GE(renyi_epsilon(Plan().add(leaky), delta).upper, answer.worst.lower) << delta;
  }
  EXPECT_EQ(renyi_epsilon(Plan().add(Gaussian{10}), 0.5).upper, 0);
  EXPECT_EQ(renyi_epsilon(Plan().add(approx(0.1, 0.1)), 0.5).upper, 0);
}

}  // namespace
}  // namespace renyi::infinite_loss_test
