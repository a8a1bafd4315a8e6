// The operation "filter".
#include "renyi/filter.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
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

}  // namespace
}  // namespace renyi::api::api_filter_test
