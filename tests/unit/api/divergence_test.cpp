#include "renyi/extras/divergence.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "json/json.h"
#include "renyi/error.h"

namespace renyi::api::api_divergence_test {
namespace {

using json::Json;

Json ask(const std::string& request) { return Json::parse(answer(request)); }
Json ask_about(const std::string& pair, const std::string& rest = "") {
  return ask(R"({"op":"divergence","pair":)" + pair + rest + "}");
}
std::string error_path(const Json& got) {
  return got.contains("error") ? got["error"]["path"].get<std::string>() : "no error";
}

const std::string normal = R"({"family":"normal","p":{"mean":0,"stddev":1},"q":{"mean":1,"stddev":2}})";
const std::string table = R"({"family":"discrete","p":[0.5,0.5],"q":[0.25,0.75]})";

TEST(DivergenceRequest, GivesTheLibrarysEndsInBothDirections) {
  const Json got = ask_about(normal, R"(,"orders":[0.25,2,"inf"],"epsilons":[0.5,"inf"],"id":4)");
  const auto pair = DistributionPair::normal({0, 1}, {1, 2});
  ASSERT_EQ(got["renyi"].size(), 3U);
  const Bounded forward = renyi_divergence(pair, 0.25), backward = renyi_divergence(pair.swapped(), 0.25);
  EXPECT_EQ(got["renyi"][0]["order"], 0.25);
  EXPECT_EQ(got["renyi"][0]["p_q"]["lower"].get<double>(), forward.lower());
  EXPECT_EQ(got["renyi"][0]["p_q"]["upper"].get<double>(), forward.upper());
  EXPECT_EQ(got["renyi"][0]["q_p"]["upper"].get<double>(), backward.upper());
  EXPECT_EQ(got["renyi"][1]["q_p"]["lower"], "inf");
  EXPECT_EQ(got["renyi"][2]["order"], "inf");
  EXPECT_EQ(got["kl"]["q_p"]["upper"].get<double>(), kl_divergence(pair.swapped()).upper());
  EXPECT_EQ(got["total_variation"]["upper"].get<double>(), total_variation(pair).upper());
  EXPECT_EQ(got["hockey_stick"][0]["p_q"]["upper"].get<double>(), hockey_stick(pair, 0.5).upper());
  EXPECT_EQ(got["hockey_stick"][1]["epsilon"], "inf");
  EXPECT_EQ(got["id"], 4);
}

TEST(DivergenceRequest, HasDefaultOrdersAndNoEpsilons) {
  const Json got = ask_about(table);
  ASSERT_EQ(got["renyi"].size(), 4U);
  EXPECT_EQ(got["renyi"][0]["order"], 0.5);
  EXPECT_EQ(got["renyi"][3]["order"], "inf");
  EXPECT_TRUE(got["hockey_stick"].empty());
}

TEST(DivergenceRequest, TakesEveryFamily) {
  for (const std::string pair :
       {R"({"family":"laplace","p":{"location":0,"scale":1},"q":{"location":1,"scale":1}})",
        R"({"family":"bernoulli","p":0.5,"q":0.25})", R"({"family":"discrete","p":[2,2],"q":[1,3],"normalize":true})",
        R"({"family":"multivariate-normal","p":[0,0],"q":[1,2],"covariance":[[1,0.5],[0.5,2]]})"}) {
    const Json got = ask_about(pair);
    EXPECT_FALSE(got.contains("error")) << got;
    EXPECT_GT(got["kl"]["p_q"]["lower"].get<double>(), 0) << pair;
  }
}

TEST(DivergenceRequest, NoProbabilityExceedsOne) {
  const Json got = ask_about(R"({"family":"discrete","p":[0.1,0.2,0.7,0],"q":[0,0,0,1]})", R"(,"epsilons":[1])");
  EXPECT_EQ(got["total_variation"]["upper"], 1.0);
  EXPECT_EQ(got["hockey_stick"][0]["p_q"]["upper"], 1.0);
}

TEST(DivergenceRequest, RefusalsNameTheirPath) {
  EXPECT_EQ(error_path(ask(R"({"op":"divergence"})")), "pair");
  EXPECT_EQ(error_path(ask(R"({"op":"divergence","steps":[]})")), "steps");
  EXPECT_EQ(error_path(ask_about("7")), "pair");
  EXPECT_EQ(error_path(ask_about("{}")), "pair.family");
  EXPECT_EQ(error_path(ask_about(R"({"family":"gamma"})")), "pair.family");
  EXPECT_EQ(error_path(ask_about(R"({"family":"normal"})")), "pair.p");
  EXPECT_EQ(error_path(ask_about(R"({"family":"normal","p":{"mean":0},"q":{}})")), "pair.p.stddev");
  EXPECT_EQ(error_path(ask_about(R"({"family":"normal","p":{"mean":0,"stddev":0},"q":{"mean":0,"stddev":1}})")),
            "pair.p.stddev");
  EXPECT_EQ(error_path(ask_about(R"({"family":"normal","p":{"mean":0,"sigma":1},"q":{}})")), "pair.p.sigma");
  EXPECT_EQ(error_path(ask_about(R"({"family":"bernoulli","p":2,"q":0.5})")), "pair.p");
  EXPECT_EQ(error_path(ask_about(R"({"family":"bernoulli","p":0.2,"q":0.5,"r":1})")), "pair.r");
  EXPECT_EQ(error_path(ask_about(R"({"family":"discrete","p":[0.5,-0.5],"q":[1,0]})")), "pair.p[1]");
  EXPECT_EQ(error_path(ask_about(R"({"family":"discrete","p":[0.5,"x"],"q":[1,0]})")), "pair.p[1]");
  EXPECT_EQ(error_path(ask_about(R"({"family":"discrete","p":[0.5,0.4],"q":[1,0]})")), "pair.p");
  EXPECT_EQ(error_path(ask_about(R"({"family":"discrete","p":[1],"q":[1],"normalize":"yes"})")), "pair.normalize");
  EXPECT_EQ(error_path(ask_about(R"({"family":"multivariate-normal","p":[0],"q":[1],"covariance":[[1,2]]})")),
            "pair.covariance[0]");
  EXPECT_EQ(error_path(ask_about(table, R"(,"orders":[2,0])")), "orders[1]");
  EXPECT_EQ(error_path(ask_about(table, R"(,"orders":2)")), "orders");
  EXPECT_EQ(error_path(ask_about(table, R"(,"orders":["infinity"])")), "orders[0]");
  EXPECT_EQ(error_path(ask_about(table, R"(,"epsilons":[-1])")), "epsilons[0]");
}

TEST(PairFromFile, TakesTwoListsAndNothingElse) {
  EXPECT_EQ(pair_from_file(R"({"p":[1],"q":[1],"normalize":true})").text(),
            R"({"p":[1],"q":[1],"normalize":true,"family":"discrete"})");
  EXPECT_THROW(pair_from_file(R"({"p":[1]})"), InvalidArgument);
  EXPECT_THROW(pair_from_file(R"({"p":[1],"q":[1],"r":[1]})"), InvalidArgument);
  EXPECT_THROW(pair_from_file(R"({"p":[1],"p":[1],"q":[1]})"), InvalidArgument);
  EXPECT_THROW(pair_from_file("[]"), InvalidArgument);
}

}  // namespace
}  // namespace renyi::api::api_divergence_test
