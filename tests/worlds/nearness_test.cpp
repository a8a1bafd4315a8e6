// If some pair of enumerated datasets attains a claim, the claim is tight.
#include <gtest/gtest.h>

#include "renyi/plan.h"
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

// The steps that attain a promise (docs/math/sampling.md, "Standing"): randomized response of whether the record is in
// the sample, which may fail openly, and noise on a sum. They do so in several steps at once.
Mechanism promised(Mechanism step, const std::string& json) {
  step.json = json;
  return step;
}

Mechanism open_response(double delta) {
  const Answer is_there = contains(1);
  return {"open response", R"("mechanism":"approx-dp","epsilon":1.0986122886681098,"delta":0.1)",
          [=](const Dataset& sample) {
            const bool there = is_there(sample) == 1;
            const long double d = delta, yes = (1 - d) * (there ? 0.75L : 0.25L);
            return Law{there ? d : 0, yes, 1 - d - yes, there ? 0 : d};
          }};
}

// Both ends of a promised interval hold for the step that attains it.
void expect_promised(Neighbors relation, const Sampler& sampler, const Mechanism& step, int count, long double share) {
  const std::string plan = plan_text(relation, step_text(sampler, step, count));
  SCOPED_TRACE(plan);
  EXPECT_EQ(Analysis(read_plan(plan)).standing(), Standing::promised);
  const Nearness found = expect_dominated(
      neighbours(3, relation), relation,
      [&](const Dataset& data) {
        const Law once = output_of(data, sampler, step);
        Law all = once;
        for (int i = 1; i < count; ++i) all = both(all, once);
        return all;
      },
      plan);
  for (const long double ratio : found.delta) EXPECT_TRUE(ratio == 0 || ratio > share) << ratio;
}

TEST(WorldsNearness, AttainedPromises) {
  const Mechanism pure = promised(coin, R"("mechanism":"pure-dp","epsilon":1.0986122886681098)");
  const Mechanism gdp = promised(noisy_sum_gaussian(1), R"("mechanism":"gdp","mu":1)");
  for (const Neighbors relation : {Neighbors::add_or_remove_one, Neighbors::zero_out}) {
    for (const int count : {1, 2, 3}) {
      for (const Sampler& sampler : {everyone(), poisson(0.3)}) {
        expect_promised(relation, sampler, pure, count, exactly);
        expect_promised(relation, sampler, open_response(0.1), count, exactly);
      }
    }
    expect_promised(relation, poisson(0.3), gdp, 1, nearly);
  }
  expect_promised(Neighbors::replace_one, fixed_size(3, 3), pure, 2, exactly);
  for (const int batch : {1, 2}) expect_promised(Neighbors::add_or_remove_one, fixed_size(3, batch), gdp, 1, nearly);
}

}  // namespace
}  // namespace renyi::worlds::nearness_test
