// The trade-off function against laws whose own is known.
#include "renyi/tradeoff.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>

#include "renyi/error.h"

namespace renyi::exact_tradeoff_test {
namespace {

using Law = boost::math::normal_distribution<long double>;

const std::vector<double> type_one_errors{1e-200, 1e-50, 1e-9, 1e-3, 0.05, 0.3, 0.5, 0.9, 1 - 1e-9};

// Both intervals contain the exact value, and one of the two is narrow.
void expect_holds(const LeastError& got, long double f, long double power, long double width) {
  EXPECT_LE(static_cast<long double>(got.type_two.lower), f * (1 + 1e-15L));
  EXPECT_GE(static_cast<long double>(got.type_two.upper), f * (1 - 1e-15L));
  EXPECT_LE(static_cast<long double>(got.power.lower), power * (1 + 1e-15L));
  EXPECT_GE(static_cast<long double>(got.power.upper), power * (1 - 1e-15L));
  const long double narrowest = std::min(got.type_two.upper - got.type_two.lower, got.power.upper - got.power.lower);
  EXPECT_LE(narrowest, width * std::min(f, power));
}

// G_mu(a) = Phi(Phi^-1(1-a) - mu).
TEST(Tradeoff, OfGaussians) {
  for (const double mu : {1e-6, 0.1, 1.0, 3.0, 8.0}) {
    for (const TradeoffPoint& point : tradeoff(Plan().add(Gdp{mu}), type_one_errors)) {
      SCOPED_TRACE(testing::Message() << "mu " << mu << ", a " << point.type_one);
      const long double place = quantile(complement(Law(), static_cast<long double>(point.type_one))) - mu;
      const long double f = cdf(Law(), place), power = cdf(complement(Law(), place));
      expect_holds(point.remove, f, power, 1.1e-6L);
      expect_holds(point.add, f, power, 1.1e-6L);
      expect_holds(point.worst, f, power, 1.1e-6L);
    }
  }
}

// The trade-off function of Lap(0) against Lap(e) has three pieces.
TEST(Tradeoff, OfLaplace) {
  const double scale = 0.75;
  const long double e = 1 / static_cast<long double>(scale), fall = std::exp(-e);
  for (const TradeoffPoint& point : tradeoff(Plan().add(Laplace{scale}), type_one_errors)) {
    SCOPED_TRACE(point.type_one);
    const long double a = point.type_one, middle = fall / (4 * a);
    if (a < fall / 2) expect_holds(point.worst, 1 - a / fall, a / fall, 1.1e-6L);
    if (a >= fall / 2 && a <= 0.5L) expect_holds(point.worst, middle, 1 - middle, 1.1e-6L);
    if (a > 0.5L) expect_holds(point.worst, fall * (1 - a), 1 - fall * (1 - a), 1.1e-6L);
  }
}

// The trade-off function of one epsilon-DP step consists of two straight lines.
TEST(Tradeoff, OfPureDpHasOneKink) {
  const long double grow = std::exp(0.75L);
  for (const TradeoffPoint& point : tradeoff(Plan().add(PureDp{0.75}), type_one_errors)) {
    SCOPED_TRACE(point.type_one);
    const long double a = point.type_one, late = (1 - a) / grow;
    const bool before_the_kink = a < 1 / (1 + grow);
    expect_holds(point.worst, before_the_kink ? 1 - grow * a : late, before_the_kink ? grow * a : 1 - late, 1.1e-6L);
  }
}

// Sampled Gaussian: null hypothesis N(0, s^2) against the mixture, both likelihood-ratio tests by
// their thresholds.
TEST(Tradeoff, DirectionsOfASampledGaussianAreInverse) {
  const double q = 0.2, s = 0.7;
  const Plan plan = Plan().add(SampledGaussian{q, s});
  for (const double x : {-1.5, 0.0, 0.4, 1.0, 2.0, 3.0}) {
    // Reject "without" above x: the record is there.
    const long double without = cdf(complement(Law(0, s), static_cast<long double>(x)));
    const long double with = q * cdf(complement(Law(1, s), static_cast<long double>(x))) + (1 - q) * without;
    const auto a = static_cast<double>(without), b = static_cast<double>(1 - with);
    SCOPED_TRACE(x);
    const auto points = tradeoff(plan, std::vector{a, b});
    expect_holds(points[0].remove, 1 - with, with, 2e-6L);
    expect_holds(points[1].add, without, 1 - without, 2e-6L);
    EXPECT_LE(points[0].worst.type_two.upper, points[0].remove.type_two.upper);
    EXPECT_LE(points[0].worst.type_two.upper, points[0].add.type_two.upper);
  }
}

TEST(Tradeoff, EndsAndBlindTests) {
  const std::vector<double> ends{0, 1};
  const auto points = tradeoff(Plan().add(Gaussian{1}), ends);
  EXPECT_EQ(points[0].worst.type_two.lower, 1);
  EXPECT_EQ(points[1].worst.type_two.upper, 0);
  EXPECT_EQ(points[1].worst.power.lower, 1);
  // Nothing revealed: f(a) = 1 - a.
  for (const TradeoffPoint& point : tradeoff(Plan().add(RandomizedResponse{0.5}, 7), type_one_errors)) {
    expect_holds(point.worst, 1 - static_cast<long double>(point.type_one), point.type_one, 1.1e-6L);
  }
}

// Steps without an end, and errors below what doubles resolve: sound if wide.
TEST(Tradeoff, ExtremesStaySound) {
  const std::vector<double> errors{std::numeric_limits<double>::denorm_min(), 1e-305, 0.5, 1 - 0x1p-53};
  for (const auto& plan : {Plan().add(Gaussian{0.05}, 1'000'000'000'000), Plan().add(Gdp{1e-100}), Plan().add(Gdp{30}),
                           Plan().add(PureDp{1e50})}) {
    for (const TradeoffPoint& point : tradeoff(plan, errors)) {
      const LeastError& worst = point.worst;
      EXPECT_GE(worst.type_two.lower, 0);
      EXPECT_LE(worst.type_two.lower, worst.type_two.upper);
      EXPECT_LE(worst.type_two.upper, 1);
      EXPECT_GE(worst.power.lower, point.type_one);
      EXPECT_LE(worst.power.lower, worst.power.upper);
      EXPECT_LE(worst.power.upper, 1);
    }
  }
}

TEST(Tradeoff, RefusesErrorsOutsideTheUnitInterval) {
  const Plan plan = Plan().add(Gaussian{1});
  for (const double bad : {-0.1, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(tradeoff(plan, std::vector{0.1, bad}), InvalidArgument);
  }
  EXPECT_THROW(tradeoff(Plan().add(Zcdp{0.1}), type_one_errors), Unsupported);
}

// max(1 - a - f(a)) = total variation, reached at the test of loss 0.
TEST(Advantage, IsTheTotalVariation) {
  const Plan plan = Plan().add(Gdp{1.2});
  const Interval got = advantage(plan);
  const long double truth = std::erf(1.2L / std::sqrt(8.0L));
  EXPECT_LE(static_cast<long double>(got.lower), truth);
  EXPECT_GE(static_cast<long double>(got.upper), truth);
  EXPECT_LE(got.upper - got.lower, 1e-14);
  const auto best = static_cast<double>(cdf(complement(Law(), 0.6L)));
  const TradeoffPoint at = tradeoff(plan, std::vector{best})[0];
  EXPECT_NEAR(1 - best - at.worst.type_two.upper, got.lower, 1e-6);
  for (const TradeoffPoint& point : tradeoff(plan, type_one_errors)) {
    EXPECT_LE(1 - point.type_one - point.worst.type_two.upper, got.upper);
  }
}

}  // namespace
}  // namespace renyi::exact_tradeoff_test
