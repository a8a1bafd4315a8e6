// Densities given as functions: shapes with known divergences, and every way to fail.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "renyi/error.h"
#include "renyi/extras/divergence.h"
#include "support/expect.h"

namespace renyi::model_test {
namespace {

using Density = std::function<double(double)>;
using test::infinity;

Density normal(double mean, double stddev) {
  return [=](double x) {
    const double t = (x - mean) / stddev;
    return -t * t / 2 - std::log(stddev) - 0.5 * std::log(2 * M_PI);
  };
}
Density cauchy(double location) {
  return [=](double x) { return -std::log1p((x - location) * (x - location)) - std::log(M_PI); };
}
Density exponential(double rate) {
  return [=](double x) { return x < 0 ? -infinity : std::log(rate) - rate * x; };
}
Density uniform(double low, double high) {
  return [=](double x) { return x < low || x > high ? -infinity : -std::log(high - low); };
}
// x^(a-1) (1-x)^(b-1)
Density beta(double a, double b) {
  const double scale = std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b);
  return [=](double x) { return (a - 1) * std::log(x) + (b - 1) * std::log1p(-x) - scale; };
}
Density mixture(const Density& f, const Density& g, double weight) {
  return [=](double x) {
    const double a = f(x) + std::log(1 - weight), b = g(x) + std::log(weight);
    return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
  };
}

DistributionPair pair_of(const Density& p, const Density& q) {
  return DistributionPair::densities({.log_p = p, .log_q = q});
}
DistributionPair on_unit_interval(const Density& p, const Density& q) {
  return DistributionPair::densities({.log_p = p, .log_q = q, .lower = 0, .upper = 1});
}

void expect_within(const Bounded& got, double truth, double accuracy = 1e-12) {
  test::expect_sane(got);
  EXPECT_NEAR(got.value, truth, got.error + 4e-16 * truth);
  EXPECT_LE(got.error, accuracy * std::max(truth, 1e-3));
}

TEST(Densities, HeavyTails) {
  // Two Cauchy laws 1 apart: KL = ln(1 + 1/4).
  const auto pair = pair_of(cauchy(0), cauchy(1));
  expect_within(kl_divergence(pair), std::log(1.25));
  expect_within(total_variation(pair), 2 * std::atan(0.5) / M_PI);
  // Against direct integration with 40 digits.
  const auto light_first = pair_of(normal(0, 1), cauchy(0));
  expect_within(kl_divergence(light_first), 0.25924453248886226362, 1e-9);
  expect_within(renyi_divergence(light_first, 0.5), 0.22961274658681584397, 1e-9);
  expect_within(renyi_divergence(light_first, 2), 0.28468287047291915963, 1e-9);
}

TEST(Densities, InfinityIsRecognised) {
  for (const double order : {1.0, 1.5, 8.0}) {
    EXPECT_EQ(renyi_divergence(pair_of(cauchy(0), normal(0, 1)), order).lower(), infinity) << order;
    EXPECT_EQ(renyi_divergence(pair_of(uniform(0, 2), uniform(0, 1)), order).lower(), infinity) << order;
  }
  // Normal laws of spreads 2 and 1: infinite exactly from order 4/3 on; exponential ones of rates 1 and 2: from 2 on.
  const auto wide_first = pair_of(normal(1, 2), normal(0, 1));
  EXPECT_TRUE(std::isfinite(renyi_divergence(wide_first, 1.33).upper()));
  for (const double order : {1.34, 4.0, 50.0})
    EXPECT_EQ(renyi_divergence(wide_first, order).lower(), infinity) << order;
  const auto slow_first = pair_of(exponential(1), exponential(2));
  expect_within(renyi_divergence(slow_first, 1.5), 2 * std::log(std::sqrt(0.5) / 0.5), 1e-12);
  for (const double order : {2.0, 3.0}) EXPECT_EQ(renyi_divergence(slow_first, order).lower(), infinity) << order;
  // At an end of the interval: the integrand of order 3 is like 1/x there.
  const auto at_the_end = on_unit_interval(beta(2, 3), beta(3, 2));
  EXPECT_TRUE(std::isfinite(renyi_divergence(at_the_end, 2.9).upper()));
  EXPECT_EQ(renyi_divergence(at_the_end, 3).lower(), infinity);
  EXPECT_EQ(renyi_divergence(pair_of(uniform(0, 1), uniform(2, 3)), 0.5).lower(), infinity);
}

// Next to a high peak of the tilted density P's lone mass is far below it, and still decides.
TEST(Densities, LoneMassCountsHoweverHighThePeak) {
  const auto half_normal = [](double x) {
    return x > -1 ? normal(0, 1)(x) - std::log(0.84134474606854293) : -infinity;
  };
  for (const double order : {2.0, 20.0, 100.0}) {
    EXPECT_EQ(renyi_divergence(pair_of(normal(3, 1), half_normal), order).lower(), infinity) << order;
  }
  const auto late = [](double x) { return exponential(0.15)(x - 0.1); };
  for (const double order : {2.0, 400.0, 1000.0}) {
    EXPECT_EQ(renyi_divergence(pair_of(exponential(8), late), order).lower(), infinity) << order;
  }
}

TEST(Densities, ASupportThatEndsIsNoTailThatRises) {
  const Density triangle = [](double x) { return std::abs(x) < 1 ? std::log1p(-std::abs(x)) : -infinity; };
  expect_within(renyi_divergence(pair_of(triangle, triangle), 2), 0);
  const double mass = std::erf(std::sqrt(0.5));
  const Density cut = [&](double x) { return std::abs(x) < 1 ? normal(0, 1)(x) - std::log(mass) : -infinity; };
  for (const double order : {1.0, 2.0, 10.0}) {
    expect_within(renyi_divergence(pair_of(cut, normal(0, 1)), order), -std::log(mass));
    EXPECT_EQ(renyi_divergence(pair_of(normal(0, 1), cut), order).lower(), infinity) << order;
  }
  const auto named =
      DistributionPair::densities({.log_p = uniform(1, 4), .log_q = uniform(0, 4.001), .points = {0, 1, 4, 4.001}});
  expect_within(renyi_divergence(named, 2), std::log(4.001 / 3));
}

// Only the quadrature meets P's short support: below order 1 that is no infinite distance.
TEST(Densities, AShortSupportThatTheScanMissed) {
  const auto pair = pair_of(uniform(-5.199451528299505, -5.145849763551976), uniform(-5.247407635540093, -1.44));
  for (const double order : {0.3, 0.6}) {
    expect_within(renyi_divergence(pair, order),
                  std::log((5.247407635540093 - 1.44) / (5.199451528299505 - 5.145849763551976)), 1e-10);
  }
}

TEST(Densities, EdgesAndHalfLines) {
  const auto uniforms = pair_of(uniform(0, 1), uniform(0, 2));
  for (const double order : {0.25, 0.5, 1.0, 2.0, 20.0}) expect_within(renyi_divergence(uniforms, order), std::log(2));
  expect_within(hockey_stick(uniforms.swapped(), infinity), 0.5);
  expect_within(renyi_divergence(uniforms.swapped(), 0.5), std::log(2));
  const auto exponentials = pair_of(exponential(2), exponential(1));
  expect_within(kl_divergence(exponentials), std::log(2) - 0.5);
  expect_within(renyi_divergence(exponentials, 2), std::log(4.0 / 3));
  expect_within(total_variation(exponentials), 0.25);
}

TEST(Densities, FiniteIntervals) {
  const auto pair = on_unit_interval(beta(2, 3), beta(3, 2));
  expect_within(kl_divergence(pair), 0.5);
  expect_within(renyi_divergence(pair, 2), std::log(3));
  expect_within(total_variation(pair), 0.375);
  // Poles at both ends; the one at 1 is beyond double's resolution, and the error says so.
  const auto poles = on_unit_interval(beta(0.5, 0.5), beta(1, 1));
  const Bounded kl = kl_divergence(poles);
  EXPECT_NEAR(kl.value, std::log(4 / M_PI), kl.error);
  EXPECT_LE(kl.error, 3e-6);
}

TEST(Densities, SeparatePeaksAreFound) {
  const auto pair = pair_of(mixture(normal(100, 1), normal(140, 1), 0.3), mixture(normal(100, 1), normal(140, 1), 0.5));
  expect_within(kl_divergence(pair), 0.7 * std::log(1.4) + 0.3 * std::log(0.6));
  expect_within(renyi_divergence(pair, 2), std::log(2 * (0.49 + 0.09)));
}

TEST(Densities, ANarrowPeakThatNothingPointsToIsNamedOrMissed) {
  const auto p = uniform(5.1, 5.2), q = uniform(5.1, 5.3);
  try {
    pair_of(p, q);
    ADD_FAILURE() << "found it";
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.path(), "log_p");
    EXPECT_NE(std::string(error.what()).find("integrates to 0,"), std::string::npos) << error.what();
  }
  expect_within(kl_divergence(DistributionPair::densities({.log_p = p, .log_q = q, .points = {5.15}})), std::log(2));
}

