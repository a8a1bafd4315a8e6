#include "renyi/plan_json.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "renyi/error.h"

namespace renyi {
namespace {

std::string plan_of(const std::string& steps) { return R"({"renyi":1,"steps":)" + steps + "}"; }

// Path of the refusal of a plan with these steps.
std::string refused_at(const std::string& document) {
  try {
    read_plan(document);
  } catch (const Error& error) {
    return error.path();
  }
  return "not refused";
}

TEST(ReadPlan, ReadsEveryMechanismWithItsDefaultsAndRequiredParameters) {
  for (const Mechanism& mechanism : all_mechanisms()) {
    std::string step = R"([{"mechanism":")" + std::string(mechanism.kind()) + '"';
    const auto values = mechanism.values();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Parameter& parameter = mechanism.parameters()[i];
      if (!parameter.fallback) step += ",\"" + std::string(parameter.name) + "\":" + std::to_string(values[i]);
    }
    const Plan plan = read_plan(plan_of(step + "}]"));
    ASSERT_EQ(plan.steps().size(), 1U);
    EXPECT_EQ(std::get<Mechanism>(plan.steps()[0].what), mechanism);
  }
}

TEST(ReadPlan, ReadsCountsNestingAndRelation) {
  const Plan plan = read_plan(
      R"({"steps":[{"plan":[{"mechanism":"laplace","scale":2,"count":3}],"count":4}],"neighbors":"zero-out","renyi":1})");
  EXPECT_EQ(plan.neighbors(), Neighbors::zero_out);
  const auto merged = plan.merged();
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_EQ(merged[0].count, 12);
  EXPECT_EQ(merged[0].mechanism, Mechanism(Laplace{.scale = 2}));
}

TEST(ReadPlan, AnAliasSetsItsParameter) {
  const Plan plan = read_plan(plan_of(R"([{"mechanism":"gaussian","noise_multiplier":2}])"));
  EXPECT_EQ(std::get<Mechanism>(plan.steps()[0].what), Mechanism(Gaussian{.stddev = 2, .l2_sensitivity = 1}));
}

TEST(ReadPlan, RefusalsNameTheirPath) {
  EXPECT_EQ(refused_at("[]"), "document");
  EXPECT_EQ(refused_at(R"({"steps":[]})"), "renyi");
  EXPECT_EQ(refused_at(R"({"renyi":2,"steps":[]})"), "renyi");
  EXPECT_EQ(refused_at(R"({"renyi":1.0,"steps":[]})"), "renyi");
  EXPECT_EQ(refused_at(R"({"renyi":1})"), "steps");
  EXPECT_EQ(refused_at(R"({"renyi":1,"steps":[],"comment":"x"})"), "comment");
  EXPECT_EQ(refused_at(R"({"renyi":1,"steps":[],"neighbors":"one"})"), "neighbors");
  EXPECT_EQ(refused_at(plan_of("{}")), "steps");
  EXPECT_EQ(refused_at(plan_of("[1]")), "steps[0]");
  EXPECT_EQ(refused_at(plan_of("[{}]")), "steps[0].mechanism");
  EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"magic"}])")), "steps[0].mechanism");
  EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"laplace"}])")), "steps[0].scale");
  EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"laplace","scale":0}])")), "steps[0].scale");
  EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"laplace","scale":"1"}])")), "steps[0].scale");
  EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"laplace","scale":null}])")), "steps[0].scale");
  EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"laplace","scale":1,"sigma":2}])")), "steps[0].sigma");
  EXPECT_EQ(refused_at(plan_of(R"([{"plan":[],"scale":1}])")), "steps[0].scale");
  EXPECT_EQ(refused_at(plan_of(R"([{"plan":[{"mechanism":"x"}]}])")), "steps[0].plan[0].mechanism");
}

TEST(ReadPlan, RefusesCountsThatAreNoIntegerLiteralsInRange) {
  for (const std::string count : {"0", "-1", "1.0", "1e4", "9223372036854775808", "\"5\"", "null", "true"}) {
    EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"laplace","scale":1,"count":)" + count + "}]")), "steps[0].count")
        << count;
  }
  EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"laplace","scale":1,"count":9223372036854775807}])")), "not refused");
  EXPECT_EQ(
      refused_at(plan_of(R"([{"plan":[{"mechanism":"laplace","scale":1,"count":4611686018427387904}],"count":2}])")),
      "steps[0].count");
}

TEST(ReadPlan, RefusesAnAliasBesideWhatItExcludes) {
  EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"gaussian","noise_multiplier":2,"stddev":2}])")), "steps[0].stddev");
  EXPECT_EQ(refused_at(plan_of(R"([{"mechanism":"gaussian","noise_multiplier":2,"l2_sensitivity":2}])")),
            "steps[0].l2_sensitivity");
}

TEST(ReadPlan, RefusesARelationTheMechanismIsNotAnalysedUnder) {
  const std::string text =
      R"({"renyi":1,"neighbors":"replace-one","steps":[{"mechanism":"sampled-gaussian","sampling_rate":0.1,"noise_multiplier":1}]})";
  EXPECT_THROW(read_plan(text), Unsupported);
}

TEST(WritePlan, IsCanonical) {
  Plan plan;
  plan.add(Gaussian{.stddev = 1.5}, 3);
  plan.add(Gaussian{.stddev = 1.5, .l2_sensitivity = 2});
  plan.add(Steps{Step{Laplace{.scale = 0.1}, 2}, Step{RandomizedResponse{.truth_probability = 0.9, .categories = 3}}},
           7);
  EXPECT_EQ(
      write_plan(plan),
      R"({"renyi":1,"neighbors":"add-or-remove-one","steps":[{"mechanism":"gaussian","noise_multiplier":1.5,"count":3},)"
      R"({"mechanism":"gaussian","stddev":1.5,"l2_sensitivity":2},)"
      R"({"plan":[{"mechanism":"laplace","scale":0.1,"count":2},)"
      R"({"mechanism":"randomized-response","truth_probability":0.9,"categories":3}],"count":7}]})");
}

TEST(WritePlan, ReadsBackToTheSameSteps) {
  for (const Mechanism& mechanism : all_mechanisms()) {
    Plan plan;
    plan.add(mechanism, std::numeric_limits<std::int64_t>::max());
    const Plan again = read_plan(write_plan(plan));
    ASSERT_EQ(again.steps().size(), 1U);
    EXPECT_EQ(std::get<Mechanism>(again.steps()[0].what), mechanism);
    EXPECT_EQ(again.steps()[0].count, plan.steps()[0].count);
    EXPECT_EQ(write_plan(again), write_plan(plan));
  }
}

}  // namespace
}  // namespace renyi
