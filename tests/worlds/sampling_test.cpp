// Every sample of every small dataset, enumerated: no two neighbours may be further apart than the library says.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

#include "renyi/error.h"
#include "renyi/plan.h"
#include "worlds/judge.h"

namespace renyi::worlds::sampling_test {
namespace {

constexpr std::array relations{Neighbors::add_or_remove_one, Neighbors::zero_out, Neighbors::replace_one};

// A guarantee for replaced records implies nothing for adding or removing a record, which these samplings need.
bool is_refused(Neighbors relation, const std::string& step) {
  return relation == Neighbors::replace_one && step.find("pure-dp") != std::string::npos &&
         (step.find("poisson") != std::string::npos || step.find("padded") != std::string::npos);
}

Nearness judge(int size, Neighbors relation, const Sampler& sampler, const Mechanism& mechanism, int unit = 1) {
  const std::string step = step_text(sampler, mechanism), plan = plan_text(relation, step, unit);
  if (is_refused(relation, step)) {
    EXPECT_THROW(read_plan(plan), Unsupported) << plan;
    return {};
  }
  return expect_dominated(
      neighbours(size, relation, unit), relation,
      [&](const Dataset& data) { return output_of(data, sampler, mechanism); }, plan);
}

std::vector<Sampler> samplers(int size) {
  return {poisson(0.3),
          poisson(0.02),
          fixed_size(size, 1),
          fixed_size(size, 2),
          padded_fixed_size(size - 1, 2),
          padded_fixed_size(size, 1),
          padded_fixed_size(size + 1, 2),
          with_replacement(size, 2),
          with_replacement(size, 3),
          truncated_poisson(0.3, size, 1),
          truncated_poisson(0.5, size, 2)};
}

std::vector<Mechanism> discrete() {
  const Mechanism coin = response("contains 1", 0.75, 2, contains(1));
  std::vector<Mechanism> result{coin, pure_dp(coin, 1.0986122886681098 /* ln 3, rounded up */),
                                response("sum mod 2", 0.9, 2, sum_modulo(2)),
                                response("sum mod 3", 0.6, 3, sum_modulo(3))};
  for (unsigned seed = 1; seed <= 8; ++seed) {
    result.push_back(response("table of 2", 0.8, 2, table(2, seed)));
    result.push_back(response("table of 4", 0.55, 4, table(4, seed)));
  }
  return result;
}

TEST(SamplingWorlds, RandomizedResponseOfAnyFunctionOfTheSample) {
  for (const Neighbors relation : relations) {
    for (const int size : {3, 4, 5}) {
      for (const Sampler& sampler : samplers(size)) {
        for (const Mechanism& mechanism : discrete()) judge(size, relation, sampler, mechanism);
      }
    }
  }
}

TEST(SamplingWorlds, TwoStepsOfRandomizedResponse) {
  for (const Neighbors relation : relations) {
    for (const Sampler& sampler : samplers(4)) {
      for (const Mechanism& mechanism : discrete()) {
        if (is_refused(relation, step_text(sampler, mechanism))) continue;
        expect_dominated(
            neighbours(4, relation), relation,
            [&](const Dataset& data) {
              const Law once = output_of(data, sampler, mechanism);
              return both(once, once);
            },
            plan_text(relation, step_text(sampler, mechanism, 2)));
      }
    }
  }
}

TEST(SamplingWorlds, NoiseOnTheSumOfTheSample) {
  for (const Neighbors relation : relations) {
    for (const auto& [size, noise] : {std::pair{3, 0.7}, {3, 2.0}, {4, 1.2}}) {
      for (const Sampler& sampler : samplers(size)) {
        judge(size, relation, sampler, noisy_sum_gaussian(noise));
        judge(size, relation, sampler, noisy_sum_laplace(noise));
      }
    }
  }
}

// Why guarantees for replaced records are refused beside empty places: a step that tells an empty batch from another
// keeps its ln 3 for replaced records, and one record in two places gains less than the ln 2 of one of two records.
TEST(SamplingWorlds, EmptyPlacesUndoTheAmplificationOfAGuaranteeForReplacedRecords) {
  const Mechanism told = pure_dp({"whether there is a record, and a coin of which", "",
                                  [](const Dataset& sample) -> Law {
                                    if (sample.empty()) return {0, 0, 1};
                                    return sample.front() == 1 ? Law{0.75L, 0.25L, 0} : Law{0.25L, 0.75L, 0};
                                  }},
                                 1.0986122886681098);
  const Sampler two = fixed_size(2, 1), padded = padded_fixed_size(2, 1);
  const double ln_2 = 0.6931471805599454;
  const Plan full = read_plan(plan_text(Neighbors::replace_one, step_text(two, told)));
  EXPECT_LT(delta(full, ln_2).upper(), 1e-12);
  EXPECT_GT(hockey_stick(output_of({1}, padded, told), output_of({0}, padded, told), ln_2), 0.1);
  EXPECT_THROW(read_plan(plan_text(Neighbors::replace_one, step_text(padded, told))), Unsupported);
}

// A person with up to two records.
TEST(SamplingWorlds, UnitsOfTwoRecords) {
  for (const Neighbors relation : relations) {
    for (const double noise : {1.0, 3.0}) {
      judge(4, relation, poisson(0.2), noisy_sum_gaussian(noise), 2);
      if (relation == Neighbors::replace_one) continue;
      judge(4, relation, poisson(0.2), noisy_sum_laplace(noise), 2);
      // Without sampling the sensitivity is stated for the relation: 1 for one record more or less.
      judge(4, relation, everyone(), noisy_sum_gaussian(noise), 2);
      judge(4, relation, everyone(), noisy_sum_laplace(noise), 2);
    }
    if (relation == Neighbors::replace_one) continue;
    for (const Mechanism& mechanism : discrete()) judge(4, relation, poisson(0.2), mechanism, 2);
  }
}

// An epoch of batches: every record once, so each batch's output is part of what is seen.
TEST(SamplingWorlds, ShuffledEpochs) {
  for (const Neighbors relation : {Neighbors::zero_out, Neighbors::replace_one}) {
    for (const int size : {3, 4}) {
      for (const int batches : {2, 3}) {
        const Sampler sampler{"shuffled", fmt::format(R"({{"scheme":"shuffled","batches":{}}})", batches), {}};
        for (const int unit : {1, 2}) {
          for (const Mechanism& mechanism : discrete()) {
            expect_dominated(
                neighbours(size, relation, unit), relation,
                [&](const Dataset& data) { return output_of_epoch(shuffled(data, batches), mechanism); },
                plan_text(relation, step_text(sampler, mechanism), unit));
          }
        }
      }
    }
  }
}

void judge_allocation(int size, Neighbors relation, int batches, int participations, const Mechanism& mechanism,
                      int unit = 1) {
  const Sampler sampler{
      "random-allocation",
      fmt::format(R"({{"scheme":"random-allocation","batches":{},"participations":{}}})", batches, participations),
      {}};
  expect_dominated(
      neighbours(size, relation, unit), relation,
      [&](const Dataset& data) { return output_of_epoch(allocated(data, batches, participations), mechanism); },
      plan_text(relation, step_text(sampler, mechanism), unit));
}

// Each record chooses its batches by itself, so a record more or less leaves the others where they are.
TEST(SamplingWorlds, RandomAllocation) {
  for (const Neighbors relation : relations) {
    for (const Mechanism& mechanism : discrete()) {
      for (const int unit : {1, 2}) judge_allocation(3, relation, 3, 1, mechanism, unit);
      judge_allocation(2, relation, 4, 2, mechanism);
      judge_allocation(2, relation, 3, 2, mechanism);
    }
  }
}

}  // namespace
}  // namespace renyi::worlds::sampling_test
