// The operation "accuracy".
#include "renyi/accuracy.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "json/json.h"

namespace renyi::api::api_accuracy_test {
namespace {

using json::Json;

const std::string base = R"({"op":"accuracy","steps":[{"mechanism":"laplace","scale":10,"count":3},)"
                         R"({"mechanism":"gaussian","stddev":4}])";
const Plan plan = Plan().add(Laplace{10}, 3).add(Gaussian{4});

Json ask(const std::string& request) { return Json::parse(answer(request)); }

std::string error_of(const std::string& request) {
  const Json got = ask(request);
  if (!got.contains("error")) return "no error";
  return got["error"]["kind"].get<std::string>() + " " + got["error"]["path"].get<std::string>();
}

void expect_range(const Json& got, const Interval& expected) {
  EXPECT_EQ(got["lower"].get<double>(), expected.lower) << got;
  EXPECT_EQ(got["upper"].get<double>(), expected.upper) << got;
}

TEST(AccuracyRequest, AnswersAreTheLibrarys) {
  const Accuracy expected = accuracy(plan, {.levels = {0.5, 0.99}, .bounds = {30}, .grid = 0.5});
  const Json got = ask(base + R"(,"levels":[0.5,0.99],"bounds":[30],"grid":0.5,"id":7})");
  ASSERT_FALSE(got.contains("error")) << got;
  EXPECT_EQ(got["id"], 7);
  EXPECT_EQ(got["method"], "contour");
  expect_range(got["stddev"], expected.stddev);
  ASSERT_EQ(got["levels"].size(), 2U);
  EXPECT_EQ(got["levels"][1]["level"], 0.99);
  expect_range(got["levels"][1]["half_width"], expected.half_widths[1].width);
  ASSERT_EQ(got["bounds"].size(), 1U);
  EXPECT_EQ(got["bounds"][0]["bound"], 30);
  expect_range(got["bounds"][0]["probability"], expected.probabilities[0].probability);
  const Json& rounded = got["rounded"];
  EXPECT_EQ(rounded["grid"], 0.5);
  EXPECT_EQ(rounded["roundings"], 4);
  EXPECT_EQ(rounded["largest_shift"], 1);
  expect_range(rounded["stddev"], expected.rounded->stddev);
  expect_range(rounded["levels"][0]["half_width"], expected.rounded->half_widths[0].width);
  expect_range(rounded["bounds"][0]["probability"], expected.rounded->probabilities[0].probability);
}

TEST(AccuracyRequest, DefaultsToOneLevel) {
  const Json got = ask(base + "}");
  ASSERT_EQ(got["levels"].size(), 1U) << got;
  EXPECT_EQ(got["levels"][0]["level"], 0.95);
  EXPECT_TRUE(got["bounds"].empty());
  EXPECT_FALSE(got.contains("rounded"));
}

TEST(AccuracyRequest, ErrorsNameTheField) {
  EXPECT_EQ(error_of(base + R"(,"levels":[0.5,1]})"), "invalid_argument levels[1]");
  EXPECT_EQ(error_of(base + R"(,"bounds":[-1]})"), "invalid_argument bounds[0]");
  EXPECT_EQ(error_of(base + R"(,"grid":3})"), "invalid_argument grid");
  EXPECT_EQ(error_of(base + R"(,"grid":"1"})"), "invalid_argument grid");
  EXPECT_EQ(error_of(base + R"(,"level":[0.5]})"), "invalid_argument level");
  EXPECT_EQ(error_of(R"({"op":"accuracy","steps":[{"mechanism":"pure-dp","epsilon":1}]})"), "unsupported steps");
  EXPECT_EQ(error_of(R"({"op":"accuracy","steps":[]})"), "invalid_argument steps");
}

TEST(AccuracyRequest, NoiseMultipliersStateNoError) {
  EXPECT_EQ(error_of(R"({"op":"accuracy","steps":[{"mechanism":"gaussian","noise_multiplier":2}]})"),
            "invalid_argument steps[0].noise_multiplier");
  EXPECT_EQ(error_of(R"({"op":"accuracy","steps":[{"mechanism":"laplace","scale":2},)"
                     R"({"plan":[{"mechanism":"gaussian","noise_multiplier":2}],"count":2}]})"),
            "invalid_argument steps[1].plan[0].noise_multiplier");
}

}  // namespace
}  // namespace renyi::api::api_accuracy_test
