#include <gtest/gtest.h>

#include <cmath>

#include "renyi/sampling.h"

namespace renyi::inclusion_test {
namespace {

// Pr[Binomial(n, 1/2) >= k] by counting.
double fair_tail(int n, int k) {
  double sum = 0;
  for (int i = k; i <= n; ++i) sum += std::tgamma(n + 1.0) / (std::tgamma(i + 1.0) * std::tgamma(n - i + 1.0));
  return sum / std::pow(2.0, n);
}

TEST(OverflowProbability, IsTheTailOfTheOtherRecords) {
  const Sampling sampling = Sampling::truncated_poisson(0.5, 10, 7);
  for (const Neighbors n : {Neighbors::add_or_remove_one, Neighbors::replace_one, Neighbors::zero_out}) {
    const double truth = fair_tail(n == Neighbors::add_or_remove_one ? 10 : 9, 7);
    EXPECT_GE(overflow_probability(sampling, n), truth);
    EXPECT_LE(overflow_probability(sampling, n), truth * (1 + 1e-10));
  }
}

TEST(OverflowProbability, EndsWhereTheRecordsDo) {
  EXPECT_EQ(overflow_probability(Sampling::truncated_poisson(0.5, 10, 10), Neighbors::zero_out), 0);
  EXPECT_GT(overflow_probability(Sampling::truncated_poisson(0.5, 10, 10), Neighbors::add_or_remove_one), 0);
  EXPECT_EQ(overflow_probability(Sampling::truncated_poisson(1, 10, 9), Neighbors::zero_out), 1);
}

TEST(OverflowProbability, NoOtherSchemeOverflows) {
  for (const Sampling& sampling : {Sampling::poisson(0.5), Sampling::fixed_size(10, 7),
                                   Sampling::with_replacement(10, 70), Sampling::shuffled(3)}) {
    EXPECT_EQ(overflow_probability(sampling, Neighbors::zero_out), 0);
  }
}

}  // namespace
}  // namespace renyi::inclusion_test
