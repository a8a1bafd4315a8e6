#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "api/api.h"
#include "api/json/ops.h"
#include "conversion/renyi_bound.h"
#include "json/json.h"
#include "json/write.h"
#include "renyi/error.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi::api::answer_test {
namespace {

using json::Json;

const std::string laplace = R"("steps":[{"mechanism":"laplace","scale":2}])";

Json ask(const std::string& request) { return Json::parse(answer(request)); }

std::string error_path(const std::string& request) {
  const Json got = ask(request);
  return got.contains("error") ? got["error"]["path"].get<std::string>() : "no error";
}

TEST(Answer, EpsilonIsTheLibrarysAndReadsBackToTheSameDouble) {
  const Json got = ask(R"({"op":"epsilon",)" + laplace + R"(,"delta":1e-5,"id":"a"})");
  const RenyiBound expected = renyi_epsilon(Plan().add(Laplace{.scale = 2}), 1e-5);
  EXPECT_EQ(got["renyi"]["epsilon"].get<double>(), expected.upper);
  EXPECT_EQ(got["renyi"]["order"].get<double>(), expected.order);
  EXPECT_EQ(got["renyi"]["conversion"], "tight");
  EXPECT_EQ(got["id"], "a");
}

TEST(Answer, DeltaTakesInfinity) {
  EXPECT_EQ(answer(R"({"op":"delta",)" + laplace + R"(,"epsilon":"inf","want":["renyi"]})"),
            R"({"renyi":{"delta":0,"order":"inf","conversion":"pure"}})");
}

TEST(Answer, RdpGivesUpperBoundsInTheOrderAsked) {
  const Json got = ask(R"({"op":"rdp",)" + laplace + R"(,"orders":["inf",1,2]})");
  const std::vector<double> orders{std::numeric_limits<double>::infinity(), 1, 2};
  const auto expected = rdp(Plan().add(Laplace{.scale = 2}), orders);
  ASSERT_EQ(got["rdp"].size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(got["rdp"][i].get<double>(), expected[i].upper());
}

TEST(Answer, InfiniteDivergenceIsAString) {
  EXPECT_EQ(answer(R"({"op":"rdp","steps":[{"mechanism":"gaussian","noise_multiplier":1}],"orders":["inf"]})"),
            R"({"rdp":["inf"]})");
}

// A list of so many numbers.
std::string list_of(std::size_t numbers) {
  std::string list = "[2";
  for (std::size_t i = 1; i < numbers; ++i) list += ",2";
  return list + "]";
}

TEST(Answer, ListsHaveAnEnd) {
  const std::string pair = R"("pair":{"family":"bernoulli","p":0.5,"q":0.25})";
  for (const auto& [request, list] : std::vector<std::pair<std::string, std::string>>{
           {R"({"op":"rdp",)" + laplace, "orders"},
           {R"({"op":"rdp","compare":"closed-form","steps":[{"mechanism":"sampled-gaussian","sampling_rate":0.01,)"
            R"("noise_multiplier":4}])",
            "orders"},
           {R"({"op":"epsilon","delta":1e-5,)" + laplace, "orders"},
           {R"({"op":"delta","epsilon":1,)" + laplace, "orders"},
           {R"({"op":"profile","epsilons":[1],)" + laplace, "orders"},
           {R"({"op":"profile",)" + laplace, "epsilons"},
           {R"({"op":"explain",)" + laplace, "orders"},
           {R"({"op":"explain",)" + laplace, "factors"},
           {R"({"op":"loss",)" + laplace, "orders"},
           {R"({"op":"loss",)" + laplace, "at_least"},
           {R"({"op":"loss",)" + laplace, "within"},
           {R"({"op":"divergence",)" + pair, "orders"},
           {R"({"op":"divergence",)" + pair, "epsilons"}}) {
    const std::string start = request + ",\"" + list + "\":";
    EXPECT_FALSE(ask(start + list_of(1000) + "}").contains("error")) << start;
    const Json refused = ask(start + list_of(1001) + "}");
    ASSERT_TRUE(refused.contains("error")) << start;
    EXPECT_EQ(refused["error"]["kind"], "invalid_argument");
    EXPECT_EQ(refused["error"]["path"], list);
    EXPECT_EQ(refused["error"]["message"], list + ": got an array of 1001, allowed: an array of at most 1000 numbers");
  }
}

TEST(Answer, OptionsReachTheLibrary) {
  const std::string base = R"({"op":"epsilon",)" + laplace + R"(,"delta":1e-5)";
  ConversionOptions options{.conversion = Conversion::classical, .orders = std::vector<double>{2, 8}};
  const RenyiBound expected = renyi_epsilon(Plan().add(Laplace{.scale = 2}), 1e-5, options);
  const Json got = ask(base + R"(,"orders":[2,8],"conversion":"classical"})");
  EXPECT_EQ(got["renyi"]["epsilon"].get<double>(), expected.upper);
  EXPECT_EQ(got["renyi"]["conversion"], "classical");
  EXPECT_FALSE(ask(base + R"(,"orders":"traditional"})").contains("error"));
}

TEST(Answer, MethodAndDirectionReachTheLibrary) {
  const std::string base =
      R"({"op":"rdp","steps":[{"mechanism":"sampled-gaussian","sampling_rate":0.1,"noise_multiplier":2}],"orders":[3])";
  const double add = ask(base + R"(,"direction":"add"})")["rdp"][0].get<double>();
  const double remove = ask(base + R"(,"direction":"remove","method":"integer"})")["rdp"][0].get<double>();
  EXPECT_LT(add, remove);
  EXPECT_EQ(ask(base + R"(,"direction":"add","method":"integer"})")["error"]["kind"], "unsupported");
}

TEST(Answer, CalibrateNamesWhatItSolvedAsTheRequestSpellsIt) {
  const Json got = ask(
      R"({"op":"calibrate","steps":[{"plan":[{"mechanism":"gaussian","noise_multiplier":null,"count":10}]}],"epsilon":1,"delta":1e-5})");
  ASSERT_FALSE(got.contains("error")) << got;
  EXPECT_EQ(got["parameter"], "noise_multiplier");
  EXPECT_EQ(got["path"], "steps[0].plan[0].noise_multiplier");
  Plan plan;
  plan.add(Gaussian{.stddev = got["value"].get<double>()}, 10);
  EXPECT_EQ(renyi_epsilon(plan, 1e-5).upper, got["renyi"]["epsilon"].get<double>());
  EXPECT_EQ(got["by"], "exact");
  EXPECT_LE(got["exact"]["upper"].get<double>(), 1);
}

TEST(Answer, ACalibratedCountIsAnInteger) {
  const Json got = ask(
      R"({"op":"calibrate","steps":[{"mechanism":"gaussian","noise_multiplier":50,"count":null}],"epsilon":1,"delta":1e-5})");
  EXPECT_TRUE(got["value"].is_number_integer());
  EXPECT_EQ(got["parameter"], "count");
}

TEST(Answer, CalibrateNeedsExactlyOneNull) {
  const std::string target = R"(,"epsilon":1,"delta":1e-5})";
  EXPECT_EQ(error_path(R"({"op":"calibrate",)" + laplace + target), "steps");
  EXPECT_EQ(error_path(R"({"op":"calibrate","steps":[{"mechanism":"laplace","scale":null,"count":null}])" + target),
            "steps[0].count");
  EXPECT_EQ(error_path(R"({"op":"epsilon","steps":[{"mechanism":"laplace","scale":null}],"delta":0.1})"),
            "steps[0].scale");
}

TEST(Answer, TheIdIsEchoedInErrorsToo) {
  EXPECT_EQ(ask(R"({"id":1,"op":"frob"})")["id"], 1);
  EXPECT_EQ(ask(R"({"id":"x","op":"rdp","op":"rdp"})")["id"], "x");
  EXPECT_EQ(ask(R"({"id":18446744073709551615})")["id"].get<std::uint64_t>(), 18446744073709551615U);
  EXPECT_TRUE(ask(R"({"id":null})").contains("id"));
  EXPECT_FALSE(ask(R"({"op":"frob"})").contains("id"));
  EXPECT_EQ(ask(R"({"id":"x",)")["id"], "x");
}

TEST(Answer, AnIdThatCannotBeEchoedExactlyIsRefused) {
  for (const std::string id : {"1.5", "[1]", "{}", "true", "100000000000000000000"}) {
    const std::string request = R"({"op":"epsilon",)" + laplace + R"(,"delta":0.1,"id":)" + id + "}";
    EXPECT_EQ(error_path(request), "id") << id;
    EXPECT_FALSE(ask(request).contains("id")) << id;
  }
}

TEST(Answer, RefusalsNameTheirPath) {
  const std::string base = R"({"op":"epsilon",)" + laplace;
  EXPECT_EQ(error_path("[]"), "document");
  EXPECT_EQ(error_path("{}"), "op");
  EXPECT_EQ(error_path(base + "}"), "delta");
  EXPECT_EQ(error_path(base + R"(,"delta":1.5})"), "delta");
  EXPECT_EQ(error_path(base + R"(,"delta":"inf"})"), "delta");
  EXPECT_EQ(error_path(base + R"(,"delta":0.1,"epsilon":1})"), "epsilon");
  EXPECT_EQ(error_path(base + R"(,"delta":0.1,"orders":[2,1]})"), "orders[1]");
  EXPECT_EQ(error_path(base + R"(,"delta":0.1,"orders":[]})"), "orders");
  EXPECT_EQ(error_path(base + R"(,"delta":0.1,"orders":"all"})"), "orders");
  EXPECT_EQ(error_path(base + R"(,"delta":0.1,"conversion":"pure"})"), "conversion");
  EXPECT_EQ(error_path(R"({"op":"rdp",)" + laplace + R"(,"orders":[2],"direction":"up"})"), "direction");
  EXPECT_EQ(error_path(R"({"op":"rdp",)" + laplace + R"(,"orders":[0.5]})"), "orders[0]");
  EXPECT_EQ(error_path(R"({"op":"delta",)" + laplace + R"(,"epsilon":-1})"), "epsilon");
}

TEST(Evaluate, ThrowsWhatAnswerExplains) {
  EXPECT_THROW(evaluate(Json::parse("{}")), InvalidArgument);
  EXPECT_EQ(json::write(evaluate(Json::parse(R"({"op":"epsilon",)" + laplace + R"(,"delta":1,"id":3})"))),
            answer(R"({"op":"epsilon",)" + laplace + R"(,"delta":1,"id":3})"));
  const std::string request = R"({"op":"epsilon",)" + laplace + R"(,"delta":1})";
  EXPECT_EQ(evaluate_request(request), answer(request));
  EXPECT_THROW(evaluate_request("{"), InvalidArgument);
  EXPECT_THROW(evaluate_request(R"({"op":"luck"})"), InvalidArgument);
}

TEST(RequestFromPlan, TakesOverStepsAndRelationAndChecksTheHeader) {
  EXPECT_EQ(request_from_plan(R"({"renyi":1,"neighbors":"zero-out","steps":[]})").text(),
            R"({"neighbors":"zero-out","steps":[]})");
  EXPECT_THROW(request_from_plan(R"({"renyi":2,"steps":[]})"), InvalidArgument);
  EXPECT_THROW(request_from_plan(R"({"renyi":1,"steps":[],"steps":[]})"), InvalidArgument);
}

}  // namespace
}  // namespace renyi::api::answer_test
