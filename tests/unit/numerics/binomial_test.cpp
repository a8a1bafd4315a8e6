#include "numerics/binomial.h"

#include <gtest/gtest.h>

#include <cmath>

namespace renyi::numerics::binomial_test {
namespace {

// C(n, i) by whole numbers.
long double direct(int i, int n, long double epsilon) {
  long double choose = 1;
  for (int j = 1; j <= i; ++j) choose = choose * static_cast<long double>(n - i + j) / static_cast<long double>(j);
  const long double p = 1 / (1 + std::exp(epsilon)), q = 1 / (1 + std::exp(-epsilon));
  return std::log(choose) + static_cast<long double>(i) * std::log(p) + static_cast<long double>(n - i) * std::log(q);
}

TEST(LogBinomial, AgreesWithWholeNumbersWithinItsError) {
  for (const int n : {1, 2, 7, 15, 16, 17, 31, 60}) {
    for (int i = 0; i <= n / 2; ++i) {
      for (const double epsilon : {1e-6, 0.1, 1.0}) {
        const LogProbability got = log_binomial(i, n, epsilon);
        EXPECT_LE(std::abs(got.value - direct(i, n, epsilon)), got.error + 1e-17L) << i << " of " << n;
        EXPECT_LT(got.error, 1e-15L);
      }
    }
  }
}

// 40-digit values.
TEST(LogBinomial, KeepsItsDigitsWhereFactorialsAreBeyondReach) {
  const LogProbability got = log_binomial(499'900'000, 1'000'000'000, 1e-5);
  EXPECT_LE(std::abs(got.value - (-29.59992438470121592735278L)), got.error);
  EXPECT_LT(got.error, 1e-10L);
}

}  // namespace
}  // namespace renyi::numerics::binomial_test
