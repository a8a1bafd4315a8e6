// Requests about steps known by a guarantee or a table, and about losses that may be infinite.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "json/json.h"

namespace renyi::api::guarantees_test {
namespace {

using json::Json;

using testing::HasSubstr;

Json ask(const std::string& op, const std::string& steps, const std::string& more) {
  return Json::parse(answer(R"({"op":")" + op + R"(","steps":[)" + steps + "]," + more + "}"));
}

const std::string approx = R"({"mechanism":"approx-dp","epsilon":0.5,"delta":1e-6,"count":4})";
const std::string leaky = R"({"mechanism":"pairs","probabilities":[[0.01,0],[0.6,0.4],[0.39,0.6]]})";

TEST(Guarantees, WhatIsPaidApartIsSaid) {
  const Json epsilon = ask("epsilon", approx, R"("delta":1e-5)");
  EXPECT_NEAR(epsilon["renyi"]["delta_apart"].get<double>(), 4e-6, 1e-11);
  EXPECT_LE(epsilon["exact"]["upper"].get<double>(), 2);
  EXPECT_THAT(epsilon["note"].get<std::string>(), HasSubstr("worst step with that promise"));
  EXPECT_FALSE(
      ask("epsilon", R"({"mechanism":"pure-dp","epsilon":1})", R"("delta":1e-5)")["renyi"].contains("delta_apart"));
  EXPECT_NEAR(ask("delta", leaky, R"("epsilon":5)")["renyi"]["delta_apart"].get<double>(), 0.01, 1e-15);
  EXPECT_EQ(ask("epsilon", leaky, R"("delta":0.001)")["exact"]["upper"], "inf");
}

TEST(Guarantees, NoOrderIsFiniteAndTheNoteSaysWhy) {
  const Json rdp = ask("rdp", approx, R"("orders":[1,2,"inf"])");
  for (const Json& value : rdp["rdp"]) EXPECT_EQ(value, "inf");
  EXPECT_THAT(rdp["note"].get<std::string>(), HasSubstr("infinite with probability"));
  EXPECT_FALSE(ask("rdp", R"({"mechanism":"no-op"})", R"("orders":[2])").contains("note"));
}

TEST(Guarantees, QuestionsWithoutAnAnswerSayWhy) {
  const Json loss = ask("loss", approx, R"("at_least":[1])");
  EXPECT_EQ(loss["error"]["kind"], "unsupported");
  EXPECT_THAT(loss["error"]["message"].get<std::string>(), HasSubstr("infinite with probability"));
  const Json relate = ask("relate", approx, R"("neighbors":"zero-out")");
  for (const char* notion : {"pure", "zcdp", "cdp", "gdp"}) {
    EXPECT_THAT(relate[notion].dump(), HasSubstr("infinite with probability")) << relate;
  }
}

TEST(Guarantees, TablesAreReadWithTheirPaths) {
  const auto path = [](const std::string& step) {
    return ask("epsilon", step, R"("delta":1e-5)")["error"]["path"].get<std::string>();
  };
  EXPECT_EQ(path(R"({"mechanism":"rdp","points":[[2,0.1],[3,-1e-17]]})"), "steps[0].points[1][1]");
  EXPECT_EQ(path(R"({"mechanism":"pairs","probabilities":[[0.5,0.5],[0.4,0.5]]})"), "steps[0].probabilities");
  EXPECT_EQ(path(R"({"mechanism":"losses","losses":[[-1,0.9],[1,0.1]]})"), "steps[0].losses");
  EXPECT_EQ(path(R"({"mechanism":"pairs"})"), "steps[0].probabilities");
  EXPECT_EQ(path(R"({"mechanism":"approx-dp","epsilon":1,"delta":2})"), "steps[0].delta");
}

TEST(Guarantees, NothingAndEverything) {
  EXPECT_EQ(ask("epsilon", R"({"mechanism":"no-op","count":7})", R"("delta":0)")["exact"]["upper"], 0);
  const Json nothing = ask("delta", R"({"mechanism":"non-private"})", R"("epsilon":100)");
  EXPECT_EQ(nothing["exact"]["lower"], 1);
  EXPECT_EQ(nothing["renyi"]["delta"], 1);
}

TEST(Guarantees, CalibrationLeavesRoomForThem) {
  const std::string open = R"({"mechanism":"gaussian","noise_multiplier":null},)" + approx;
  const Json found = ask("calibrate", open, R"("epsilon":3,"delta":1e-5)");
  EXPECT_LE(found["exact"]["upper"].get<double>(), 3);
  EXPECT_GT(found["exact"]["upper"].get<double>(), 2.99);
  EXPECT_TRUE(found["renyi"].contains("delta_apart"));
  EXPECT_EQ(ask("calibrate", open, R"("epsilon":3,"delta":1e-6)")["error"]["kind"], "unsupported");
}

}  // namespace
}  // namespace renyi::api::guarantees_test
