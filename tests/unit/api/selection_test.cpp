// Requests about mechanisms that choose, and about the best of several runs.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "json/json.h"
#include "renyi/extras/select.h"

namespace renyi::api::selection_test {
namespace {

using json::Json;

Json ask(const std::string& request) { return Json::parse(answer(request)); }

std::string best_of(const std::string& steps) {
  return R"({"select":[)" + steps + R"(],"runs":{"law":"geometric","mean":10}})";
}

TEST(SelectionAnswers, AreThoseOfThePlan) {
  const Json got =
      ask(R"({"op":"rdp","orders":[2,"inf"],"steps":[)" + best_of(R"({"mechanism":"pure-dp","epsilon":0.5})") + "]}");
  const auto curve = compose(Plan().add(Select({Step{Mechanism(PureDp{0.5})}}, Runs::geometric(10))));
  EXPECT_EQ(got["rdp"][0].get<double>(), rdp(*curve, 2).upper());
  EXPECT_NEAR(got["rdp"][1].get<double>(), 1.5, 1e-12);
}

TEST(SelectionAnswers, ExactFiguresAreUnavailable) {
  const Json got = ask(R"({"op":"epsilon","delta":1e-5,"steps":[)" +
                       best_of(R"({"mechanism":"gaussian","noise_multiplier":4})") + "]}");
  EXPECT_TRUE(got["exact"].contains("unavailable")) << got;
  EXPECT_GT(got["renyi"]["epsilon"].get<double>(), 1);
}

// Overflows of batches, and what shuffled epochs would be under Poisson sampling, are found within runs too.
TEST(SelectionAnswers, SamplingWithinRunsIsStated) {
  const std::string truncated = R"({"mechanism":"gaussian","noise_multiplier":4,"sampling":)"
                                R"({"scheme":"truncated-poisson","rate":0.1,"dataset_size":1000,"batch_limit":120}})";
  const Json overflow = ask(R"({"op":"rdp","neighbors":"zero-out","orders":[2],"steps":[)" + best_of(truncated) + "]}");
  ASSERT_TRUE(overflow.contains("sampling")) << overflow;
  EXPECT_EQ(overflow["sampling"][0]["path"], "steps[0].select[0]");
  const std::string shuffled =
      R"({"mechanism":"gaussian","noise_multiplier":4,"sampling":{"scheme":"shuffled","batches":100}})";
  const Json epochs =
      ask(R"({"op":"epsilon","neighbors":"zero-out","delta":1e-5,"steps":[)" + best_of(shuffled) + "]}");
  ASSERT_TRUE(epochs.contains("under_poisson")) << epochs;
  EXPECT_LT(epochs["under_poisson"]["epsilon_estimate"].get<double>(), epochs["renyi"]["epsilon"].get<double>());
}

TEST(SelectionAnswers, TheExponentialMechanismIsCalibrated) {
  const Json got = ask(R"({"op":"calibrate","epsilon":1,"delta":1e-6,"by":"renyi","steps":[)"
                       R"({"mechanism":"exponential","epsilon":null,"count":100}]})");
  ASSERT_TRUE(got.contains("value")) << got;
  const double epsilon = got["value"].get<double>();
  EXPECT_GT(epsilon, 0.03);  // a hundred of 0.01 each would do by adding them up
  EXPECT_LT(epsilon, 0.1);
}

}  // namespace
}  // namespace renyi::api::selection_test
