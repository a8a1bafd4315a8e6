// Requests that tell a run by its sizes.
#include "api/run.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "api/sweep/grid.h"
#include "json/json.h"
#include "renyi/error.h"
#include "renyi/plan.h"
#include "renyi/run.h"

namespace renyi::api::run_test {
namespace {

using json::Json;

Json ask(const std::string& request) { return Json::parse(answer(request)); }

std::string question(const std::string& op, const std::string& run, const std::string& rest) {
  return R"({"op":")" + op + R"(","run":)" + run + "," + rest + "}";
}

std::string steps_question(const std::string& op, const std::string& step, const std::string& rest) {
  return R"({"op":")" + op + R"(","steps":[)" + step + "]," + rest + "}";
}

const std::string mnist = R"({"dataset_size":60000,"batch_size":256,"epochs":60,"noise_multiplier":1.1})";
const std::string mnist_step =
    R"({"mechanism":"sampled-gaussian","sampling_rate":0.004266666666666667,"noise_multiplier":1.1,"count":14063})";

Json without_run(Json answer) {
  answer.erase("run");
  answer.erase("warnings");
  return answer;
}

TEST(RunRequest, EveryOperationAboutAPlanTakesOne) {
  const std::pair<const char*, const char*> all[]{{"epsilon", R"("delta":1e-5)"},
                                                  {"delta", R"("epsilon":2)"},
                                                  {"rdp", R"("orders":[2,8])"},
                                                  {"profile", R"("epsilons":[1])"},
                                                  {"tradeoff", R"("type_1_errors":[0.1])"},
                                                  {"explain", R"("baseline":[0.01])"},
                                                  {"loss", R"("orders":[1],"at_least":[1],"within":[1])"},
                                                  {"compare", R"("delta":1e-5)"},
                                                  {"relate", R"("to":"zcdp")"}};
  for (const auto& [op, rest] : all) {
    const Json found = ask(question(op, mnist, rest));
    ASSERT_TRUE(found.contains("run")) << found;
    EXPECT_EQ(without_run(found), ask(steps_question(op, mnist_step, rest))) << op;
  }
}

TEST(RunRequest, TheAnswerSaysWhatWasCounted) {
  const Json found = ask(question("rdp", mnist, R"("orders":[2])"));
  EXPECT_EQ(found.at("run").dump(), R"({"steps":14063,"sampling":{"scheme":"poisson","rate":0.004266666666666667},)"
                                    R"("rules":["sampling rate: B / N = 256 / 60000",)"
                                    R"("steps: ceil(epochs * N / B) = ceil(60 * 60000 / 256) = 14063",)"
                                    R"("size: N counts as public; zero-out says so: docs/guide/public-size.md"]})");
  EXPECT_EQ(found.at("warnings").size(), 1U);
  EXPECT_EQ(found.at("warnings")[0].at("kind"), "shuffled-loader");
}

TEST(RunRequest, ADeltaThatIsNotBelowOneInNIsWarnedOf) {
  const Json found = ask(question("epsilon", R"({"dataset_size":1000,"sampling_rate":0.1,"noise_multiplier":4})",
                                  R"("delta":1e-3,"want":["renyi"],"id":7)"));
  ASSERT_EQ(found.at("warnings").size(), 1U);
  EXPECT_EQ(found.at("warnings")[0].at("kind"), "large-delta");
  EXPECT_EQ(found.at("id"), 7);
}

TEST(RunRequest, AnyMechanismGoesByItsName) {
  const Json found = ask(R"({"op":"epsilon","neighbors":"replace-one","run":{"mechanism":"laplace","scale":2,)"
                         R"("dataset_size":100,"batch_size":10,"steps":5,"sampling":"fixed-size"},"delta":1e-5})");
  const Json same = ask(R"({"op":"epsilon","neighbors":"replace-one","steps":[{"mechanism":"laplace","scale":2,)"
                        R"("sampling":{"scheme":"fixed-size","dataset_size":100,"batch_size":10},"count":5}],)"
                        R"("delta":1e-5})");
  EXPECT_EQ(without_run(found), same);
}

TEST(RunRequest, OneNumberIsSolvedFor) {
  const auto solve = [](const std::string& run) {
    return ask(question("calibrate", run, R"("epsilon":3,"delta":1e-5)"));
  };
  const Json noise = solve(R"({"dataset_size":60000,"batch_size":256,"epochs":60,"noise_multiplier":null})");
  EXPECT_EQ(noise.at("path"), "run.noise_multiplier");
  EXPECT_EQ(noise.at("parameter"), "noise_multiplier");
  EXPECT_EQ(noise.at("value"),
            ask(steps_question("calibrate",
                               R"({"mechanism":"sampled-gaussian","sampling_rate":0.004266666666666667,)"
                               R"("noise_multiplier":null,"count":14063})",
                               R"("epsilon":3,"delta":1e-5)"))
                .at("value"));
  const Json steps = solve(R"({"dataset_size":60000,"batch_size":256,"steps":null,"noise_multiplier":1.1})");
  EXPECT_EQ(steps.at("path"), "run.steps");
  EXPECT_EQ(steps.at("parameter"), "steps");
  EXPECT_FALSE(steps.at("run").contains("steps"));
  const Json batch =
      solve(R"({"dataset_size":60000,"batch_size":null,"steps":100,"sampling":"fixed-size","noise_multiplier":2})");
  EXPECT_EQ(batch.at("path"), "run.batch_size");
  EXPECT_EQ(solve(R"({"sampling_rate":null,"steps":100,"noise_multiplier":2})").at("path"), "run.sampling_rate");
  const Json epochs = solve(R"({"dataset_size":60000,"batch_size":256,"epochs":null,"noise_multiplier":2})");
  EXPECT_EQ(epochs.at("path"), "run.epochs");
  EXPECT_EQ(epochs.at("parameter"), "epochs");
  const auto made = epochs.at("steps").get<std::int64_t>();
  EXPECT_EQ(steps_from_epochs(epochs.at("value").get<double>(), 60000, 256), made);
  EXPECT_EQ(made, solve(R"({"dataset_size":60000,"batch_size":256,"steps":null,"noise_multiplier":2})").at("value"));
  const Json poisson = solve(R"({"dataset_size":60000,"batch_size":null,"epochs":4,"noise_multiplier":2})");
  EXPECT_EQ(poisson.at("path"), "run.batch_size");
  EXPECT_EQ(poisson.at("steps"), steps_from_epochs(4, 60000, poisson.at("value").get<std::int64_t>()));
  const Json unit =
      ask(R"({"op":"calibrate","unit":null,"run":{"noise_multiplier":40,"steps":2},"epsilon":1,"delta":1e-5})");
  EXPECT_EQ(unit.at("path"), "unit");
}

std::string message(const std::string& request) { return ask(request).at("error").at("message").get<std::string>(); }

TEST(RunRequest, WhatIsWrongIsSaidOfTheRun) {
  const auto about = [](const std::string& run) { return message(question("epsilon", run, R"("delta":1e-5)")); };
  EXPECT_EQ(about(R"({"noise_multiplier":0})"), "run.noise_multiplier: got 0, allowed: a number in [1e-50, 1e+50]");
  EXPECT_EQ(about(R"({"dataset_size":10})"),
            "run.noise_multiplier: got nothing, allowed: a number, or \"mechanism\" with the numbers of another one");
  EXPECT_EQ(about(R"({"batch_size":10,"noise_multiplier":1})"),
            "run.batch_size: got 10, allowed: together with \"dataset_size\"");
  EXPECT_EQ(about(R"({"dataset_size":1e3,"noise_multiplier":1})"),
            "run.dataset_size: got the floating literal 1000, allowed: an integer literal from 1 to "
            "9223372036854775807");
  EXPECT_EQ(about(R"({"sampling":"dice","noise_multiplier":1})"),
            "run.sampling: got \"dice\", allowed: one of poisson, fixed-size, with-replacement, truncated-poisson, "
            "shuffled, random-allocation");
  EXPECT_EQ(about(R"({"sampling_rate":2,"noise_multiplier":1})"),
            "run.sampling_rate: got 2, allowed: 0, or a number in [1e-100, 1]");
  EXPECT_EQ(about(R"({"epochs":null,"noise_multiplier":1})"),
            "run.epochs: got nothing, allowed: together with \"dataset_size\" and \"batch_size\"");
  EXPECT_EQ(about(R"({"dataset_size":9,"batch_size":3,"epochs":null,"noise_multiplier":1})"),
            "run.epochs: got null, allowed: a number: only calibrate solves for it");
  EXPECT_EQ(about(R"({"steps":null,"noise_multiplier":1})"),
            "run.steps: got null, allowed: an integer literal from 1 to 9223372036854775807");
  EXPECT_EQ(about(R"({"steps":null,"noise_multiplier":null})"),
            "run.noise_multiplier: got null, allowed: one null in a request, and run.steps is null already");
  EXPECT_EQ(about(R"({"noise_multiplier":1,"count":3})").substr(0, 37), "run.count: got an unknown key, allowe");
  EXPECT_EQ(about(R"({"mechanism":"magic"})").substr(0, 29), "run.mechanism: got \"magic\", a");
  EXPECT_EQ(about("3"), "run: got 3, allowed: an object");
  EXPECT_EQ(message(R"({"op":"epsilon","run":{"noise_multiplier":1},"steps":[],"delta":1e-5})"),
            "steps: got an array of 0, allowed: nothing beside \"run\", which says the steps");
  EXPECT_EQ(ask(question("epsilon", R"({"dataset_size":9,"batch_size":3,"sampling":"shuffled","noise_multiplier":1})",
                         R"("delta":1e-5)"))
                .at("error")
                .at("path"),
            "neighbors");
}

TEST(RunRequest, AReportSaysTheRules) {
  const Json found = ask(question("report", mnist, R"("delta":1e-5,"remarks":["mine"])"));
  EXPECT_EQ(found.at("dataset_size"), 60000);
  ASSERT_EQ(found.at("remarks").size(), 4U);
  EXPECT_EQ(found.at("remarks")[0], "sampling rate: B / N = 256 / 60000");
  EXPECT_EQ(found.at("remarks")[2], "size: N counts as public; zero-out says so: docs/guide/public-size.md");
  EXPECT_EQ(found.at("remarks")[3], "mine");
}

TEST(RunRequest, OverflowsAreOfTheRun) {
  const Json found = ask(question("rdp",
                                  R"({"dataset_size":600,"batch_size":20,"sampling":"truncated-poisson",)"
                                  R"("batch_limit":30,"noise_multiplier":2})",
                                  R"("orders":[2])"));
  EXPECT_EQ(found.at("sampling")[0].at("path"), "run");
}

TEST(RunRequest, AxesMayStandInARun) {
  const sweep::Grid grid = sweep::read_grid(
      R"({"renyi-sweep":1,"request":{"op":"epsilon","run":{"dataset_size":1e3,"batch_size":{"from":1,"to":4,"points":3},)"
      R"("epochs":{"values":[0.5,1]},"noise_multiplier":{"values":[1,2]}},"delta":1e-5}})");
  ASSERT_EQ(grid.axes.size(), 3U);
  EXPECT_EQ(grid.axes[0].path, "run.batch_size");
  EXPECT_EQ(grid.axes[0].values[1].text(), "3");  // rounded: a batch has whole records
  EXPECT_EQ(grid.axes[1].values[0].text(), "0.5");
}

TEST(RunRequest, ARunIsAPlan) {
  const Plan plan = plan_from_run(mnist, nullptr);
  EXPECT_EQ(write_plan(plan), write_plan(read_plan(R"({"renyi":1,"steps":[)" + mnist_step + "]}")));
  EXPECT_EQ(plan_from_run(R"({"noise_multiplier":2})", "zero-out").neighbors(), Neighbors::zero_out);
  try {
    plan_from_run(R"({"noise_multiplier":2,"batch_size":3})", nullptr);
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.path(), "batch_size");
  }
  EXPECT_THROW(plan_from_run(R"({"noise_multiplier":null})", nullptr), InvalidArgument);
  EXPECT_THROW(plan_from_run("{", nullptr), InvalidArgument);
}

}  // namespace
}  // namespace renyi::api::run_test
