// One question, one answer: what explain and report say of the same run is the same, in JSON and in words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "api/number_text.h"
#include "json/json.h"

namespace renyi::api::agreement_test {
namespace {

using json::Json;

using testing::HasSubstr;

double number_in(const Json& value) { return value == "inf" ? HUGE_VAL : value.get<double>(); }

Json ask(const std::string& op, const std::string& members) {
  return Json::parse(answer(R"({"op":")" + op + R"(",)" + members + "}"));
}

// Runs of every kind: by a closed form, a contour, the lattice, a promise, bounds alone, and with infinite losses.
class Agreement : public testing::TestWithParam<std::string> {
 protected:
  const std::string run = GetParam() + R"(,"delta":1e-5)";
  const Json explained = ask("explain", run + R"(,"orders":[2,4,8,16,32,64],"factors":[10,100])");
  const Json reported = ask("report", run + R"(,"formats":["markdown"])");
  const std::string text = reported.at("markdown").get<std::string>();

  // The outcome at a baseline as explain puts it in words: exact where there is such a range.
  Json range_at(double baseline) const {
    for (const Json& outcome : explained["outcomes"]) {
      if (outcome["baseline"] != baseline) continue;
      return outcome["exact"].contains("upper") ? outcome["exact"] : outcome["renyi"];
    }
    return {};
  }
};

TEST_P(Agreement, OnEpsilon) {
  Json both = explained["approximate"];
  const Json exact = both["exact"];
  both.erase("exact");
  EXPECT_EQ(both, reported["epsilon"]["renyi"]);
  EXPECT_EQ(exact, reported["epsilon"]["exact"]);
  const double upper = number_in(exact.contains("upper") ? exact["upper"] : both["epsilon"]);
  if (const auto most = most_likely(upper, 1e-5)) {
    EXPECT_THAT(text, HasSubstr("epsilon = " + rounded_up(upper) + " at delta = 1e-5"));
    EXPECT_THAT(text, HasSubstr("makes it at most " + *most));
  } else {
    EXPECT_THAT(text, HasSubstr("No guarantee"));
  }
  EXPECT_EQ(explained.value("note", ""), reported["epsilon"].value("note", ""));
}

TEST_P(Agreement, OnWhatIsPromised) {
  Json promises = reported["promises"];
  EXPECT_EQ(promises["orders"], explained["orders"]);
  EXPECT_EQ(promises["pure_epsilon"], explained["pure_epsilon"]);
  EXPECT_EQ(promises["bayes"], explained["bayes"]);
  const Json& stated = promises["outcomes"][0];
  for (const Json& outcome : explained["outcomes"]) {
    if (outcome["baseline"] != stated["baseline"]) continue;
    EXPECT_EQ(outcome["renyi"], stated["renyi"]);
    EXPECT_EQ(outcome["exact"], stated["exact"]);
    EXPECT_EQ(outcome["pure"], stated["pure"]);
  }
}

TEST_P(Agreement, OnTheRangeOfABadOutcome) {
  const Json range = range_at(0.01);
  if (number_in(range["upper"]) >= 1 && number_in(range["lower"]) <= 0) return;
  EXPECT_THAT(text, HasSubstr("has a probability between " + rounded_down(number_in(range["lower"])) + " and " +
                              rounded_up(number_in(range["upper"])) + " on the other"));
}

TEST_P(Agreement, OnTheOdds) {
  for (const Json& tail : explained["bayes"]["tails"]) {
    const double most = number_in(tail["exact"].contains("upper") ? tail["exact"]["upper"] : tail["probability"]);
    if (most >= 1) continue;
    EXPECT_THAT(text, HasSubstr("more than " + rounded(number_in(tail["factor"])) + " times with probability at most " +
                                rounded_up(most)));
  }
}

// A test that rejects where the outcome happens has the outcome's probabilities as its error and its power.
TEST_P(Agreement, OnHowOftenATestDetectsTheChange) {
  if (!reported["tradeoff"].contains("points")) return;
  for (const Json& point : reported["tradeoff"]["points"]) {
    const double power = number_in(point["power"]["upper"]);
    const double outcome = number_in(range_at(point["type_1_error"].get<double>())["upper"]);
    EXPECT_NEAR(outcome, power, 1e-5 * power) << point;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Runs, Agreement,
    testing::Values(
        R"("steps":[{"mechanism":"sampled-gaussian","sampling_rate":0.004266666666666667,"noise_multiplier":1.1,"count":14063}])",
        R"("steps":[{"mechanism":"gaussian","noise_multiplier":4}])",
        R"("neighbors":"replace-one","steps":[{"mechanism":"laplace","scale":10,"count":20}])",
        R"("steps":[{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1,"count":1000},{"mechanism":"laplace","scale":4}])",
        R"("steps":[{"mechanism":"pure-dp","epsilon":0.25,"count":4}])", R"("steps":[{"mechanism":"zcdp","rho":0.01}])",
        R"("neighbors":"zero-out","steps":[{"mechanism":"gaussian","noise_multiplier":4,"sampling":{"scheme":"shuffled","batches":10},"count":3}])",
        R"("steps":[{"mechanism":"non-private","sampling":{"scheme":"poisson","rate":1e-6}}])",
        R"("unit":2,"steps":[{"mechanism":"randomized-response","truth_probability":0.75,"count":3}])"));

// The run of the README, where the two used to differ.
TEST(AgreementOnTheReadme, FiguresAreExact) {
  const std::string run =
      R"("steps":[{"mechanism":"sampled-gaussian","sampling_rate":0.004266666666666667,"noise_multiplier":1.1,"count":14063}])";
  const Json got = ask("explain", run + R"(,"delta":1e-5)");
  EXPECT_EQ(rounded_up(got["approximate"]["exact"]["upper"].get<double>()), "2.38169");
  EXPECT_EQ(rounded_up(got["approximate"]["epsilon"].get<double>()), "2.59665");
  EXPECT_EQ(got["outcomes"][2]["baseline"], 0.01);
  EXPECT_EQ(rounded_up(got["outcomes"][2]["exact"]["upper"].get<double>()), "0.0402065");
  EXPECT_EQ(rounded_up(got["outcomes"][2]["renyi"]["upper"].get<double>()), "0.0492471");
}

}  // namespace
}  // namespace renyi::api::agreement_test
