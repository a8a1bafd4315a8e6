// The operation "profile".
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "json/json.h"
#include "renyi/cost.h"

namespace renyi::api::api_profile_test {
namespace {

using json::Json;

const std::string steps = R"("steps":[{"mechanism":"gaussian","noise_multiplier":2,"count":10}])";
const std::string base = R"({"op":"profile",)" + steps;

Json ask(const std::string& request) { return Json::parse(answer(request)); }

std::string error_path(const std::string& request) {
  const Json got = ask(request);
  return got.contains("error") ? got["error"]["path"].get<std::string>() : "no error";
}

TEST(ProfileRequest, RowsAreTheAnswersToEpsilonAndDelta) {
  const Json got = ask(base + R"(,"epsilons":[0,2.5],"deltas":[1e-5,0.5]})");
  ASSERT_EQ(got["at_epsilons"].size(), 2U) << got;
  ASSERT_EQ(got["at_deltas"].size(), 2U) << got;
  Json row = got["at_epsilons"][1];
  EXPECT_EQ(row["epsilon"].get<double>(), 2.5);
  row.erase("epsilon");
  EXPECT_EQ(row, ask(R"({"op":"delta",)" + steps + R"(,"epsilon":2.5})"));
  row = got["at_deltas"][0];
  EXPECT_EQ(row["delta"].get<double>(), 1e-5);
  row.erase("delta");
  EXPECT_EQ(row, ask(R"({"op":"epsilon",)" + steps + R"(,"delta":1e-5})"));
}

TEST(ProfileRequest, ChoosesEpsilonsByItself) {
  const Json got = ask(base + "}");
  const auto expected = profile(Plan().add(Gaussian{2}, 10)).at_epsilons;
  ASSERT_EQ(got["at_epsilons"].size(), expected.size());
  EXPECT_EQ(got["at_epsilons"].back()["epsilon"].get<double>(), expected.back().at);
  EXPECT_FALSE(got.contains("at_deltas"));
  EXPECT_FALSE(ask(base + R"(,"deltas":[0.1]})").contains("at_epsilons"));
}

TEST(ProfileRequest, PartsAsElsewhere) {
  const Json renyi = ask(base + R"(,"epsilons":[1],"want":["renyi"],"conversion":"classical"})");
  EXPECT_FALSE(renyi["at_epsilons"][0].contains("exact"));
  EXPECT_EQ(renyi["at_epsilons"][0]["renyi"]["conversion"], "classical");
  const Json none = ask(R"({"op":"profile","steps":[{"mechanism":"zcdp","rho":1}],"epsilons":[1]})");
  EXPECT_TRUE(none["at_epsilons"][0]["exact"].contains("unavailable")) << none;
}

TEST(ProfileRequest, RefusalsNameTheirPath) {
  EXPECT_EQ(error_path(base + R"(,"epsilons":[]})"), "epsilons");
  EXPECT_EQ(error_path(base + R"(,"epsilons":[1,-1]})"), "epsilons[1]");
  EXPECT_EQ(error_path(base + R"(,"epsilons":["inf"]})"), "epsilons[0]");
  EXPECT_EQ(error_path(base + R"(,"deltas":[1.5]})"), "deltas[0]");
  EXPECT_EQ(error_path(base + R"(,"delta":0.5})"), "delta");
  std::string many = "0";
  for (int i = 0; i < 1000; ++i) many += ",0";
  EXPECT_EQ(error_path(base + R"(,"epsilons":[)" + many + "]}"), "epsilons");
}

}  // namespace
}  // namespace renyi::api::api_profile_test
