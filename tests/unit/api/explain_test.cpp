#include "renyi/explain.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "json/json.h"
#include "renyi/papers/bad_outcomes.h"

namespace renyi::api::api_explain_test {
namespace {

using json::Json;

const std::string laplace = R"({"op":"explain","steps":[{"mechanism":"laplace","scale":2}])";
const std::string gaussian = R"({"op":"explain","steps":[{"mechanism":"gaussian","noise_multiplier":4}])";

Json ask(const std::string& request) { return Json::parse(answer(request)); }

std::string error_path(const std::string& request) {
  const Json got = ask(request);
  return got.contains("error") ? got["error"]["path"].get<std::string>() : "no error";
}

TEST(ExplainRequest, NumbersAreTheLibrarys) {
  const Json got =
      ask(laplace + R"(,"baseline":[0.2,1e-3],"orders":[3,"inf"],"delta":1e-5,"factors":[1.5],"group_size":3,"id":1})");
  const Explanation expected =
      explain(Plan().add(Laplace{.scale = 2}),
              {.baselines = {0.2, 1e-3}, .orders = {3, INFINITY}, .factors = {1.5}, .delta = 1e-5, .group_size = 3});
  const Json& outcome = got["outcomes"][1];
  EXPECT_EQ(outcome["baseline"], 1e-3);
  EXPECT_EQ(outcome["renyi"]["upper"].get<double>(), expected.outcomes[1].best.upper.probability);
  EXPECT_EQ(outcome["renyi"]["upper_order"], "inf");
  EXPECT_EQ(outcome["renyi"]["lower_form"], "direct");
  EXPECT_EQ(outcome["orders"][0]["lower"].get<double>(), expected.outcomes[1].at_orders[0].lower);
  EXPECT_EQ(outcome["orders"][1]["order"], "inf");
  EXPECT_EQ(outcome["pure"]["upper"].get<double>(), expected.outcomes[1].pure->upper);
  EXPECT_EQ(outcome["approximate"]["upper"].get<double>(), expected.outcomes[1].approximate->upper);
  EXPECT_EQ(got["orders"][0]["bayes_moment"].get<double>(), expected.orders[0].bayes_moment);
  EXPECT_EQ(got["bayes"]["tails"][0]["probability"].get<double>(), expected.bayes_tails[0].bound.upper);
  EXPECT_EQ(got["bayes"]["expected_log_factor"].get<double>(), expected.expected_log_bayes_factor);
  EXPECT_EQ(got["group"]["stability"], 4);
  EXPECT_EQ(got["group"]["approximate"]["epsilon"].get<double>(), expected.group->approximate->upper);
  EXPECT_EQ(got["group"]["scaled"]["epsilon"].get<double>(), expected.group->scaled->renyi->upper);
  EXPECT_EQ(got["group"]["scaled"]["exact"]["upper"].get<double>(), expected.group->scaled->upper());
  EXPECT_EQ(got["approximate"]["epsilon"].get<double>(), expected.approximate->renyi->upper);
  EXPECT_EQ(got["approximate"]["exact"]["upper"].get<double>(), expected.approximate->upper());
  EXPECT_EQ(outcome["exact"]["lower"].get<double>(), expected.outcomes[1].exact->lower);
  EXPECT_EQ(got["bayes"]["tails"][0]["exact"]["upper"].get<double>(), expected.bayes_tails[0].exact->upper);
  EXPECT_EQ(got["bayes"]["tails"][0]["exact"]["method"], "closed-form");
  EXPECT_EQ(got["always"].size(), 2U);
  EXPECT_EQ(got["id"], 1);
}

TEST(ExplainRequest, AnUnboundedLossSaysSo) {
  const Json got = ask(gaussian + "}");
  EXPECT_EQ(got["outcomes"].size(), 5U);
  EXPECT_EQ(got["outcomes"][0]["pure"]["unavailable"], "the loss is unbounded");
  EXPECT_EQ(got["pure_epsilon"], "inf");
  EXPECT_FALSE(got.contains("group"));
  EXPECT_FALSE(got.contains("approximate"));
}

// For a guarantee at finite orders, an infinite bound means only that no bound is known.
TEST(ExplainRequest, APromiseDoesNotSayThatTheLossIsUnbounded) {
  for (const std::string step :
       {R"({"mechanism":"rdp","order":10,"epsilon":0.1})", R"({"mechanism":"rdp","points":[[2,0.1],[8,0.5]]})",
        R"({"mechanism":"zcdp","rho":0.1})", R"({"mechanism":"tcdp","rho":0.1,"omega":10})",
        R"({"mechanism":"cdp","mu":0.1,"tau":0.5})", R"({"mechanism":"moments","lambda":8,"alpha":1})",
        R"({"mechanism":"gdp","mu":0.5})", R"({"mechanism":"approx-dp","epsilon":0.5,"delta":1e-7})"}) {
    const Json got = ask(R"({"op":"explain","steps":[)" + step + "]}");
    EXPECT_EQ(got["outcomes"][0]["pure"]["unavailable"], "the loss is not known to be bounded") << step;
    const Json both =
        ask(R"({"op":"explain","steps":[)" + step + R"(,{"mechanism":"gaussian","noise_multiplier":2}]})");
    EXPECT_EQ(both["outcomes"][0]["pure"]["unavailable"], "the loss is unbounded") << step;
  }
}

TEST(ExplainRequest, BadValuesAreNamed) {
  EXPECT_EQ(error_path(laplace + R"(,"baseline":[0.5,0]})"), "baseline[1]");
  EXPECT_EQ(error_path(laplace + R"(,"baseline":[1]})"), "baseline[0]");
  EXPECT_EQ(error_path(laplace + R"(,"baseline":0.5})"), "baseline");
  EXPECT_EQ(error_path(laplace + R"(,"baseline":[]})"), "baseline");
  EXPECT_EQ(error_path(laplace + R"(,"orders":[0.5]})"), "orders[0]");
  EXPECT_EQ(error_path(laplace + R"(,"factors":[0.5]})"), "factors[0]");
  EXPECT_EQ(error_path(laplace + R"(,"factors":["inf"]})"), "factors[0]");
  EXPECT_EQ(error_path(laplace + R"(,"delta":2})"), "delta");
  EXPECT_EQ(error_path(laplace + R"(,"group_size":1})"), "group_size");
  EXPECT_EQ(error_path(laplace + R"(,"group_size":2.5})"), "group_size");
  EXPECT_EQ(error_path(laplace + R"(,"group":2})"), "group");
  EXPECT_EQ(error_path(R"({"op":"explain"})"), "steps");
}

TEST(ExplainRequest, TheReferenceTableNeedsNoPlanAndTakesNone) {
  const Json got = ask(R"({"op":"explain","reference_table":true,"id":"t"})");
  EXPECT_EQ(got["reference_table"].size(), 9U);
  EXPECT_EQ(got["reference_table"][4]["upper"].get<double>(), reference_table()[4].range.upper);
  EXPECT_EQ(got["epsilon"], 0.1);
  EXPECT_EQ(got["id"], "t");
  EXPECT_EQ(error_path(laplace + R"(,"reference_table":true})"), "steps");
  EXPECT_EQ(error_path(R"({"op":"explain","reference_table":true,"delta":0.1})"), "delta");
  EXPECT_EQ(error_path(R"({"op":"explain","reference_table":false})"), "reference_table");
}

}  // namespace
}  // namespace renyi::api::api_explain_test
