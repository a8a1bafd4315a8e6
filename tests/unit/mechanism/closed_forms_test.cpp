// Each closed-form curve against its published formula, written out naively.
#include <gtest/gtest.h>

#include <cmath>

#include "renyi/rdp.h"
#include "support/expect.h"

namespace renyi::mechanism_closed_forms_test {
namespace {

constexpr double orders[] = {1.25, 1.5, 2, 3.75, 10, 40};
constexpr long double accuracy = 1e-13L;

void expect_divergence(const Mechanism& m, double order, long double truth) {
  SCOPED_TRACE(std::string(m.kind()) + " order " + std::to_string(order));
  for (const Direction direction : test::both_directions) {
    const Bounded d = divergence(*m.curve(), order, direction);
    EXPECT_NEAR(static_cast<double>(d.value / truth), 1, static_cast<double>(accuracy));
    EXPECT_LE(static_cast<long double>(d.lower()), truth * (1 + 1e-17L));
    EXPECT_GE(static_cast<long double>(d.upper()), truth * (1 - 1e-17L));
  }
}

TEST(GaussianCurve, IsLinearInTheOrder) {
  for (const double a : orders) {
    expect_divergence(Gaussian{2}, a, a / 8.0L);
    expect_divergence(Gaussian{6, 3}, a, a / 8.0L);
  }
  expect_divergence(Gaussian{2}, 1, 1 / 8.0L);
}

TEST(LaplaceCurve, IsThePublishedFormula) {
  for (const long double a : orders) {
    for (const long double b : {0.5L, 1.0L, 3.0L}) {
      const long double sum = a / (2 * a - 1) * std::exp((a - 1) / b) + (a - 1) / (2 * a - 1) * std::exp(-a / b);
      expect_divergence(Laplace{static_cast<double>(b)}, static_cast<double>(a), std::log(sum) / (a - 1));
    }
  }
  expect_divergence(Laplace{2}, 1, 0.5L + std::exp(-0.5L) - 1);
  expect_divergence(Laplace{2, 4}, 1, 2 + std::exp(-2.0L) - 1);
}

TEST(RandomizedResponseCurve, IsThePublishedFormula) {
  for (const long double a : orders) {
    for (const double p : {0.125, 0.5625, 0.75, 0.9375}) {
      for (const double k : {2.0, 3.0, 10.0}) {
        const long double r = (1 - static_cast<long double>(p)) / (k - 1);
        const long double sum = std::pow(p, a) * std::pow(r, 1 - a) + std::pow(r, a) * std::pow(p, 1 - a) + (k - 2) * r;
        expect_divergence(RandomizedResponse{p, k}, static_cast<double>(a), std::log(sum) / (a - 1));
        expect_divergence(RandomizedResponse{p, k}, 1, (p - r) * std::log(p / r));
      }
    }
  }
}

TEST(RandomizedResponseCurve, AFairCoinRevealsNothing) {
  EXPECT_EQ(rdp(*Mechanism(RandomizedResponse{0.5}).curve(), 7).upper(), 0);
  EXPECT_EQ(rdp(*Mechanism(RandomizedResponse{0.25, 4}).curve(), 7).upper(), 0);
}

// p may lie below 1/2: saying the opposite is as telling as saying the truth.
TEST(RandomizedResponseCurve, ALiarIsAsTellingAsATruthTeller) {
  test::expect_overlap(rdp(*Mechanism(RandomizedResponse{0.125}).curve(), 3),
                       rdp(*Mechanism(RandomizedResponse{0.875}).curve(), 3));
}

TEST(PureDpCurve, IsThePublishedFormula) {
  for (const long double a : orders) {
    for (const long double e : {0.125L, 1.0L, 3.0L}) {
      const long double ratio = (std::sinh(a * e) - std::sinh((a - 1) * e)) / std::sinh(e);
      expect_divergence(PureDp{static_cast<double>(e)}, static_cast<double>(a), std::log(ratio) / (a - 1));
    }
  }
  EXPECT_EQ(rdp(*Mechanism(PureDp{0}).curve(), 5).upper(), 0);
  EXPECT_NEAR(rdp(*Mechanism(PureDp{3}).curve(), test::infinity).value, 3, 1e-14);
}

TEST(PureDpCurve, LiesBelowHalfTheSquare) {
  for (const double a : orders) EXPECT_LE(rdp(*Mechanism(PureDp{0.5}).curve(), a).lower(), a * 0.125);
}

TEST(Curve, RefusesPointsLeftOfZero) {
  const auto curve = Mechanism(Gaussian{1}).curve();
  EXPECT_THROW(curve->log_moment(-0.5, Direction::remove), std::exception);
  EXPECT_THROW(curve->log_moment(test::infinity, Direction::remove), std::exception);
  EXPECT_THROW(curve->log_moment(std::complex<double>(-1, 2), Direction::add), std::exception);
  EXPECT_THROW(curve->worst_log_moment(std::nan("")), std::exception);
}

// ln(p/r) for tiny p and r, where the difference of two logarithms would cancel.
TEST(RandomizedResponse, LargestLossOfManyCategories) {
  const Bounded loss =
      Mechanism(RandomizedResponse{7.0930966789069636e-15, 298118398292718}).curve()->max_loss(Direction::remove);
  EXPECT_LE(loss.lower(), 0.74885745063650688);
  EXPECT_GE(loss.upper(), 0.74885745063650688);
}

}  // namespace
}  // namespace renyi::mechanism_closed_forms_test
