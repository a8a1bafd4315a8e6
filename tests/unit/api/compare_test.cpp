// The operations "compare" and "rdp" with "compare".
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "json/json.h"
#include "renyi/papers/composition_theorems.h"
#include "renyi/plan.h"

namespace renyi::api::api_compare_test {
namespace {

using json::Json;

Json ask(const std::string& request) { return Json::parse(answer(request)); }

std::string error_path(const std::string& request) {
  const Json got = ask(request);
  return got.contains("error") ? got["error"]["path"].get<std::string>() : "no error";
}

const std::string pure = R"({"op":"compare","steps":[{"mechanism":"pure-dp","epsilon":0.25,"count":8}],"delta":1e-5)";
const std::string sampled =
    R"({"op":"rdp","steps":[{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":4}])";

TEST(CompareRequest, RowsAreTheLibrarys) {
  const Json got = ask(pure + R"(,"epsilon":4,"event":0.01})");
  const Comparison expected = compare(Plan().add(PureDp{0.25}, 8), 1e-5, {.epsilon = 4, .event = 0.01});
  ASSERT_EQ(got["theorems"].size(), expected.theorems.size()) << got;
  for (std::size_t i = 0; i < expected.theorems.size(); ++i) {
    const Json& row = got["theorems"][i];
    const TheoremAnswer& answer = expected.theorems[i];
    EXPECT_EQ(row["name"], answer.name);
    EXPECT_EQ(row["source"], answer.source);
    EXPECT_EQ(row.contains("epsilon"), answer.epsilon.has_value());
    if (answer.epsilon) {
      EXPECT_EQ(row["epsilon"].get<double>(), *answer.epsilon);
      EXPECT_EQ(row["largest_count"].get<std::int64_t>(), answer.largest_count->count);
    }
  }
  EXPECT_EQ(got["theorems"][2]["event"].get<double>(), 0.01);
  EXPECT_EQ(got["theorems"][2]["probability"].get<double>(), *expected.theorems[2].event_probability);
  EXPECT_EQ(got["best"], expected.theorems[*expected.best].name);
  EXPECT_TRUE(got.contains("best_for_count"));
}

TEST(CompareRequest, SaysHowDeltaWasDivided) {
  const Json got = ask(
      R"({"op":"compare","steps":[{"mechanism":"approx-dp","epsilon":0.1,"delta":1e-8,"count":100}],"delta":1.5e-6})");
  const Json& advanced = got["theorems"][1];
  EXPECT_NEAR(advanced["epsilon"].get<double>(), 6.438, 5e-4);
  EXPECT_EQ(advanced["split"]["steps"].dump(), R"([{"epsilon":0.1,"delta":1e-08,"count":100}])");
  EXPECT_NEAR(advanced["split"]["slack"].get<double>(), 5e-7, 1e-18);
  EXPECT_FALSE(got["theorems"][6].contains("split"));
}

TEST(CompareRequest, CountsOnlyWithABudget) {
  const Json got = ask(pure + "}");
  for (const Json& row : got["theorems"]) EXPECT_FALSE(row.contains("largest_count")) << row;
  EXPECT_FALSE(got.contains("best_for_count"));
}

TEST(CompareRequest, WhatDoesNotApplySaysWhy) {
  const Json got =
      ask(R"({"op":"compare","steps":[{"mechanism":"gaussian","noise_multiplier":2}],"delta":0,"epsilon":1})");
  for (const Json& row : got["theorems"]) EXPECT_FALSE(row["unavailable"].get<std::string>().empty()) << row;
  EXPECT_FALSE(got.contains("best"));
}

TEST(CompareRequest, CountsWithoutEndAreWords) {
  const Json free = ask(R"({"op":"compare","steps":[{"mechanism":"pure-dp","epsilon":0}],"delta":1e-5,"epsilon":1})");
  EXPECT_EQ(free["theorems"][0]["largest_count"], "unlimited");
  EXPECT_EQ(free["best"], "exact");  // although all are 0
  const Json tiny =
      ask(R"({"op":"compare","steps":[{"mechanism":"pure-dp","epsilon":1e-12}],"delta":1e-5,"epsilon":1e9})");
  EXPECT_EQ(tiny["theorems"][0]["largest_count"]["at_least"].get<std::int64_t>(), 9223372036854775807);
}

TEST(CompareRequest, RefusalsNameTheirPath) {
  EXPECT_EQ(error_path(R"({"op":"compare","steps":[]})"), "delta");
  EXPECT_EQ(error_path(pure + R"(,"epsilon":-1})"), "epsilon");
  EXPECT_EQ(error_path(pure + R"(,"event":0})"), "event");
  EXPECT_EQ(error_path(pure + R"(,"event":"inf"})"), "event");
  EXPECT_EQ(error_path(pure + R"(,"orders":[2]})"), "orders");
}

TEST(RdpRequest, ComparesWithTheClosedForm) {
  const Json got = ask(sampled + R"(,"compare":"closed-form","orders":[2,100,"inf"]})");
  ASSERT_FALSE(got.contains("error")) << got;
  EXPECT_EQ(got["orders"], Json::parse(R"([2,100,"inf"])"));
  EXPECT_EQ(got["rdp"][0], ask(sampled + R"(,"orders":[2]})")["rdp"][0]);
  EXPECT_EQ(got["closed_form"][0], ask(sampled + R"(,"orders":[2],"method":"closed-form"})")["rdp"][0]);
  EXPECT_NEAR(got["ratio_estimate"][0].get<double>(), 3.876, 1e-3);
  EXPECT_TRUE(got["closed_form"][1].contains("unavailable"));
  EXPECT_TRUE(got["ratio_estimate"][1].is_null());
  EXPECT_EQ(got["rdp"][2], "inf");
  EXPECT_NEAR(got["conditions_end"][0]["order"].get<double>(), 14.3428, 1e-4);
  EXPECT_EQ(got["conditions_end"][0]["condition"], "order <= s^2 L/2 - 2 ln s");
}

TEST(RdpRequest, ChoosesOrdersByItself) {
  const Json got = ask(sampled + R"(,"compare":"closed-form"})");
  EXPECT_GE(got["orders"].size(), 8U);
  EXPECT_EQ(got["orders"].size(), got["rdp"].size());
  EXPECT_EQ(got["orders"].size(), got["closed_form"].size());
}

TEST(RdpRequest, RefusesWhatDoesNotGoTogether) {
  EXPECT_EQ(error_path(sampled + R"(,"compare":"series"})"), "compare");
  EXPECT_EQ(error_path(sampled + R"(,"compare":"closed-form","method":"series"})"), "method");
  EXPECT_EQ(error_path(sampled + R"(,"compare":"closed-form","direction":"add"})"), "direction");
  EXPECT_EQ(error_path(sampled + "}"), "orders");
  const Json other = ask(R"({"op":"rdp","steps":[{"mechanism":"laplace","scale":2}],"compare":"closed-form"})");
  EXPECT_EQ(other["error"]["kind"], "unsupported");
}

// A quotient of doubles by the smallest of them overflows.
TEST(CompareRequest, TheSmallestDeltaHasAnExactCost) {
  const Json got = ask(
      R"({"op":"compare","steps":[{"mechanism":"losses","losses":[[1,0.7310585786300049],[-1,0.2689414213699951]],"count":1}],"delta":5e-324})");
  ASSERT_FALSE(got.contains("error")) << got;
  EXPECT_NEAR(got["theorems"].back()["epsilon"].get<double>(), 1, 1e-12) << got;
}

}  // namespace
}  // namespace renyi::api::api_compare_test
