// Names and comments of steps: plan files keep them, and nothing else depends on them.
#include "plan/step_names.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "plan/analysed_steps.h"
#include "renyi/cost.h"
#include "renyi/error.h"
#include "renyi/extras/select.h"
#include "renyi/filter.h"

namespace renyi::step_names_test {
namespace {

Step named(Mechanism mechanism, std::int64_t count, std::string name, std::string comment = "") {
  return {std::move(mechanism), count, std::move(name), std::move(comment)};
}

// A plan with a name in every form of a step.
Plan survey() {
  Plan plan;
  plan.add(named(Laplace{20}, 3, "ages", "One count a year."));
  plan.add(Step{Steps{named(Gaussian{9}, 2, "incomes"), named(Laplace{20}, 1, "")}, 4, "quarters"});
  plan.add(named(Parallel({{named(Laplace{8}, 1, "north")}, {named(Gaussian{5}, 1, "south")}}), 1, "regions"));
  plan.add(named(Select({named(Gaussian{30}, 5, "one try")}, Runs::geometric(3)), 1, "tuning"));
  return plan;
}

TEST(StepNames, PlanFilesKeepThem) {
  const Plan plan = survey();
  const std::string text = write_plan(plan);
  EXPECT_EQ(text, R"({"renyi":1,"neighbors":"add-or-remove-one","steps":[)"
                  R"({"mechanism":"laplace","scale":20,"count":3,"name":"ages","comment":"One count a year."},)"
                  R"({"plan":[{"mechanism":"gaussian","noise_multiplier":9,"count":2,"name":"incomes"},)"
                  R"({"mechanism":"laplace","scale":20}],"count":4,"name":"quarters"},)"
                  R"({"parallel":[[{"mechanism":"laplace","scale":8,"name":"north"}],)"
                  R"([{"mechanism":"gaussian","noise_multiplier":5,"name":"south"}]],"name":"regions"},)"
                  R"({"select":[{"mechanism":"gaussian","noise_multiplier":30,"count":5,"name":"one try"}],)"
                  R"("runs":{"law":"geometric","mean":3},"name":"tuning"}]})");
  EXPECT_EQ(read_plan(text), plan);
  EXPECT_EQ(write_plan(read_plan(text)), text);
}

TEST(StepNames, StepsWithOtherNamesAreOtherSteps) {
  const Step step = named(Laplace{20}, 3, "ages", "a");
  EXPECT_EQ(step, named(Laplace{20}, 3, "ages", "a"));
  EXPECT_FALSE(step == named(Laplace{20}, 3, "age", "a"));
  EXPECT_FALSE(step == named(Laplace{20}, 3, "ages", "b"));
  EXPECT_TRUE(plan::run_the_same({step}, {named(Laplace{20}, 3, "age", "b")}));
  EXPECT_FALSE(plan::run_the_same({step}, {named(Laplace{20}, 2, "ages", "a")}));
  EXPECT_FALSE(plan::run_the_same({step}, {named(Laplace{21}, 3, "ages", "a")}));
  EXPECT_FALSE(plan::run_the_same({step}, {step, step}));
}

TEST(StepNames, EqualMechanismsWithOtherNamesMerge) {
  Plan plan;
  plan.add(named(Laplace{20}, 3, "ages")).add(named(Laplace{20}, 4, "incomes")).add(Laplace{20}, 5);
  const auto merged = plan.merged();
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_EQ(merged[0].count, 12);
}

// Parts that run the same are analysed as one part, whatever they are called.
TEST(StepNames, EqualPartsWithOtherNamesAreOnePart) {
  const auto parts = [](const std::string& name) {
    const Steps group{Step{Steps{named(Gaussian{5}, 2, name)}, 3, name}};
    const Steps inner{named(Parallel({group, group}), 1, name)};
    const Steps run{named(Select({named(Gaussian{30}, 5, name)}, Runs::geometric(3)), 1, name)};
    return Steps{group[0], inner[0], run[0]};
  };
  Plan plan;
  plan.add(Parallel({parts("north"), parts("south")}));
  for (const CountedMechanism& step : plan.merged()) EXPECT_EQ(step.mechanism.get_if<Parallel>(), nullptr);
  EXPECT_TRUE(plan::run_the_same(parts("a"), parts("b")));
}

TEST(StepNames, NoFigureDependsOnThem) {
  Plan plain;
  plain.add(Laplace{20}, 3).add(Steps{Step{Mechanism(Gaussian{9}), 2}, Step{Mechanism(Laplace{20})}}, 4);
  Plan with_names;
  with_names.add(named(Laplace{20}, 3, "ages", "text"));
  with_names.add(Step{Steps{named(Gaussian{9}, 2, "incomes"), named(Laplace{20}, 1, "b")}, 4, "quarters"});
  const Cost one = epsilon(plain, 1e-6), other = epsilon(with_names, 1e-6);
  EXPECT_EQ(one.renyi->upper, other.renyi->upper);
  EXPECT_EQ(one.exact->worst.lower, other.exact->worst.lower);
  EXPECT_EQ(one.exact->worst.upper, other.exact->worst.upper);
}

TEST(StepNames, PoissonEstimatesKeepThem) {
  Plan plan(Neighbors::zero_out);
  plan.add(named(Mechanism(Gaussian{4}).sampled_by(Sampling::shuffled(10)), 3, "training", "on batches"));
  const auto redrawn = under_poisson(plan);
  ASSERT_TRUE(redrawn);
  EXPECT_EQ(redrawn->steps()[0].name, "training");
  EXPECT_EQ(redrawn->steps()[0].comment, "on batches");
}

TEST(StepNames, FiltersChargeStepsWhateverTheyAreCalled) {
  Filter filter(Budget::pure(1), {});
  EXPECT_TRUE(filter.charge(Plan().add(named(Laplace{20}, 3, "ages"))).runs);
  EXPECT_TRUE(filter.charge(Plan().add(named(Laplace{20}, 2, "incomes"))).runs);
  ASSERT_EQ(filter.history().steps().size(), 1U);
  EXPECT_EQ(filter.history().steps()[0].count, 5);
  EXPECT_EQ(write_filter(read_filter(write_filter(filter))), write_filter(filter));
}

// Characters of one to four bytes are allowed, and so are the longest texts.
TEST(StepNames, AllowsShortTextsWithoutControlCharacters) {
  for (const std::string& name : {std::string("a"), std::string("\u00e9t\u00e9 \u4e2d \U0001F600"),
                                  std::string(200, 'x'), std::string("\ud7ff \ue000 \U0010FFFF")}) {
    EXPECT_TRUE(plan::is_step_name(name)) << name;
    EXPECT_EQ(read_plan(write_plan(Plan().add(named(Laplace{20}, 1, name)))).steps()[0].name, name);
  }
  const std::string comment = "two\nlines\r\n\tand a tab";
  EXPECT_EQ(read_plan(write_plan(Plan().add(named(Laplace{20}, 1, "", comment)))).steps()[0].comment, comment);
  EXPECT_TRUE(plan::is_step_comment(std::string(2000, 'x')));
  EXPECT_TRUE(plan::is_step_comment(""));
}

TEST(StepNames, RefusesOtherTextsAndChangesNothing) {
  const std::string overlong_slash("\xC0\xAF"), surrogate("\xED\xA0\x80"), too_large("\xF4\x90\x80\x80");
  for (const std::string& text : {std::string("a\x7f"), std::string(1, '\0'), std::string("\xC2\x85"), overlong_slash,
                                  surrogate, too_large, std::string("\x80"), std::string("\xE4\xB8"),
                                  std::string("\xFF"), std::string("\xC3("), std::string("a\x1b[31m")}) {
    EXPECT_FALSE(plan::is_step_name(text));
    EXPECT_FALSE(plan::is_step_comment(text));
    Plan plan;
    EXPECT_THROW(plan.add(named(Laplace{20}, 1, text)), InvalidArgument);
    EXPECT_THROW(plan.add(named(Laplace{20}, 1, "", text)), InvalidArgument);
    EXPECT_THROW(plan.add(Steps{named(Laplace{20}, 1, text)}), InvalidArgument);
    EXPECT_THROW(plan.add(Parallel({{named(Laplace{20}, 1, text)}})), InvalidArgument);
    EXPECT_THROW(plan.add(Select({named(Laplace{20}, 1, text)}, Runs::geometric(3))), InvalidArgument);
    EXPECT_TRUE(plan.steps().empty());
  }
  EXPECT_FALSE(plan::is_step_name(""));
  EXPECT_FALSE(plan::is_step_name("two\nlines"));
  EXPECT_FALSE(plan::is_step_name(std::string(201, 'x')));
  EXPECT_FALSE(plan::is_step_comment(std::string(2001, 'x')));
}

std::string refused_at(const std::string& step) {
  try {
    static_cast<void>(read_plan(R"({"renyi":1,"steps":[)" + step + "]}"));
  } catch (const InvalidArgument& error) {
    return error.path();
  }
  return "not refused";
}

TEST(StepNames, RefusalsInFilesHaveThePath) {
  EXPECT_EQ(refused_at(R"({"mechanism":"laplace","scale":20,"name":""})"), "steps[0].name");
  EXPECT_EQ(refused_at(R"({"mechanism":"laplace","scale":20,"name":null})"), "steps[0].name");
  EXPECT_EQ(refused_at(R"({"mechanism":"laplace","scale":20,"name":7})"), "steps[0].name");
  EXPECT_EQ(refused_at(R"({"mechanism":"laplace","scale":20,"name":"a\u0000b"})"), "steps[0].name");
  EXPECT_EQ(refused_at(R"({"mechanism":"laplace","scale":20,"comment":["a"]})"), "steps[0].comment");
  EXPECT_EQ(refused_at(R"({"plan":[{"mechanism":"laplace","scale":20,"name":"a\tb"}],"name":"x"})"),
            "steps[0].plan[0].name");
  EXPECT_EQ(refused_at(R"({"mechanism":"laplace","scale":20,"label":"x"})"), "steps[0].label");
}

}  // namespace
}  // namespace renyi::step_names_test
