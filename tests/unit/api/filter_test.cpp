// The operation "filter".
#include "renyi/filter.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "api/filter.h"
#include "json/json.h"

namespace renyi::api::api_filter_test {
namespace {

using json::Json;

const std::string zcdp = R"({"op":"filter","budget":{"kind":"zcdp","rho":0.5})";
const std::string history = R"(,"steps":[{"mechanism":"gaussian","noise_multiplier":2,"count":2}])";
const std::string step = R"(,"step":{"mechanism":"gaussian","noise_multiplier":1})";

Json ask(const std::string& request) { return Json::parse(answer(request)); }

std::string error_of(const std::string& request) {
  const Json got = ask(request);
  if (!got.contains("error")) return "no error";
  return got["error"]["kind"].get<std::string>() + " " + got["error"]["path"].get<std::string>();
}

Filter spent() {
  Filter filter(Budget::zcdp(0.5));
  EXPECT_TRUE(filter.charge(Gaussian{.stddev = 2}, 2).runs);
  return filter;
}

TEST(FilterRequest, AnswersAreTheLibrarys) {
  const Json got = ask(zcdp + history + step + R"(,"delta":1e-5,"id":"a"})");
  ASSERT_FALSE(got.contains("error")) << got;
  const Filter filter = spent();
  const FilterVerdict verdict = filter.may_run(Gaussian{.stddev = 1});
  ASSERT_FALSE(verdict.runs);
  EXPECT_EQ(got["id"], "a");
  EXPECT_EQ(got["runs"], false);
  EXPECT_EQ(got["reason"], verdict.reason);
  EXPECT_EQ(got["headroom"], 0);
  const auto fitting = filter.would_fit(Gaussian{.stddev = 1});
  EXPECT_EQ(got["would_fit"]["parameter"], fitting->parameter);
  EXPECT_EQ(got["would_fit"]["value"], fitting->value);
  EXPECT_EQ(got["after"][0]["spent"].get<double>(), verdict.after[0].spent);
  EXPECT_EQ(got["after"][0]["within"], false);
  EXPECT_EQ(got["remaining"][0]["name"], "rho");
  EXPECT_EQ(got["remaining"][0]["spent"].get<double>(), filter.remaining()[0].spent);
  EXPECT_EQ(got["remaining"][0]["left"].get<double>(), filter.remaining()[0].left);
  EXPECT_EQ(got["guarantee"]["steps"][0]["mechanism"], "zcdp");
  EXPECT_EQ(got["guarantee"]["renyi"]["epsilon"].get<double>(), epsilon(filter.guarantee(), 1e-5).renyi->upper);
  EXPECT_EQ(got["cost_if_fixed_in_advance"]["exact"]["upper"].get<double>(),
            filter.cost_if_fixed_in_advance(1e-5).exact->worst.upper);
}

TEST(FilterRequest, StepsThatRunNeedNoReason) {
  const Json got = ask(zcdp + R"(,"step":{"mechanism":"gaussian","noise_multiplier":10},"count":3})");
  EXPECT_EQ(got["runs"], true) << got;
  EXPECT_EQ(got["headroom"], Filter(Budget::zcdp(0.5)).headroom(Gaussian{.stddev = 10}));
  EXPECT_FALSE(got.contains("reason") || got.contains("would_fit") || got.contains("cost_if_fixed_in_advance"));
}

TEST(FilterRequest, WithoutAStepThereAreBalancesOnly) {
  const Json got = ask(zcdp + history + "}");
  EXPECT_EQ(got["remaining"].size(), 1U) << got;
  EXPECT_FALSE(got.contains("runs") || got.contains("after") || got.contains("headroom"));
}

TEST(FilterRequest, GroupsAreOneStep) {
  const Json got = ask(zcdp + R"(,"step":{"plan":[{"mechanism":"gaussian","noise_multiplier":10},)"
                              R"({"mechanism":"zcdp","rho":0.01}],"count":2}})");
  // Each time, 2 * (0.005 + 0.01) of 0.5.
  EXPECT_EQ(got["headroom"], 16) << got;
  EXPECT_EQ(got["runs"], true);
}

TEST(FilterRequest, ALoweredBudgetKeepsItsHistory) {
  const Json got = ask(R"({"op":"filter","budget":{"kind":"zcdp","rho":0.1},"cap":{"kind":"zcdp","rho":1})" + history +
                       R"(,"step":{"mechanism":"zcdp","rho":0.001}})");
  EXPECT_EQ(got["runs"], false) << got;
  EXPECT_EQ(got["remaining"][0]["within"], false);
  EXPECT_EQ(got["guarantee"]["steps"][0]["rho"], 1);
}

TEST(FilterRequest, AnswersStateTheRelationAndTheSteps) {
  const Json got =
      ask(R"({"op":"filter","neighbors":"replace-one","unit":3,"budget":{"kind":"gdp","mu":3})" + history + "}");
  ASSERT_FALSE(got.contains("error")) << got;
  EXPECT_EQ(got["neighbors"], "replace-one");
  EXPECT_EQ(got["unit"], 3);
  EXPECT_EQ(got["steps"], Json::parse(R"([{"mechanism":"gaussian","noise_multiplier":2,"count":2}])"));
  // The guarantee is a plan by itself. Its budget is already about all records of a person.
  EXPECT_EQ(got["guarantee"]["neighbors"], "replace-one");
  EXPECT_EQ(got["guarantee"]["unit"], 1);
  Json request = got["guarantee"];
  request["op"] = "delta";
  request["epsilon"] = 1;
  const Plan guarantee = renyi::guarantee(Budget::gdp(3), Neighbors::replace_one);
  EXPECT_EQ(ask(request.dump())["exact"]["upper"].get<double>(), delta(guarantee, 1).exact->worst.upper);
}

TEST(FilterRequest, AnswersToAChargeAreAboutTheFilterAfterwards) {
  FilterRequest asked{.filter = Filter(Budget::zcdp(0.5)), .step = Plan{}.add(Gaussian{.stddev = 2}), .count = 2};
  EXPECT_FALSE(answer(asked).charged.has_value());
  EXPECT_EQ(answer(asked).headroom, 4);
  const FilterAnswer charged = charge(asked);
  EXPECT_EQ(charged.charged, true);
  EXPECT_EQ(charged.headroom, 2);
  EXPECT_EQ(charged.remaining[0].spent, spent().remaining()[0].spent);
  EXPECT_EQ(charged.history, spent().history());
  EXPECT_EQ(asked.filter.history(), spent().history());
  // Steps that may not run change nothing.
  asked.count = 3;
  const FilterAnswer refused = charge(asked);
  EXPECT_EQ(refused.charged, false);
  EXPECT_FALSE(refused.verdict->runs);
  EXPECT_TRUE(refused.would_fit.has_value());
  EXPECT_EQ(refused.remaining[0].spent, charged.remaining[0].spent);
  EXPECT_EQ(asked.filter.history(), spent().history());
}

TEST(FilterRequest, ADeltaBelowThatOfTheCapIsAnsweredAtTheCaps) {
  FilterRequest asked{.filter = Filter(Budget::approx(1, 1e-5).with_infinite_mass(1e-6)), .delta = 1e-5};
  const FilterAnswer below = answer(asked);
  ASSERT_TRUE(below.at_own_delta.has_value());
  EXPECT_DOUBLE_EQ(below.at_own_delta->at, 1.1e-5);
  EXPECT_NEAR(below.at_own_delta->upper(), 1, 1e-5);
  asked.delta = 1.1e-5;
  EXPECT_FALSE(answer(asked).at_own_delta.has_value());
  // A budget without a delta of its own has no finite epsilon at 0, and nothing to offer instead.
  EXPECT_FALSE(answer({.filter = Filter(Budget::zcdp(1)), .delta = 0.0}).at_own_delta.has_value());
}

TEST(FilterRequest, ErrorsNameTheField) {
  EXPECT_EQ(error_of(R"({"op":"filter"})"), "invalid_argument budget");
  EXPECT_EQ(error_of(R"({"op":"filter","budget":{"kind":"zcdp","rho":-1}})"), "invalid_argument budget.rho");
  EXPECT_EQ(error_of(R"({"op":"filter","budget":{"kind":"zcdp","rho":0.1})" + history + "}"), "invalid_argument steps");
  EXPECT_EQ(error_of(zcdp + R"(,"step":{"mechanism":"gaussian","noise_multiplier":-1}})"),
            "invalid_argument step.noise_multiplier");
  EXPECT_EQ(error_of(zcdp + R"(,"step":3})"), "invalid_argument step");
  EXPECT_EQ(error_of(zcdp + R"(,"count":3})"), "invalid_argument count");
  EXPECT_EQ(error_of(zcdp + step + R"(,"count":0})"), "invalid_argument count");
  EXPECT_EQ(error_of(zcdp + step + R"(,"delta":2})"), "invalid_argument delta");
  EXPECT_EQ(error_of(zcdp + R"(,"cap":{"kind":"zcdp","rho":0.1}})"), "invalid_argument budget");
  EXPECT_EQ(error_of(zcdp + R"(,"cap":{"kind":"gdp","mu":5}})"), "invalid_argument budget");
}

// The limit of each order is below 0: no step fits, and none has run.
TEST(FilterRequest, NoStepsCostNothing) {
  const std::string none =
      R"({"op":"filter","budget":{"kind":"shares","epsilon":1,"shares":[{"order":2,"delta":1e-300}]})";
  for (const char* steps : {"", R"(,"steps":[])", R"(,"steps":[{"plan":[],"count":3}])"}) {
    SCOPED_TRACE(steps);
    EXPECT_EQ(error_of(none + steps + "}"), "no error");
    const Json got = ask(none + steps + step + "}");
    EXPECT_EQ(got["runs"], false) << got;
    EXPECT_EQ(got["remaining"][0]["spent"], 0.0);
    EXPECT_EQ(got["remaining"][0]["left"], 0.0);
  }
  EXPECT_EQ(error_of(none + R"(,"cap":{"kind":"zcdp","rho":1}})"), "invalid_argument budget");
  EXPECT_EQ(error_of(none + history + "}"), "invalid_argument steps");
}

}  // namespace
}  // namespace renyi::api::api_filter_test
