#include "compare/repeated_response.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>
#include <cmath>

namespace renyi::compare_detail::repeated_response_test {
namespace {

struct Row {
  double epsilon;
  std::int64_t runs;
  double delta;
  double truth;  // from 50-digit sums
  double accuracy;
};

// Upper bounds, and close ones.
TEST(RepeatedResponse, EpsilonsBy50DigitSums) {
  for (const Row& row :
       {Row{0.125, 100, 1e-6, 6.1689939618888460019, 1e-14}, Row{0.5, 1, 0.1, 0.3248688509872592586, 1e-14},
        Row{0.01, 10000, 1e-5, 4.3763845092602900399, 1e-13}, Row{1, 1000, 1e-5, 577.83320670937392599, 1e-14},
        Row{3, 50, 0.9, 123.70467738973228478, 1e-14}, Row{0.1, 1001, 1e-200, 90.27700791828351305, 1e-14},
        Row{1e-6, 1000, 1e-6, 0.000046365082211807585521, 1e-13},
        Row{1e-3, 1000000, 1e-10, 6.547897154429404937, 1e-12},
        Row{1e-5, 1000000000, 1e-5, 1.1993695724954985362, 1e-11}}) {
    const double got = RepeatedResponse(row.epsilon, row.runs).epsilon_upper(row.delta);
    EXPECT_GE(got, row.truth) << row.epsilon << " x " << row.runs;
    EXPECT_LE(got, row.truth * (1 + row.accuracy)) << row.epsilon << " x " << row.runs;
  }
}

// Another way: delta = F_P(m) - e^e* F_Q(m) by incomplete beta functions, where that
// difference does not cancel.
TEST(RepeatedResponse, EpsilonsByIncompleteBetaFunctions) {
  using boost::math::binomial_distribution;
  for (const std::int64_t runs : {10, 1000, 1'000'000}) {
    const auto k = static_cast<double>(runs);
    const double e = 2 / std::sqrt(k), p = 1 / (1 + std::exp(e));
    for (const double target : {0.5, 2.0, 5.0}) {
      const double m = std::floor((k - target / e) / 2);
      const double delta =
          cdf(binomial_distribution<>(k, p), m) - std::exp(target) * cdf(binomial_distribution<>(k, 1 - p), m);
      EXPECT_NEAR(RepeatedResponse(e, runs).epsilon_upper(delta) / target, 1, 1e-8) << runs << " at " << target;
    }
  }
}

TEST(RepeatedResponse, Ends) {
  const RepeatedResponse three(0.5, 3);
  EXPECT_EQ(three.epsilon_upper(0), 1.5);
  EXPECT_EQ(three.epsilon_upper(1), 0);
  EXPECT_EQ(three.epsilon_upper(0.999), 0);
  EXPECT_EQ(RepeatedResponse(0, 5).epsilon_upper(1e-9), 0);
  EXPECT_EQ(RepeatedResponse(0, 5).epsilon_upper(0), 0);
  EXPECT_LT(three.epsilon_upper(1e-9), 1.5);
}

// One response: delta(e*) = p - e^e* (1 - p).
TEST(RepeatedResponse, OneResponseByHand) {
  const long double p = 1 / (1 + std::exp(-2.0L));
  const double delta = static_cast<double>(p - std::exp(1.25L) * (1 - p));
  const double got = RepeatedResponse(2, 1).epsilon_upper(delta);
  EXPECT_LE(p - std::exp(static_cast<long double>(got)) * (1 - p), static_cast<long double>(delta));
  EXPECT_NEAR(got / 1.25, 1, 1e-14);
}

// Large epsilons leave one answer that counts; nothing overflows.
TEST(RepeatedResponse, LargeEpsilons) {
  EXPECT_NEAR(RepeatedResponse(1e50, 3).epsilon_upper(0.5) / 3e50, 1, 1e-12);
  EXPECT_NEAR(RepeatedResponse(800, 10).epsilon_upper(1 - 1e-12) / 8000, 1, 0.1);
}

}  // namespace
}  // namespace renyi::compare_detail::repeated_response_test
