#include "plan/select/runs_json.h"

#include <gtest/gtest.h>

#include "renyi/error.h"
#include "renyi/plan_json.h"

namespace renyi {
namespace {

std::string plan_of(const std::string& runs, const std::string& more = "") {
  return R"({"renyi":1,"neighbors":"add-or-remove-one","steps":[{"select":[{"mechanism":"pure-dp","epsilon":1}],"runs":)" +
         runs + more + "}]}";
}

TEST(SelectJson, ReadsBackWhatItWrites) {
  for (const std::string runs :
       {R"({"law":"geometric","mean":10.0})", R"({"law":"logarithmic","gamma":0.1})",
        R"({"law":"negative-binomial","eta":-0.5,"gamma":0.01})", R"({"law":"poisson","mean":2.5})"}) {
    for (const std::string more : {"", R"(,"count":3)"}) {
      const Plan plan = read_plan(plan_of(runs, more));
      const std::string text = write_plan(plan);
      EXPECT_EQ(write_plan(read_plan(text)), text);
      const auto steps = plan.merged();
      ASSERT_EQ(steps.size(), 1U);
      EXPECT_EQ(steps[0].count, more.empty() ? 1 : 3);
      EXPECT_EQ(*steps[0].mechanism.get_if<Select>(), *read_plan(text).merged()[0].mechanism.get_if<Select>());
    }
  }
}

// 1/0.3 is rounded up: more runs, never fewer.
TEST(SelectJson, AGeometricLawMayBeGivenByGamma) {
  const Plan plan = read_plan(plan_of(R"({"law":"geometric","gamma":0.3})"));
  const double mean = plan.merged()[0].mechanism.get_if<Select>()->runs().mean;
  EXPECT_GE(static_cast<long double>(mean) * 0.3, 1.0L);
  EXPECT_NEAR(mean, 1 / 0.3, 1e-15);
}

TEST(SelectJson, RefusesWithThePath) {
  const auto path_of = [](const std::string& text) -> std::string {
    try {
      read_plan(text);
    } catch (const Error& error) {
      return error.path();
    }
    return "accepted";
  };
  EXPECT_EQ(path_of(plan_of(R"({"law":"uniform"})")), "steps[0].runs.law");
  EXPECT_EQ(path_of(plan_of(R"({"law":"geometric"})")), "steps[0].runs.mean");
  EXPECT_EQ(path_of(plan_of(R"({"law":"geometric","mean":0.5})")), "steps[0].runs.mean");
  EXPECT_EQ(path_of(plan_of(R"({"law":"geometric","mean":5,"gamma":0.2})")), "steps[0].runs.mean");
  EXPECT_EQ(path_of(plan_of(R"({"law":"geometric","gamma":0})")), "steps[0].runs.gamma");
  EXPECT_EQ(path_of(plan_of(R"({"law":"poisson","mean":"inf"})")), "steps[0].runs.mean");
  EXPECT_EQ(path_of(plan_of(R"({"law":"poisson","mean":5,"eta":1})")), "steps[0].runs.eta");
  EXPECT_EQ(path_of(plan_of(R"({"law":"negative-binomial","eta":-1,"gamma":0.1})")), "steps[0].runs.eta");
  EXPECT_EQ(path_of(plan_of(R"({"law":"poisson","mean":5})", R"(,"sampling":{})")), "steps[0].sampling");
  EXPECT_EQ(path_of(R"({"renyi":1,"steps":[{"select":[]}]})"), "steps[0].runs");
  EXPECT_EQ(path_of(R"({"renyi":1,"steps":[{"select":[{"mechanism":"pure-dp"}],"runs":{"law":"poisson","mean":5}}]})"),
            "steps[0].select[0].epsilon");
}

}  // namespace
}  // namespace renyi
