// What a promise costs on a sample: the worst step that keeps it is found by linear programming, on datasets of a few
// records, and compared with the interval and with the standing that the library states for it.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "renyi/cost.h"
#include "renyi/error.h"
#include "renyi/plan.h"
#include "worlds/claim.h"
#include "worlds/worst_step.h"

namespace renyi::worlds::promise_test {
namespace {

constexpr std::array relations{Neighbors::add_or_remove_one, Neighbors::zero_out, Neighbors::replace_one};

// Records that all differ, the first `unit` of which are changed. No other datasets are further apart: a step that
// does not look at the differences is among those that are compared.
Pair neighbours_of(int size, Neighbors relation, int unit = 1) {
  Pair pair;
  for (int i = 0; i < size; ++i) {
    pair.with.push_back(10 + i);
    if (i >= unit) {
      pair.without.push_back(10 + i);
    } else if (relation != Neighbors::add_or_remove_one) {
      pair.without.push_back(relation == Neighbors::zero_out ? null : 5 + i);
    }
  }
  return pair;
}

std::string plan_of(Neighbors relation, const Sampler& sampler, const Promise& promise, int unit = 1) {
  return plan_text(relation, step_text(sampler, {"", promise.json, {}}), unit);
}

std::optional<Plan> read(const std::string& text) {
  try {
    return read_plan(text);
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

std::vector<Sampler> samplers(int size) {
  return {everyone(),
          poisson(0.3),
          poisson(1),
          fixed_size(size, 1),
          fixed_size(size, size),
          padded_fixed_size(size, 1),
          padded_fixed_size(size + 1, 2),
          with_replacement(size, 1),
          with_replacement(size, 2),
          truncated_poisson(0.3, size, 1),
          truncated_poisson(1, size, 1),
          truncated_poisson(0.3, size, size + 1)};
}

struct Judged {
  int promised = 0, dominated = 0;
};

// No step costs more than the upper end, and where the interval is that of the worst step, one costs as much as the
// lower end.
void judge(const Plan& plan, const Pair& datasets, Neighbors relation, const Sampler& sampler, const Promise& promise,
           Judged& judged) {
  const Standing standing = Analysis(plan).standing();
  EXPECT_NE(standing, Standing::attained);
  ++(standing == Standing::promised ? judged.promised : judged.dominated);
  for (const double epsilon : {0.0, 0.2, 0.5, 0.9, 1.5}) {
    SCOPED_TRACE(epsilon);
    const ExactInterval claimed = delta(plan, epsilon).exact->worst;
    const auto worst = static_cast<double>(worst_delta(datasets, relation, sampler, promise, epsilon));
    EXPECT_LE(worst, claimed.upper + promise.accuracy);
    if (standing == Standing::promised) {
      EXPECT_GE(worst, claimed.lower - 1e-9);
    }
  }
}

Judged judge_all(const Promise& promise, int size) {
  Judged judged;
  for (const Neighbors relation : relations) {
    const Pair datasets = neighbours_of(size, relation);
    for (const Sampler& sampler : samplers(size)) {
      const std::string text = plan_of(relation, sampler, promise);
      SCOPED_TRACE(text);
      // One record less than the batch has is no dataset to draw it from.
      const bool is_drawn = !sampler.samples(datasets.without).empty();
      if (const auto plan = read(text); plan && is_drawn) judge(*plan, datasets, relation, sampler, promise, judged);
    }
  }
  return judged;
}

TEST(PromiseWorlds, NoWorstStepLiesOutsideOfItsInterval) {
  for (const int size : {2, 3}) {
    for (const Promise& promise : {promised_dp(1, 0), promised_dp(0.7, 0.1)}) {
      const Judged judged = judge_all(promise, size);
      EXPECT_GE(judged.promised, 8) << promise.json;
      EXPECT_GE(judged.dominated, 12) << promise.json;
    }
  }
  const Judged judged = judge_all(promised_gdp(1), 2);
  EXPECT_GE(judged.promised, 10);
  EXPECT_GE(judged.dominated, 8);
}

TEST(PromiseWorlds, UnitsOfTwoRecords) {
  for (const Promise& promise : {promised_dp(1, 0), promised_dp(0.7, 0.05), promised_gdp(1)}) {
    for (const Neighbors relation : relations) {
      const Pair datasets = neighbours_of(2, relation, 2);
      for (const Sampler& sampler : {everyone(), poisson(0.3)}) {
        const std::string text = plan_of(relation, sampler, promise, 2);
        SCOPED_TRACE(text);
        Judged judged;
        if (const auto plan = read(text)) judge(*plan, datasets, relation, sampler, promise, judged);
      }
    }
  }
}

// What the pair costs, and what the worst step does: a lower end of the pair is none of the step.
struct Gap {
  std::string plan;
  long double worst;
};

void expect_gap(const Gap& gap, double worst) {
  SCOPED_TRACE(gap.plan);
  const Plan plan = read_plan(gap.plan);
  EXPECT_EQ(Analysis(plan).standing(), Standing::dominated);
  EXPECT_NEAR(static_cast<double>(gap.worst), worst, 1e-6);
  EXPECT_LT(gap.worst, delta(plan, 0.5).exact->worst.lower - 0.02L);
}

Gap gap_of(Neighbors relation, const Sampler& sampler, int unit = 1) {
  const Promise pure = promised_dp(1, 0);
  return {plan_of(relation, sampler, pure, unit),
          worst_delta(neighbours_of(2, relation, unit), relation, sampler, pure, 0.5)};
}

// An epoch of two batches: by Blackwell's theorem no 1-DP step tells more about its batch than randomized response
// with this loss of whether the record is in it, and it may tell it about both batches.
Gap allocation() {
  const long double p = 1 / (1 + std::exp(-1.0L)), q = 1 - p;
  const Law in_one{p * q, (p * p + q * q) / 2, (p * p + q * q) / 2, p * q}, in_none{q * q, q * p, q * p, p * p};
  const Sampler sampler{"", R"({"scheme":"random-allocation","batches":2})", {}};
  return {plan_of(Neighbors::add_or_remove_one, sampler, promised_dp(1, 0)),
          std::max(hockey_stick(in_one, in_none, 0.5), hockey_stick(in_none, in_one, 0.5))};
}

TEST(PromiseWorlds, DominatingPairsCostMoreThanTheWorstStep) {
  expect_gap(gap_of(Neighbors::zero_out, fixed_size(2, 1)), 0.111733);
  expect_gap(gap_of(Neighbors::add_or_remove_one, fixed_size(2, 1)), 0.251877);
  expect_gap(gap_of(Neighbors::add_or_remove_one, everyone(), 2), 0.567937);
  expect_gap(allocation(), 0.210288);
}

}  // namespace
}  // namespace renyi::worlds::promise_test
