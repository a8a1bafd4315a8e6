// The operation "tradeoff", and the exact outcomes of "explain".
#include "renyi/tradeoff.h"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "json/json.h"
#include "renyi/explain.h"

namespace renyi::api::api_tradeoff_test {
namespace {

using json::Json;

const std::string steps = R"("steps":[{"mechanism":"gaussian","noise_multiplier":2,"count":3}])";
const std::string base = R"({"op":"tradeoff",)" + steps;
const Plan plan = Plan().add(Gaussian{2}, 3);

Json ask(const std::string& request) { return Json::parse(answer(request)); }

std::string error_path(const std::string& request) {
  const Json got = ask(request);
  return got.contains("error") ? got["error"]["path"].get<std::string>() : "no error";
}

void expect_range(const Json& got, double lower, double upper) {
  EXPECT_EQ(got["lower"].get<double>(), lower) << got;
  EXPECT_EQ(got["upper"].get<double>(), upper) << got;
}

TEST(TradeoffRequest, PointsAreTheLibrarys) {
  const std::array<double, 2> errors{0.01, 0.25};
  const auto expected = tradeoff(plan, errors);
  const Json got = ask(base + R"(,"type_1_errors":[0.01,0.25]})");
  ASSERT_EQ(got["points"].size(), 2U) << got;
  for (std::size_t i = 0; i < 2; ++i) {
    const Json& row = got["points"][i];
    EXPECT_EQ(row["type_1_error"].get<double>(), errors[i]);
    expect_range(row["type_2_error"], expected[i].worst.type_two.lower, expected[i].worst.type_two.upper);
    expect_range(row["power"], expected[i].worst.power.lower, expected[i].worst.power.upper);
    expect_range(row["add"]["power"], expected[i].add.power.lower, expected[i].add.power.upper);
    expect_range(row["remove"]["type_2_error"], expected[i].remove.type_two.lower, expected[i].remove.type_two.upper);
    EXPECT_TRUE(row["direction"] == "remove" || row["direction"] == "add");
  }
  expect_range(got["advantage"], advantage(plan).lower, advantage(plan).upper);
}

TEST(TradeoffRequest, ChoosesErrorsByItselfAndRefusesBadOnes) {
  EXPECT_GE(ask(base + "}")["points"].size(), 5U);
  EXPECT_EQ(error_path(base + R"(,"type_1_errors":[]})"), "type_1_errors");
  EXPECT_EQ(error_path(base + R"(,"type_1_errors":[0.5,1.5]})"), "type_1_errors[1]");
  EXPECT_EQ(error_path(base + R"(,"tolerance":-1})"), "tolerance");
  EXPECT_EQ(error_path(base + R"(,"want":["exact"]})"), "want");
  const Json none = ask(R"({"op":"tradeoff","steps":[{"mechanism":"zcdp","rho":1}]})")["error"];
  EXPECT_EQ(none["kind"], "unsupported");
  EXPECT_EQ(none["message"].get<std::string>().find("Renyi"), std::string::npos) << none;
}

TEST(ExplainRequest, BaselinesHaveExactRanges) {
  const Json got = ask(R"({"op":"explain",)" + steps + R"(,"baseline":[0.1]})");
  const Explanation all = explain(plan, {.baselines = {0.1}});
  expect_range(got["outcomes"][0]["exact"], all.outcomes[0].exact->lower, all.outcomes[0].exact->upper);
  // Those that are not named too, and the same whatever else is asked for.
  EXPECT_EQ(ask(R"({"op":"explain",)" + steps + "}")["outcomes"][1]["exact"], got["outcomes"][0]["exact"]);
  const Json none = ask(R"({"op":"explain","steps":[{"mechanism":"zcdp","rho":1}],"baseline":[0.1]})");
  EXPECT_TRUE(none["outcomes"][0]["exact"].contains("unavailable")) << none;
}

}  // namespace
}  // namespace renyi::api::api_tradeoff_test