TEST(Densities, TinyDivergencesKeepTheirRelativeAccuracy) {
  const auto pair = pair_of(normal(0, 1), normal(1e-6, 1));
  for (const double order : {0.25, 0.5, 1.0, 2.0, 20.0}) {
    const Bounded got = renyi_divergence(pair, order);
    EXPECT_NEAR(got.value, order * 5e-13, got.error);
    EXPECT_LE(got.error, 1e-7 * got.value);
  }
  const auto same = pair_of(normal(0, 1), normal(0, 1));
  EXPECT_LT(renyi_divergence(same, 2).upper(), 1e-25);
}

TEST(Densities, LawsFarApart) {
  const auto pair = pair_of(normal(0, 1), normal(60, 1));
  for (const double order : {0.25, 0.5, 1.0, 2.0}) expect_within(renyi_divergence(pair, order), 1800 * order);
  expect_within(total_variation(pair), 1);
}

TEST(Densities, OrderInfinityIsUnsupported) {
  EXPECT_THROW(renyi_divergence(pair_of(normal(0, 1), normal(1, 1)), infinity), Unsupported);
}

TEST(Densities, OrdersBeyondTheArithmeticAreNotConvergedAndNeverInfinite) {
  for (const double order : {1e6, 1e9, 1e12, 1e100}) {
    EXPECT_THROW(renyi_divergence(pair_of(normal(0, 1), normal(1, 1)), order), NotConverged) << order;
  }
}

TEST(Densities, RefusesWhatIsNoPair) {
  const auto path = [](LogDensities densities) {
    try {
      DistributionPair::densities(std::move(densities));
    } catch (const InvalidArgument& error) {
      return error.path();
    }
    return std::string("nothing thrown");
  };
  const Density good = normal(0, 1);
  EXPECT_EQ(path({.log_p = {}, .log_q = good}), "log_p");
  EXPECT_EQ(path({.log_p = good, .log_q = {}}), "log_q");
  EXPECT_EQ(path({.log_p = good, .log_q = good, .lower = 1, .upper = 1}), "lower");
  EXPECT_EQ(path({.log_p = good, .log_q = good, .points = {NAN}}), "points");
  EXPECT_EQ(path({.log_p = good, .log_q = [](double x) { return -x * x; }}), "log_q");        // sqrt(pi)
  EXPECT_EQ(path({.log_p = [](double x) { return std::sqrt(x); }, .log_q = good}), "log_p");  // nan
  EXPECT_EQ(path({.log_p = [](double) { return infinity; }, .log_q = good}), "log_p");
  EXPECT_EQ(path({.log_p = good, .log_q = good, .lower = 0}), "log_p");  // half of it
}

}  // namespace
}  // namespace renyi::model_test
