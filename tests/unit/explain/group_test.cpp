#include <gtest/gtest.h>

#include <cmath>

#include "conversion/renyi_bound.h"
#include "explain/promises.h"
#include "renyi/error.h"
#include "renyi/explain.h"
#include "renyi/extras/group_privacy.h"
#include "support/expect.h"

namespace renyi::group_test {
namespace {

using test::infinity;

// (a, rho a) becomes (a/2^c, 3^c rho a): 6^c rho a' at the group's order a'. The truth is 4^c rho a'.
TEST(GroupPrivacy, GaussianCostsSixForEachDoubling) {
  const double rho = 0.02;
  const auto one = Mechanism(Gaussian{.stddev = 5}).curve();
  for (const int c : {1, 2, 5}) {
    const auto group = group_privacy(one, c);
    for (const double order : {2.0, 3.5, 100.0}) {
      const double got = rdp(*group, order).upper();
      EXPECT_NEAR(got / (std::pow(6, c) * rho * order), 1, 1e-12) << order;
      EXPECT_GT(got, std::pow(4, c) * rho * order);
    }
  }
}

// The condition is a >= 2^(c+1), so the group has no order below 2 of its own.
TEST(GroupPrivacy, BelowOrderTwoTheValueAtTwoServes) {
  const auto group = group_privacy(Mechanism(Gaussian{.stddev = 5}).curve(), 2);
  const double at_two = rdp(*group, 2).upper();
  EXPECT_NEAR(at_two, 9 * 0.02 * 8, 1e-12);
  for (const double order : {1.0, 1.001, 1.5, 1.999}) EXPECT_NEAR(rdp(*group, order).upper(), at_two, 1e-12) << order;
}

TEST(GroupPrivacy, SlopeAndCurvatureAreTheDerivatives) {
  const auto group = group_privacy(Mechanism(SampledGaussian{0.1, 2}).curve(), 1);
  for (const double z : {0.3, 1.2, 4.0, 30.0}) {
    const double h = 1e-4 * z;
    const auto k = [&](double x) { return group->worst_log_moment(x).value; };
    const LogMoment at = group->worst_log_moment(z);
    EXPECT_NEAR(at.slope / ((k(z + h) - k(z - h)) / (2 * h)), 1, 1e-6) << z;
    if (z > 1) {
      EXPECT_NEAR(at.curvature / ((k(z + h) - 2 * k(z) + k(z - h)) / (h * h)), 1, 1e-3) << z;
    }
  }
}

TEST(GroupPrivacy, PureEpsilonsAdd) {
  EXPECT_NEAR(group_privacy(Mechanism(PureDp{.epsilon = 0.5}).curve(), 3)->worst_max_loss().upper(), 4, 1e-12);
  EXPECT_EQ(group_privacy(Mechanism(Gaussian{1}).curve(), 3)->worst_max_loss().upper(), infinity);
}

// For noise of a known law a group is a larger sensitivity: exact, so never above the general bound.
TEST(GroupPrivacy, HoldsForShiftsOfKnownNoise) {
  for (const int c : {1, 2, 3}) {
    const double size = std::ldexp(1, c);
    for (const double order : {1.0, 1.3, 2.0, 7.0, 1e3, infinity}) {
      EXPECT_GE(rdp(*group_privacy(Mechanism(Laplace{.scale = 20}).curve(), c), order).upper() * (1 + 1e-12),
                rdp(*Mechanism(Laplace{20, size}).curve(), order).lower());
      EXPECT_GE(rdp(*group_privacy(Mechanism(Gaussian{.stddev = 3}).curve(), c), order).upper(),
                rdp(*Mechanism(Gaussian{3, size}).curve(), order).lower());
    }
  }
}

// The search finds the best order although the curve bends at order 2.
TEST(GroupPrivacy, EpsilonIsTheBestOverAllOrders) {
  for (const Mechanism& m : {Mechanism(Gaussian{.stddev = 4}), Mechanism(Gaussian{.stddev = 0.5}),
                             Mechanism(Laplace{.scale = 20}), Mechanism(SampledGaussian{0.01, 1.1})}) {
    for (const int c : {1, 3, 10, 30}) {
      const auto group = group_privacy(compose(Plan().add(m, 10)), c);
      const double epsilon = renyi_epsilon(*group, 1e-6).upper;
      double best = infinity;
      for (double z = 1e-6; z < 1e15; z *= 1.01) {
        best = std::min(best, renyi_epsilon(*group, 1e-6, {.orders = std::vector<double>{1 + z}}).upper);
      }
      EXPECT_LE(epsilon, best * (1 + 1e-9)) << m.kind() << ' ' << c;
    }
  }
}

TEST(GroupPrivacy, RefusesComplexOrdersAndAbsurdGroups) {
  const auto group = group_privacy(Mechanism(Gaussian{1}).curve(), 1);
  EXPECT_THROW(group->log_moment(std::complex<double>(1, 1), Direction::remove), Unsupported);
  EXPECT_THROW(group_privacy(Mechanism(Gaussian{1}).curve(), -1), InvalidArgument);
  EXPECT_THROW(group_privacy(Mechanism(Gaussian{1}).curve(), most_doublings + 1), InvalidArgument);
  EXPECT_NEAR(rdp(*group_privacy(Mechanism(Gaussian{1}).curve(), 0), 2).upper(), 1, 1e-12);
}

TEST(GroupPrivacy, StaysFiniteOrInfiniteAtTheEdges) {
  const auto group = group_privacy(Mechanism(Gaussian{.stddev = 1e-50}).curve(), most_doublings);
  for (const double z : {0.0, 1.0, 1e50, 1e95, largest_order}) {
    const LogMoment k = group->worst_log_moment(z);
    EXPECT_FALSE(std::isnan(k.value) || std::isnan(k.error) || std::isnan(k.slope) || std::isnan(k.slope_error)) << z;
  }
  EXPECT_GT(renyi_epsilon(*group, 1e-6).upper, 1e90);
}

TEST(ScaledToGroup, ScalesWhatOneRecordCanDo) {
  const Plan plan = Plan().add(Gaussian{3, 0.5}, 7).add(Laplace{.scale = 2}).add(PureDp{.epsilon = 0.25});
  const auto larger = scaled_to_group(plan, 6);
  ASSERT_TRUE(larger);
  const Plan expected = Plan().add(Gaussian{3, 3}, 7).add(Laplace{2, 6}).add(PureDp{.epsilon = 1.5});
  EXPECT_NEAR(renyi_epsilon(*larger, 1e-5).upper / renyi_epsilon(expected, 1e-5).upper, 1, 1e-12);
}

TEST(ScaledToGroup, IsNothingWhereThatIsNotKnown) {
  EXPECT_FALSE(scaled_to_group(Plan().add(Moments{8, 1}), 2));
  EXPECT_FALSE(scaled_to_group(Plan().add(Gaussian{1}).add(Cdp{0.1, 0.5}), 2));
  EXPECT_FALSE(scaled_to_group(Plan().add(Gaussian{1e50, 1e50}), 2));
}

// A step known up to a last order below 2^(c+1) says nothing of the group: infinite, no failure.
TEST(GroupPrivacy, NothingIsProvedBeyondTheLastOrder) {
  for (const Mechanism& m : {Mechanism(Tcdp{0.1, 3}), Mechanism(Moments{2, 0.5})}) {
    const auto group = group_privacy(m.curve(), 1);
    EXPECT_TRUE(std::isinf(rdp(*group, 1.5).upper())) << m.kind();
    EXPECT_TRUE(std::isinf(renyi_epsilon(*group, 1e-5).upper)) << m.kind();
    EXPECT_EQ(renyi_delta(*group, 1).upper, 1) << m.kind();
  }
  const auto enough = group_privacy(Mechanism(Tcdp{0.1, 4}).curve(), 1);
  EXPECT_NEAR(rdp(*enough, 2).upper(), 3 * 0.1 * 4, 1e-12);
  EXPECT_TRUE(std::isfinite(renyi_epsilon(*enough, 1e-5).upper));
}

}  // namespace
}  // namespace renyi::group_test
