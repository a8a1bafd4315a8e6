#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "api/api.h"
#include "json/json.h"
#include "json/write.h"

namespace renyi::api::certify_test {
namespace {

using json::Json;

const std::string steps = R"("steps":[{"mechanism":"gaussian","noise_multiplier":4,"count":3}])";

Json ask(const std::string& rest) { return Json::parse(answer("{" + rest + "}")); }
Json error(const std::string& rest) { return ask(rest).at("error"); }

TEST(CertifyRequest, WhatItAnswersIsValid) {
  const Json certificate = ask(R"("op":"certify","delta":1e-5,)" + steps).at("certificate");
  EXPECT_EQ(certificate.at("renyi_certificate"), 1);
  const Json verdict = ask(R"("id":7,"op":"verify","certificate":)" + json::write(certificate));
  EXPECT_EQ(verdict.at("valid"), true);
  EXPECT_EQ(verdict.at("claims"), 7);
  EXPECT_EQ(verdict.at("not_certified"), 0);
  EXPECT_EQ(verdict.at("id"), 7);
}

TEST(CertifyRequest, TakesAnEpsilonAndAnOrder) {
  const Json certificate = ask(R"("op":"certify","epsilon":1,"order":"inf",)" + steps).at("certificate");
  EXPECT_EQ(certificate.at("question").dump(), R"({"epsilon":1,"order":"inf"})");
}

TEST(CertifyRequest, RefusalsNameTheirPath) {
  EXPECT_EQ(error(R"("op":"certify",)" + steps).at("path"), "delta");
  EXPECT_EQ(error(R"("op":"certify","delta":1,"epsilon":1,)" + steps).at("path"), "delta");
  EXPECT_EQ(error(R"("op":"certify","delta":"x",)" + steps).at("path"), "delta");
  EXPECT_EQ(error(R"("op":"certify","delta":0.1,"order":0.5,)" + steps).at("path"), "order");
  EXPECT_EQ(error(R"("op":"certify","delta":0.1,"orders":[2],)" + steps).at("path"), "orders");
  EXPECT_EQ(error(R"("op":"certify","delta":0.1)").at("path"), "steps");
}

Json proven_of(const std::string& question) {
  const Json certificate = ask(R"("op":"certify",)" + question).at("certificate");
  return ask(R"("op":"verify","certificate":)" + json::write(certificate)).at("proven");
}

// D_8 = 3 * 8 / (2 * 4^2) = 3/4, exactly.
TEST(VerifyRequest, SaysWhatWasProven) {
  const Json proven = proven_of(R"("delta":1e-5,"order":8,)" + steps);
  ASSERT_EQ(proven.size(), 7U);
  EXPECT_EQ(json::write(proven.at(0)),
            R"({"claim":"rdp of order 8, remove","lower":"7.5e-1","upper":"7.5e-1","width":0})");
  EXPECT_EQ(proven.at(3).at("claim"), "epsilon at delta 1e-05, remove");
  EXPECT_TRUE(proven.at(3).at("lower").get<std::string>().starts_with("1.69803520476"));
  EXPECT_TRUE(proven.at(3).at("upper").get<std::string>().starts_with("1.69803520476"));
  EXPECT_LT(proven.at(3).at("width").get<double>(), 1e-12);
  EXPECT_FALSE(proven.at(3).contains("says"));
}

TEST(VerifyRequest, SaysWhatSaysNothing) {
  const Json infinite = proven_of(R"("delta":0,)" + steps);
  EXPECT_EQ(json::write(infinite.at(3)),
            R"({"claim":"epsilon at delta 0, remove","lower":"inf","upper":"inf","width":"inf","says":"nothing"})");
  const std::string huge = R"("steps":[{"mechanism":"laplace","scale":0.001,"count":100000}])";
  EXPECT_EQ(json::write(proven_of(R"("epsilon":1,)" + huge).at(3)),
            R"({"claim":"delta at epsilon 1, remove","lower":"0","upper":"1","width":1,"says":"nothing"})");
  EXPECT_EQ(proven_of(R"("delta":1e-5,)" + huge).at(3).at("says"), "an upper bound only");
}

TEST(VerifyRequest, SaysWhatIsWrong) {
  Json certificate = ask(R"("op":"certify","delta":1e-5,)" + steps).at("certificate");
  certificate["neighbors"] = "zero-out";
  const Json verdict = ask(R"("op":"verify","certificate":)" + json::write(certificate));
  EXPECT_EQ(verdict.at("valid"), false);
  ASSERT_EQ(verdict.at("faults").size(), 1U);
  EXPECT_TRUE(verdict.at("faults").at(0).get<std::string>().starts_with("digest: "));
}

TEST(VerifyRequest, RefusalsNameTheirPath) {
  EXPECT_EQ(error(R"("op":"verify")").at("path"), "certificate");
  EXPECT_EQ(error(R"("op":"verify","certificate":"{}")").at("path"), "certificate");
  EXPECT_EQ(error(R"("op":"verify","certificate":{})").at("path"), "certificate.renyi_certificate");
  EXPECT_EQ(error(R"("op":"verify","certificate":{},"steps":[])").at("path"), "steps");
  const Json later = error(R"("op":"verify","certificate":{"renyi_certificate":2})");
  EXPECT_EQ(later.at("kind"), "unsupported");
}

}  // namespace
}  // namespace renyi::api::certify_test
