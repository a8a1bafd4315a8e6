#include "renyi/sampling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "json/json.h"
#include "renyi/exact.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi::api::sampling_test {
namespace {

using json::Json;

Json ask(const std::string& request) { return Json::parse(answer(request)); }

const std::string truncated = R"({"mechanism":"randomized-response","truth_probability":0.6,"sampling":)"
                              R"({"scheme":"truncated-poisson","rate":0.1,"dataset_size":1000,"batch_limit":120}})";
const std::string shuffled =
    R"({"mechanism":"gaussian","noise_multiplier":4,"sampling":{"scheme":"shuffled","batches":100},"count":3})";

std::string question(const std::string& op, const std::string& steps, const std::string& rest) {
  return R"({"op":")" + op + R"(","neighbors":"zero-out","steps":[)" + steps + "]," + rest + "}";
}

TEST(SamplingAnswers, TruncatedSamplingStatesItsOverflow) {
  const double expected = overflow_probability(Sampling::truncated_poisson(0.1, 1000, 120), Neighbors::zero_out);
  for (const auto& [op, rest] : {std::pair{"epsilon", R"("delta":1e-5)"}, std::pair{"delta", R"("epsilon":0.1)"},
                                 std::pair{"rdp", R"("orders":[2])"}}) {
    const Json got = ask(question(op, R"({"mechanism":"laplace","scale":9},)" + truncated, rest));
    ASSERT_TRUE(got.contains("sampling")) << got;
    ASSERT_EQ(got["sampling"].size(), 1U);
    EXPECT_EQ(got["sampling"][0]["path"], "steps[1]");
    EXPECT_EQ(got["sampling"][0]["overflow_probability"].get<double>(), expected);
  }
}

TEST(SamplingAnswers, OverflowsAreNamedByTheirPath) {
  const std::string steps = R"({"plan":[{"parallel":[[],[)" + truncated + R"(]]}]})";
  const Json got = ask(question("rdp", steps, R"("orders":[2])"));
  ASSERT_TRUE(got.contains("sampling")) << got;
  EXPECT_EQ(got["sampling"][0]["path"], "steps[0].plan[0].parallel[1][0]");
}

TEST(SamplingAnswers, ShuffledEpochsCostOneStepAnEpoch) {
  const Json got = ask(question("epsilon", shuffled, R"("delta":1e-5)"));
  const auto expected = PrivacyProfile(Plan(Neighbors::zero_out).add(Gaussian{4}, 3)).epsilon(1e-5);
  EXPECT_GE(got["exact"]["upper"].get<double>(), expected.worst.upper);
  EXPECT_NEAR(got["exact"]["upper"].get<double>(), expected.worst.upper, 1e-12);
}

TEST(SamplingAnswers, ShuffledEpochsStandBesideThePoissonFigure) {
  const Plan poisson = Plan(Neighbors::zero_out).add(Mechanism(Gaussian{4}).sampled_by(Sampling::poisson(0.01)), 300);
  const Json epsilon = ask(question("epsilon", shuffled, R"("delta":1e-5)"));
  EXPECT_EQ(epsilon["under_poisson"]["epsilon_estimate"].get<double>(),
            PrivacyProfile(poisson).epsilon(1e-5).worst.upper);
  const Json delta = ask(question("delta", shuffled, R"("epsilon":0.1,"want":["renyi"])"));
  EXPECT_EQ(delta["under_poisson"]["delta_estimate"].get<double>(), renyi_delta(poisson, 0.1).upper);
}

TEST(SamplingAnswers, WhatPoissonSamplingHasNoFigureForIsSaid) {
  const std::string many =
      R"({"mechanism":"gaussian","noise_multiplier":4,"sampling":{"scheme":"shuffled","batches":1000000000000000},)"
      R"("count":1000000})";
  const Json got = ask(question("epsilon", many, R"("delta":1e-5)"));
  EXPECT_TRUE(got.contains("exact")) << got;
  EXPECT_TRUE(got["under_poisson"].contains("unavailable")) << got;
}

TEST(SamplingAnswers, OtherPlansHaveNeitherMember) {
  const Json got = ask(question("epsilon", R"({"mechanism":"laplace","scale":9})", R"("delta":1e-5)"));
  EXPECT_FALSE(got.contains("sampling"));
  EXPECT_FALSE(got.contains("under_poisson"));
}

TEST(SamplingAnswers, AUnitScalesWhatOneRecordMoves) {
  const Json four = ask(R"({"op":"epsilon","unit":4,"steps":[{"mechanism":"laplace","scale":8}],"delta":0})");
  EXPECT_NEAR(four["renyi"]["epsilon"].get<double>(), 0.5, 1e-12);
  const Json bad = ask(R"({"op":"epsilon","unit":0,"steps":[],"delta":0})");
  EXPECT_EQ(bad["error"]["path"], "unit");
}

TEST(SamplingAnswers, TheRateOfASampleIsSolvedFor) {
  const Json got = ask(question(
      "calibrate",
      R"({"mechanism":"randomized-response","truth_probability":0.75,"sampling":{"scheme":"poisson","rate":null}})",
      R"("epsilon":0.1,"delta":0)"));
  // Removing: (1-q) Q + q P against Q has the largest loss ln(1 - q + 3 q) at truth 3/4.
  ASSERT_TRUE(got.contains("value")) << got;
  EXPECT_NEAR(got["value"].get<double>(), std::expm1(0.1) / 2, 1e-7);
  EXPECT_EQ(got["path"], "steps[0].sampling.rate");
}

}  // namespace
}  // namespace renyi::api::sampling_test
