// Bounds at some orders.
#include "renyi/rdp.h"

#include <gtest/gtest.h>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/extras/custom.h"
#include "renyi/plan.h"
#include "support/expect.h"

namespace renyi::mechanism_rdp_test {
namespace {

using test::infinity;

Mechanism points(Rows rows) { return make_mechanism("rdp", {}, {{"points", std::move(rows)}}); }
double rdp_of(const Mechanism& mechanism, double order) { return rdp(*mechanism.curve(), order).upper(); }

// One point by its two numbers.
TEST(RdpPoints, OnePointIsAnOrderAndAnEpsilon) {
  const Mechanism one = make_mechanism("rdp", {{"order", 10}, {"epsilon", 0.1}});
  for (const double order : {1.0, 1.5, 9.0, 10.0}) EXPECT_NEAR(rdp_of(one, order), 0.1, 1e-15) << order;
  EXPECT_EQ(rdp_of(one, std::nextafter(10.0, 11.0)), infinity);
  const Mechanism row = points({{10, 0.1}});
  for (const double order : {1.0, 1.5, 9.0, 10.0, 11.0}) EXPECT_EQ(rdp_of(one, order), rdp_of(row, order)) << order;
  // K + ln(1/delta) of Canonne, Kamath, Steinke 2020, Proposition 12, at the only order that is best.
  const double z = 9, delta = 1e-5;
  const double expected = 100 * 0.1 + (std::log(1 / delta) - std::log1p(z)) / z - std::log1p(1 / z);
  EXPECT_NEAR(renyi_epsilon(Plan().add(one, 100), delta).upper, expected, 1e-13);
  // With a table its rows count as well.
  const Mechanism both = make_mechanism("rdp", {{"order", 10}, {"epsilon", 0.1}}, {{"points", {{20, 0.2}}}});
  const Mechanism rows = points({{10, 0.1}, {20, 0.2}});
  for (const double order : {2.0, 15.0, 20.0, 21.0}) EXPECT_EQ(rdp_of(both, order), rdp_of(rows, order)) << order;
}

TEST(RdpPoints, WhatLacksANumberIsRefused) {
  const auto refused_at = [](std::initializer_list<NamedNumber> numbers) {
    try {
      static_cast<void>(make_mechanism("rdp", numbers));
    } catch (const InvalidArgument& error) {
      return error.path();
    }
    return std::string();
  };
  EXPECT_EQ(refused_at({}), "order");
  EXPECT_EQ(refused_at({{"epsilon", 0.1}}), "order");
  EXPECT_EQ(refused_at({{"order", 10}}), "epsilon");
  EXPECT_EQ(refused_at({{"order", 1}, {"epsilon", 0.1}}), "order");
  EXPECT_EQ(refused_at({{"order", 10}, {"epsilon", -1}}), "epsilon");
  EXPECT_EQ(refused_at({{"order", infinity}, {"epsilon", 0.1}}), "order");
}

// The name of 0.7 and 0.8.
TEST(RdpPoints, TheNameInOldPlansIsRead) {
  const Plan old =
      read_plan(R"({"renyi":1,"steps":[{"mechanism":"rdp-points","points":[[2,0.1],[8,0.5]],"count":3}]})");
  const Plan now = Plan().add(points({{2, 0.1}, {8, 0.5}}), 3);
  EXPECT_EQ(old.merged().front().mechanism, now.merged().front().mechanism);
  EXPECT_EQ(write_plan(old), write_plan(now));
  EXPECT_EQ(
      write_plan(now),
      R"({"renyi":1,"neighbors":"add-or-remove-one","steps":[{"mechanism":"rdp","points":[[2,0.1],[8,0.5]],"count":3}]})");
  const Plan one = Plan().add(make_mechanism("rdp", {{"order", 10}, {"epsilon", 0.1}}));
  EXPECT_EQ(write_plan(read_plan(write_plan(one))), write_plan(one));
}

TEST(RdpPoints, ThePointsAreBounds) {
  const Mechanism three = points({{2, 0.1}, {8, 0.5}, {32, 3}});
  EXPECT_NEAR(rdp_of(three, 2), 0.1, 1e-15);
  EXPECT_NEAR(rdp_of(three, 8), 0.5, 1e-14);
  EXPECT_NEAR(rdp_of(three, 32), 3, 1e-13);
  EXPECT_GE(rdp_of(three, 8), 0.5);
  EXPECT_EQ(rdp_of(three, std::nextafter(32.0, 33.0)), infinity);
  EXPECT_EQ(rdp_of(three, infinity), infinity);
  EXPECT_THROW(PrivacyProfile(Plan().add(three)), Unsupported);
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
  EXPECT_NEAR(renyi_epsilon(Plan().add(pure, 2), 0).upper, 1.4, 1e-14);
}

// A table of a Gaussian at the traditional orders gives what those orders give.
TEST(RdpPoints, ATableServesAsWellAsItsBestOrder) {
  Rows rows;
  for (const double order : traditional_orders()) {
    if (std::isfinite(order)) rows.push_back({order, rdp(*Mechanism(Gaussian{1}).curve(), order).upper()});
  }
  const std::vector<double> orders(traditional_orders().begin(), traditional_orders().end());
  for (const double delta : {1e-9, 1e-5, 0.1}) {
    const Plan told = Plan().add(points(rows), 3), truth = Plan().add(Gaussian{1}, 3);
    const double best = renyi_epsilon(truth, delta, {Conversion::tight, orders}).upper;
    EXPECT_LE(renyi_epsilon(told, delta).upper, best * (1 + 1e-9));
    EXPECT_GE(renyi_epsilon(told, delta).upper, renyi_epsilon(truth, delta).upper * (1 - 1e-12));
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
  EXPECT_EQ(renyi_epsilon(Plan().add(points({{2, 0}}), 5), 1e-9).upper, 0);
  const Mechanism negative = custom_curve("negative", [](double) { return -1e-17; });
  EXPECT_THROW(renyi_epsilon(Plan().add(negative), 1e-5), InvalidArgument);
  try {
    points({{2, 1}, {3, -0.5}});
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.path(), "points[1][1]");
  }
}

}  // namespace
}  // namespace renyi::mechanism_rdp_test
