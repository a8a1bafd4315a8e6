// (epsilon, delta) from Gaussian and pure curves, whose answers are known by hand.
#include "conversion/renyi_bound.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "renyi/error.h"
#include "renyi/rdp.h"
#include "support/expect.h"

namespace renyi::renyi_bound_test {
namespace {

// rho = 1/2: classical epsilon = rho + 2 sqrt(rho ln(1/delta)) at z = sqrt(ln(1/delta)/rho).
TEST(RenyiEpsilon, ClassicalGaussianByHand) {
  const double log_term = std::log(1e5);
  const RenyiBound bound = renyi_epsilon(*Mechanism(Gaussian{1}).curve(), 1e-5, {Conversion::classical, {}});
  EXPECT_NEAR(bound.upper, 0.5 + 2 * std::sqrt(0.5 * log_term), 1e-9);
  EXPECT_NEAR(bound.order, 1 + std::sqrt(2 * log_term), 1e-3);
  EXPECT_EQ(bound.conversion, Conversion::classical);
}

TEST(RenyiDelta, ClassicalGaussianByHand) {
  // min over z of z(z+1)/2 - 3 z: z = 5/2, ln delta = -25/8
  const RenyiBound bound = renyi_delta(*Mechanism(Gaussian{1}).curve(), 3, {Conversion::classical, {}});
  EXPECT_NEAR(std::log(bound.upper), -25.0 / 8, 1e-9);
  EXPECT_NEAR(bound.order, 3.5, 1e-3);
}

TEST(RenyiEpsilon, TightFormulaAtOneOrder) {
  const double a = 4, r = a / 2, delta = 1e-6;
  const RenyiBound bound = renyi_epsilon(*Mechanism(Gaussian{1}).curve(), delta, {Conversion::tight, {{a}}});
  EXPECT_NEAR(bound.upper, r + std::log((a - 1) / a) - (std::log(delta) + std::log(a)) / (a - 1), 1e-13);
  EXPECT_EQ(bound.order, a);
  EXPECT_EQ(bound.conversion, Conversion::tight);
}

TEST(RenyiDelta, TightFormulaAtOneOrder) {
  const double a = 4, r = a / 2, epsilon = 6;
  const RenyiBound bound = renyi_delta(*Mechanism(Gaussian{1}).curve(), epsilon, {Conversion::tight, {{a}}});
  EXPECT_NEAR(bound.upper / (std::exp((a - 1) * (r - epsilon)) * std::pow(1 - 1 / a, a - 1) / a), 1, 1e-12);
}

TEST(RenyiEpsilon, ClassicalFormulaAtOneOrder) {
  const RenyiBound bound = renyi_epsilon(*Mechanism(Gaussian{1}).curve(), 1e-6, {Conversion::classical, {{8.0}}});
  EXPECT_NEAR(bound.upper, 4 + std::log(1e6) / 7, 1e-13);
}

// The continuous optimum against a fine grid around it.
TEST(RenyiEpsilon, AllOrdersAreAsGoodAsAFineGrid) {
  const auto curve = compose(Plan().add(SampledGaussian{0.01, 1.1}, 10'000));
  const RenyiBound best = renyi_epsilon(*curve, 1e-5);
  std::vector<double> grid;
  for (double order = 2; order < 40; order *= 1.0005) grid.push_back(order);
  const RenyiBound on_grid = renyi_epsilon(*curve, 1e-5, {Conversion::tight, grid});
  EXPECT_LE(best.upper, on_grid.upper * (1 + 1e-12));
  EXPECT_NEAR(best.upper, on_grid.upper, 1e-6);
  EXPECT_NEAR(best.order, on_grid.order, 0.05);
  // Sound: above the exact epsilon, 5.192583445883, and not far.
  EXPECT_GT(best.upper, 5.192583445883);
  EXPECT_LT(best.upper, 5.9);
}

TEST(RenyiEpsilon, DeltaZeroAsksForTheLargestLoss) {
  EXPECT_EQ(renyi_epsilon(*Mechanism(Gaussian{1}).curve(), 0).upper, test::infinity);
  const RenyiBound pure = renyi_epsilon(*Mechanism(PureDp{2}).curve(), 0);
  EXPECT_NEAR(pure.upper, 2, 1e-14);
  EXPECT_GE(pure.upper, 2);
  EXPECT_EQ(pure.order, test::infinity);
  EXPECT_EQ(pure.conversion, Conversion::pure);
}

TEST(RenyiEpsilon, DeltaOneIsFree) { EXPECT_EQ(renyi_epsilon(*Mechanism(Gaussian{0.01}).curve(), 1).upper, 0); }

// sqrt(1 - exp(-D_1)) with D_1 = 1/2.
TEST(RenyiEpsilon, LargeDeltasAreTotalVariations) {
  const double total = std::sqrt(-std::expm1(-0.5));
  const RenyiBound above = renyi_epsilon(*Mechanism(Gaussian{1}).curve(), total * (1 + 1e-9));
  EXPECT_EQ(above.upper, 0);
  EXPECT_EQ(above.conversion, Conversion::total_variation);
  EXPECT_EQ(above.order, 1);
  EXPECT_EQ(renyi_epsilon(*Mechanism(Gaussian{1}).curve(), total * (1 - 1e-9)).conversion, Conversion::tight);
  const RenyiBound at_zero = renyi_delta(*Mechanism(Gaussian{0.3}).curve(), 0);
  EXPECT_LE(at_zero.upper, std::sqrt(-std::expm1(-0.5 / 0.09)) * (1 + 1e-12));
}

TEST(RenyiDelta, BeyondTheLargestLossNothingIsLeft) {
  const RenyiBound bound = renyi_delta(*Mechanism(PureDp{2}).curve(), 2.0000001);
  EXPECT_EQ(bound.upper, 0);
  EXPECT_EQ(bound.conversion, Conversion::pure);
  EXPECT_GT(renyi_delta(*Mechanism(PureDp{2}).curve(), 1.9999).upper, 0);
  EXPECT_EQ(renyi_delta(*Mechanism(Gaussian{1}).curve(), test::infinity).upper, 0);
}

TEST(RenyiDelta, NeverClaimsZeroForUnboundedLosses) {
  EXPECT_GT(renyi_delta(*Mechanism(Gaussian{1}).curve(), 1e6).upper, 0);
}

TEST(RenyiEpsilon, GridsMayHoldInfinityOnly) {
  EXPECT_NEAR(renyi_epsilon(*Mechanism(PureDp{2}).curve(), 1e-5, {Conversion::tight, {{test::infinity}}}).upper, 2,
              1e-13);
  EXPECT_EQ(renyi_delta(*Mechanism(PureDp{2}).curve(), 1, {Conversion::tight, {{test::infinity}}}).upper, 1);
}

TEST(TraditionalOrders, AreTheFirstAccountants) {
  const std::vector<double> orders(traditional_orders().begin(), traditional_orders().end());
  EXPECT_EQ(orders, (std::vector<double>{1.5, 1.75, 2, 2.5, 3, 4, 5, 6, 8, 16, 32, 64, test::infinity}));
}

TEST(Conversion, RefusesWhatIsOutOfRange) {
  const auto curve = Mechanism(Gaussian{1}).curve();
  for (const double delta : {-1e-9, 1.0000001, std::nan("")})
    EXPECT_THROW(renyi_epsilon(*curve, delta), InvalidArgument);
  for (const double epsilon : {-1e-9, std::nan("")}) EXPECT_THROW(renyi_delta(*curve, epsilon), InvalidArgument);
  EXPECT_THROW(renyi_epsilon(*curve, 0.1, {Conversion::tight, std::vector<double>{}}), InvalidArgument);
  EXPECT_THROW(renyi_epsilon(*curve, 0.1, {Conversion::tight, {{1.0}}}), InvalidArgument);
  EXPECT_THROW(renyi_epsilon(*curve, 0.1, {Conversion::pure, {}}), InvalidArgument);
}

TEST(Conversion, HasNames) {
  EXPECT_EQ(to_string(Conversion::tight), "tight");
  EXPECT_EQ(to_string(Conversion::classical), "classical");
  EXPECT_EQ(to_string(Conversion::pure), "pure");
  EXPECT_EQ(to_string(Conversion::total_variation), "total-variation");
}

// A curve value that overflowed once came out as epsilon 0.
TEST(RenyiEpsilon, HugeOrdersNeverPassForPrivacy) {
  const auto curve = Mechanism(SampledGaussian{0.01, 1.1}).curve();
  const double at_eight = renyi_epsilon(*curve, 1e-5, {Conversion::tight, {{8}}}).upper;
  EXPECT_EQ(renyi_epsilon(*curve, 1e-5, {Conversion::tight, {{8, 1e12, 1e40, 1e100}}}).upper, at_eight);
  for (const double order : {1e20, 1e100}) {
    EXPECT_GT(renyi_epsilon(*curve, 1e-5, {Conversion::tight, {{order}}}).upper, 1e18) << order;
  }
  EXPECT_THROW(renyi_epsilon(*curve, 1e-5, {Conversion::tight, {{8, 1e101}}}), InvalidArgument);
  EXPECT_THROW(rdp(*curve, 1e160), InvalidArgument);
}

double least_on_dense_grid(const Plan& plan, double delta, Conversion conversion) {
  std::vector<double> orders;
  for (double z = 1e-3; z < 1e6; z *= 1.01) orders.push_back(1 + z);
  return renyi_epsilon(plan, delta, {conversion, orders}).upper;
}

// Newton's steps from the left and jumps from the right once cycled here.
TEST(RenyiEpsilon, TheSearchDoesNotCycle) {
  Plan plan;
  plan.add(Laplace{0.6373433566809854}, 5).add(SampledGaussian{0.0020521304220391156, 3.1351705861674324}, 239023);
  for (const double delta : {2.3559435138268321e-14, 2e-14, 1e-14}) {
    EXPECT_LE(renyi_epsilon(plan, delta).upper, least_on_dense_grid(plan, delta, Conversion::tight)) << delta;
  }
}

// Far out z K' - K is lost in rounding; the search once took that for "further right".
TEST(RenyiEpsilon, TheSearchComesBackFromWhereNothingIsKnown) {
  Plan plan;
  plan.add(PureDp{0.061523558534484719}, 78).add(PureDp{2.0845607709144056e-06}, 342797);
  for (const Conversion conversion : {Conversion::tight, Conversion::classical}) {
    const double delta = 1.7224450798743519e-53;
    EXPECT_LE(renyi_epsilon(plan, delta, {conversion, {}}).upper, least_on_dense_grid(plan, delta, conversion));
  }
}

// Products with epsilon must not overflow: delta is long out of the range of doubles there.
TEST(RenyiDelta, HugeEpsilonsAreServed) {
  for (const double epsilon : {1e200, 1e208, 1e300}) {
    for (const Mechanism& m : {Mechanism(Gaussian{1}), Mechanism(SampledGaussian{0.01, 1})}) {
      const double delta = renyi_delta(Plan().add(m), epsilon).upper;
      EXPECT_GT(delta, 0) << epsilon;
      EXPECT_LT(delta, 1e-300) << epsilon;
    }
  }
}

}  // namespace
}  // namespace renyi::renyi_bound_test
