// Bounds at some orders.
#include <gtest/gtest.h>

#include "renyi/account.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/own.h"
#include "support/expect.h"

namespace renyi::rdp_points_test {
namespace {

using test::infinity;

Mechanism points(Rows rows) { return make_mechanism("rdp-points", {}, {{"points", std::move(rows)}}); }
double rdp_of(const Mechanism& mechanism, double order) { return rdp(*mechanism.curve(), order).upper(); }

TEST(RdpPoints, ThePointsAreBounds) {
  const Mechanism three = points({{2, 0.1}, {8, 0.5}, {32, 3}});
  EXPECT_NEAR(rdp_of(three, 2), 0.1, 1e-15);
  EXPECT_NEAR(rdp_of(three, 8), 0.5, 1e-14);
  EXPECT_NEAR(rdp_of(three, 32), 3, 1e-13);
  EXPECT_GE(rdp_of(three, 8), 0.5);
  EXPECT_EQ(rdp_of(three, std::nextafter(32.0, 33.0)), infinity);
  EXPECT_EQ(rdp_of(three, infinity), infinity);
  EXPECT_THROW(ExactAccountant(Plan().add(three)), Unsupported);
}

// (a-1) D_a lies on the chord; below the first point it is a line from 0.
TEST(RdpPoints, BetweenThemTheLogMomentIsAChord) {
  const Mechanism two = points({{3, 0.4}, {7, 1}});
  EXPECT_NEAR(rdp_of(two, 1.5), 0.4, 1e-14);
  EXPECT_NEAR(rdp_of(two, 1), 0.4, 1e-14);
  EXPECT_NEAR(rdp_of(two, 5), (0.5 * 2 * 0.4 + 0.5 * 6 * 1) / 4, 1e-14);
}

// Order and repetition do not matter, and the best bound counts: divergences never fall with the order, and K is
// convex.
TEST(RdpPoints, WorseBoundsAreIgnored) {
  const Mechanism clean = points({{3, 0.4}, {7, 1}});
  const Mechanism noisy = points({{7, 1}, {5, 3}, {3, 0.4}, {2, 0.9}, {7, 1.5}, {3, 0.41}, {9, infinity}});
  for (const double order : {1.0, 1.3, 2.0, 3.0, 4.4, 5.0, 7.0}) EXPECT_EQ(rdp_of(noisy, order), rdp_of(clean, order));
  EXPECT_EQ(rdp_of(noisy, 8), infinity);
  // A lower bound at a higher order holds below it as well.
  EXPECT_NEAR(rdp_of(points({{2, 1}, {10, 0.5}}), 2), 0.5, 1e-14);
}

// D_inf bounds the slope of K.
TEST(RdpPoints, OrderInfinityEndsTheCurveWithALine) {
  const Mechanism bounded = points({{3, 0.4}, {infinity, 2}, {50, 1.99}});
  EXPECT_EQ(rdp_of(bounded, infinity), 2);
  EXPECT_NEAR(rdp_of(bounded, 11), (2 * 0.4 + 8 * 2) / 10, 1e-13);
  EXPECT_NEAR(rdp_of(bounded, 101), (2 * 0.4 + 98 * 2) / 100, 1e-13);
  const Mechanism pure = points({{infinity, 0.7}});
  EXPECT_NEAR(rdp_of(pure, 4), 0.7, 1e-14);
  EXPECT_NEAR(renyi_epsilon(Plan().add(pure, 2), 0).epsilon, 1.4, 1e-14);
}

// A table of a Gaussian at the traditional orders gives what those orders give.
TEST(RdpPoints, ATableServesAsWellAsItsBestOrder) {
  Rows rows;
  for (const double order : traditional_orders()) {
    if (std::isfinite(order)) rows.push_back({order, rdp(*Gaussian{1}.curve(), order).upper()});
  }
  const std::vector<double> orders(traditional_orders().begin(), traditional_orders().end());
  for (const double delta : {1e-9, 1e-5, 0.1}) {
    const Plan told = Plan().add(points(rows), 3), truth = Plan().add(Gaussian{1}, 3);
    const double best = renyi_epsilon(truth, delta, {Conversion::tight, orders}).epsilon;
    EXPECT_LE(renyi_epsilon(told, delta).epsilon, best * (1 + 1e-9));
    EXPECT_GE(renyi_epsilon(told, delta).epsilon, renyi_epsilon(truth, delta).epsilon * (1 - 1e-12));
  }
}

// A number that rounding made negative, or 0, is no perfect privacy.
TEST(RdpPoints, WhatCannotBeIsRefused) {
  EXPECT_THROW(points({{2, -1e-17}}), InvalidArgument);
  EXPECT_THROW(points({{2, 0}, {8, 0.5}}), InvalidArgument);
  EXPECT_THROW(points({{1, 0.1}}), InvalidArgument);
  EXPECT_THROW(points({{1e101, 0.1}}), InvalidArgument);
  EXPECT_THROW(points({{2, std::nan("")}}), InvalidArgument);
  EXPECT_THROW(points({{2, infinity}}), InvalidArgument);
  EXPECT_THROW(points({}), InvalidArgument);
  EXPECT_THROW(points({{2, 1, 1}}), InvalidArgument);
  EXPECT_EQ(renyi_epsilon(Plan().add(points({{2, 0}}), 5), 1e-9).epsilon, 0);
  const Mechanism negative = own_curve("negative", [](double) { return -1e-17; });
  EXPECT_THROW(renyi_epsilon(Plan().add(negative), 1e-5), InvalidArgument);
  try {
    points({{2, 1}, {3, -0.5}});
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.path(), "points[1][1]");
  }
}

}  // namespace
}  // namespace renyi::rdp_points_test
