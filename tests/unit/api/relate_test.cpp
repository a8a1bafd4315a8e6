#include "api/relate.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "json/json.h"
#include "json/write.h"

namespace renyi::api::relate_test {
namespace {

using json::Json;

Json ask(const std::string& rest, const std::string& step = R"({"mechanism":"laplace","scale":2})") {
  return Json::parse(answer(R"({"op":"relate","steps":[)" + step + "]" + rest + "}"));
}

std::string error_path(const std::string& rest) { return ask(rest).at("error").at("path").get<std::string>(); }

TEST(RelateRequest, EveryNotionUnlessOneIsNamed) {
  std::vector<std::string> names;
  const Json got = ask("");
  for (const auto& member : got.items()) names.push_back(member.key());
  EXPECT_EQ(names, (std::vector<std::string>{"pure", "zcdp", "tcdp", "cdp", "gdp", "moments"}));
  EXPECT_EQ(ask(R"(,"to":"cdp")").size(), 1U);
}

TEST(RelateRequest, NumbersAreTheLibrarysAndCarryTheirSource) {
  const Plan plan = Plan().add(Laplace{2});
  const Json zcdp = ask(R"(,"to":"zcdp","rho":0.05)").at("zcdp");
  const auto expected = to_zcdp(plan, 0.05);
  EXPECT_EQ(zcdp.at("rho").get<double>(), 0.05);
  EXPECT_EQ(zcdp.at("xi").get<double>(), expected.found->xi.upper);
  EXPECT_EQ(zcdp.at("xi_lower").get<double>(), expected.found->xi.lower);
  EXPECT_EQ(zcdp.at("source"), std::string(expected.source));
  const Json tcdp = ask(R"(,"to":"tcdp","omega":[2,8])").at("tcdp");
  ASSERT_EQ(tcdp.size(), 2U);
  EXPECT_EQ(tcdp[1].at("omega"), 8);
  EXPECT_EQ(tcdp[1].at("rho").get<double>(), to_tcdp(plan, 8).found->rho.upper);
  const Json moments = ask(R"(,"to":"moments","lambda":3)").at("moments");
  ASSERT_EQ(moments.size(), 1U);
  EXPECT_EQ(moments[0].at("alpha").get<double>(), to_moments(plan, 3).found->alpha);
  EXPECT_EQ(moments[0].at("rdp").get<double>(), to_moments(plan, 3).found->epsilon);
}

TEST(RelateRequest, NoneSaysWhy) {
  const Json got = ask(R"(,"to":"pure")", R"({"mechanism":"gaussian","noise_multiplier":2})").at("pure");
  EXPECT_EQ(got.at("none").get<std::string>().substr(0, 21), "none exists, because ");
  EXPECT_FALSE(got.contains("epsilon"));
}

TEST(RelateRequest, TheEstimateSaysSo) {
  const std::string step = R"({"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":1.1})";
  const Json got = ask(R"(,"to":"gdp")", step).at("gdp");
  EXPECT_TRUE(got.contains("mu_estimate"));
  EXPECT_NE(got.at("note").get<std::string>().find("no bound"), std::string::npos);
}

// Programs that ask by values get what the table of requests answers.
TEST(RelateRequest, ValuesAndDocumentsSayTheSame) {
  const Document request = read(R"({"op":"relate","steps":[{"mechanism":"laplace","scale":2}],"to":"moments"})");
  const RelateRequest asked = read_relate(request);
  EXPECT_EQ(asked.notions, std::vector{Notion::moments});
  const RelateAnswer found = answer(asked);
  EXPECT_EQ(found.moments.size(), asked.lambdas.size());
  EXPECT_FALSE(found.pure || found.zcdp || found.cdp || found.gdp || !found.tcdp.empty());
  EXPECT_EQ(write(request, found), answer(request.text()));
  const auto named = by_name(found);
  ASSERT_EQ(named.size(), 1U);
  EXPECT_EQ(named[0].relations[1].parameters[0].upper, found.moments[1].relation.found->alpha);
}

TEST(RelateRequest, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(error_path(R"(,"to":"dp")"), "to");
  EXPECT_EQ(error_path(R"(,"to":"gdp","rho":1)"), "rho");
  EXPECT_EQ(error_path(R"(,"to":"zcdp","rho":-1)"), "rho");
  EXPECT_EQ(error_path(R"(,"rho":"inf")"), "rho");
  EXPECT_EQ(error_path(R"(,"omega":1)"), "omega");
  EXPECT_EQ(error_path(R"(,"omega":[2,"inf"])"), "omega[1]");
  EXPECT_EQ(error_path(R"(,"omega":[])"), "omega");
  EXPECT_EQ(error_path(R"(,"to":"tcdp","lambda":[2])"), "lambda");
  EXPECT_EQ(error_path(R"(,"lambda":[2,0])"), "lambda[1]");
  EXPECT_EQ(error_path(R"(,"delta":1e-5)"), "delta");
}

}  // namespace
}  // namespace renyi::api::relate_test
