// If some pair of enumerated datasets attains a claim, the claim is tight.
#include <gtest/gtest.h>

#include "worlds/judge.h"

namespace renyi::worlds::nearness_test {
namespace {

Nearness nearness(Neighbors relation, const Sampler& sampler, const Mechanism& mechanism, int size = 3, int unit = 1) {
  return expect_dominated(
      neighbours(size, relation, unit), relation,
      [&](const Dataset& data) { return output_of(data, sampler, mechanism); },
      plan_text(relation, step_text(sampler, mechanism), unit));
}

void expect_attained(const Nearness& found, long double share) {
  for (const long double ratio : found.rdp) EXPECT_GT(ratio, share);
  for (const long double ratio : found.delta) EXPECT_TRUE(ratio == 0 || ratio > share) << ratio;
}

const Mechanism coin = response("contains 1", 0.75, 2, contains(1));

// Randomized response tells everything; cells of noise lose up to 1e-4.
constexpr long double exactly = 1 - 1e-9L, nearly = 0.999L;

TEST(WorldsNearness, PoissonSamples) {
  for (const Neighbors relation : {Neighbors::add_or_remove_one, Neighbors::zero_out}) {
    expect_attained(nearness(relation, poisson(0.3), coin), exactly);
    expect_attained(nearness(relation, poisson(0.3), noisy_sum_gaussian(1)), nearly);
    expect_attained(nearness(relation, poisson(0.3), noisy_sum_laplace(1)), nearly);
  }
  // The datasets are {1} and {-1}, without other records.
  expect_attained(nearness(Neighbors::replace_one, poisson(0.3), noisy_sum_gaussian(1)), nearly);
}

TEST(WorldsNearness, PoissonSamplesOfTwoRecordsOfOnePerson) {
  for (const Neighbors relation : {Neighbors::add_or_remove_one, Neighbors::zero_out, Neighbors::replace_one}) {
    expect_attained(nearness(relation, poisson(0.3), noisy_sum_gaussian(1), 3, 2), nearly);
  }
}

// 1 among -1: with it the sum is 2 larger.
TEST(WorldsNearness, FixedSizeSamples) {
  for (const int batch : {1, 2}) {
    expect_attained(nearness(Neighbors::add_or_remove_one, fixed_size(3, batch), noisy_sum_gaussian(1)), nearly);
    expect_attained(nearness(Neighbors::add_or_remove_one, fixed_size(3, batch), noisy_sum_laplace(1)), nearly);
  }
}

// The closure is made of two one-sided pairs, each attained: every delta is, and so are large orders.
TEST(WorldsNearness, FixedSizeSamplesOneRecordReplaced) {
  for (const Mechanism& mechanism : {noisy_sum_gaussian(1), noisy_sum_laplace(1)}) {
    const Nearness found = nearness(Neighbors::replace_one, fixed_size(3, 1), mechanism);
    for (const long double ratio : found.delta) EXPECT_TRUE(ratio == 0 || ratio > nearly) << ratio;
    EXPECT_GT(found.rdp.back(), nearly);
    for (const long double ratio : found.rdp) EXPECT_GT(ratio, 0.8L);
  }
}

}  // namespace
}  // namespace renyi::worlds::nearness_test
