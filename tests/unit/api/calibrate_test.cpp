// Requests that leave one number open, wherever it stands.
#include "renyi/calibrate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "json/json.h"

namespace renyi::api::api_calibrate_test {
namespace {

using json::Json;

using ::testing::HasSubstr;

Json ask(const std::string& members) { return Json::parse(answer(R"({"op":"calibrate",)" + members + "}")); }

const std::string target = R"(,"epsilon":3,"delta":1e-5)";
const std::string sampled =
    R"("steps":[{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1,"count":10000}])";

TEST(CalibrateRequest, SaysWhatThreeDigitsCost) {
  const Json got =
      ask(R"("steps":[{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":null,"count":10000}])" +
          target);
  const double cost = PrivacyProfile(Plan().add(SampledGaussian{0.01, 1.57}, 10'000)).epsilon(1e-5).worst.upper;
  EXPECT_EQ(got["extreme"], "smallest");
  EXPECT_EQ(got["rounded"]["value"], 1.57);
  EXPECT_EQ(got["rounded"]["epsilon"], cost);
  EXPECT_EQ(got["rounded"]["unspent"], 3 - cost);
}

TEST(CalibrateRequest, SaysWhoseFigureTheExactOneIs) {
  const Json attained = ask(R"("steps":[{"mechanism":"gaussian","noise_multiplier":null}])" + target);
  EXPECT_EQ(attained["exact"]["standing"], "attained");
  const Json promised = ask(R"("steps":[{"mechanism":"pure-dp","epsilon":null}])" + target);
  EXPECT_EQ(promised["exact"]["standing"], "promised");
}

TEST(CalibrateRequest, ReadsNullsInPartsRunsAndLaws) {
  const Json part = ask(
      R"("steps":[{"parallel":[[{"mechanism":"laplace","scale":9}],[{"plan":[{"mechanism":"gaussian","noise_multiplier":null}],"count":4}]]}])" +
      target);
  EXPECT_EQ(part["path"], "steps[0].parallel[1][0].plan[0].noise_multiplier") << part;
  EXPECT_LE(part["exact"]["upper"].get<double>(), 3);
  const Json run = ask(
      R"("steps":[{"select":[{"mechanism":"pure-dp","epsilon":null}],"runs":{"law":"geometric","mean":8}}])" + target);
  EXPECT_EQ(run["path"], "steps[0].select[0].epsilon") << run;
  const Json law = ask(
      R"("steps":[{"select":[{"mechanism":"gaussian","noise_multiplier":5}],"runs":{"law":"negative-binomial","eta":null,"gamma":0.1}}])" +
      target);
  EXPECT_EQ(law["parameter"], "runs.eta") << law;
  EXPECT_EQ(law["extreme"], "largest");
}

TEST(CalibrateRequest, WholeNumbersAreIntegers) {
  const Json unit =
      ask(R"("unit":null,"steps":[{"mechanism":"gaussian","noise_multiplier":100,"count":100}])" + target);
  EXPECT_EQ(unit["value"], 7) << unit;
  EXPECT_TRUE(unit["value"].is_number_integer());
  EXPECT_EQ(unit["path"], "unit");
  const Json batch = ask(
      R"("steps":[{"mechanism":"gaussian","noise_multiplier":1.5,"sampling":{"scheme":"fixed-size","dataset_size":60000,"batch_size":null},"count":1000}])" +
      target);
  EXPECT_TRUE(batch["value"].is_number_integer()) << batch;
  EXPECT_TRUE(batch["rounded"]["value"].is_number_integer());
}

// Whatever stands for the open number goes with the others.
TEST(CalibrateRequest, OpenNumbersOfStepsWithRules) {
  const Json got = ask(
      R"("steps":[{"mechanism":"tree-aggregation","noise_multiplier":8,"rounds":null,"participations":3,"min_separation":100}])" +
      target);
  EXPECT_TRUE(got["value"].is_number_integer()) << got;
}

TEST(CalibrateRequest, TheTargetMayBeOpen) {
  const Json epsilon = ask(sampled + R"(,"epsilon":null,"delta":1e-5)");
  const Plan plan = Plan().add(SampledGaussian{0.01, 1.1}, 10'000);
  EXPECT_EQ(epsilon["value"], PrivacyProfile(plan).epsilon(1e-5).worst.upper) << epsilon;
  EXPECT_EQ(epsilon["rounded"]["value"], 5.2);
  const Json delta = ask(sampled + R"(,"epsilon":3,"delta":null)");
  EXPECT_EQ(delta["value"], PrivacyProfile(plan).delta(3).worst.upper) << delta;
  EXPECT_EQ(delta["renyi"]["delta"], renyi_delta(plan, 3).upper);
  EXPECT_EQ(delta["rounded"]["delta"], delta["value"]);
}

void expect_refused(const std::string& members, const std::string& path, const std::string& why) {
  const Json got = ask(members);
  EXPECT_EQ(got["error"]["path"], path) << got;
  EXPECT_THAT(got["error"]["message"].get<std::string>(), HasSubstr(why));
}

TEST(CalibrateRequest, OneNullAndNoMore) {
  expect_refused(sampled + R"(,"epsilon":null,"delta":null)", "delta", "epsilon is null already");
  expect_refused(R"("unit":null,"steps":[{"mechanism":"laplace","scale":null}])" + target, "steps[0].scale",
                 "unit is null already");
  expect_refused(sampled + target, "steps", "exactly one number");
}

TEST(CalibrateRequest, SaysWhatIsNotSolvedFor) {
  expect_refused(R"("steps":[{"mechanism":"rdp","points":[[2,null]]}])" + target, "steps[0].points[0][1]",
                 "what a table holds is not solved for");
  expect_refused(
      R"("steps":[{"select":[{"mechanism":"pure-dp","epsilon":1}],"runs":{"law":"geometric","gamma":null}}])" + target,
      "steps[0].runs.gamma", "by their mean");
  expect_refused(
      R"("steps":[{"mechanism":"gaussian","noise_multiplier":5,"sampling":{"scheme":"truncated-poisson","rate":0.01,"dataset_size":null,"batch_limit":1000}}])" +
          target,
      "steps[0].sampling.dataset_size", "not monotone");
}

// The epsilon that is out of reach is the target's, not that of the step.
TEST(CalibrateRequest, AnUnreachableTargetIsSaidOfTheTarget) {
  expect_refused(
      R"("steps":[{"mechanism":"pure-dp","epsilon":null},{"mechanism":"pure-dp","epsilon":5}],"epsilon":3,"delta":0)",
      "epsilon", "cannot be reached");
}

TEST(CalibrateRequest, NotesWhereTheAnalysisEnds) {
  const Json got = ask(
      R"("steps":[{"mechanism":"gaussian","noise_multiplier":150,"sampling":{"scheme":"fixed-size","dataset_size":null,"batch_size":256}}])" +
      target);
  EXPECT_EQ(got["value"], 256) << got;
  EXPECT_THAT(got["note"].get<std::string>(), HasSubstr("not analysed: "));
}

// The number that stands for the unknown while it is read appears in no answer.
TEST(CalibrateRequest, OpenParticipationsAreRefusedForWhatTheyAre) {
  expect_refused(
      R"("steps":[{"mechanism":"gaussian","noise_multiplier":4,"sampling":{"scheme":"random-allocation","batches":100,"participations":null}}])" +
          target,
      "steps[0].sampling.participations", "not monotone");
}

}  // namespace
}  // namespace renyi::api::api_calibrate_test
