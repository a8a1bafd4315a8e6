#include <gtest/gtest.h>

#include <string>

#include "api/api.h"

namespace renyi::api {
namespace {

const std::string steps = R"("steps":[{"mechanism":"gaussian","noise_multiplier":4,"count":3}])";

Json ask(const std::string& rest) { return Json::parse(answer("{" + rest + "}")); }
Json error(const std::string& rest) { return ask(rest).at("error"); }

TEST(CertifyRequest, WhatItAnswersIsValid) {
  const Json certificate = ask(R"("op":"certify","delta":1e-5,)" + steps).at("certificate");
  EXPECT_EQ(certificate.at("renyi_certificate"), 1);
  const Json verdict = ask(R"("id":7,"op":"verify","certificate":)" + write(certificate));
  EXPECT_EQ(write(verdict), R"({"valid":true,"claims":7,"not_certified":0,"id":7})");
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

TEST(VerifyRequest, SaysWhatIsWrong) {
  Json certificate = ask(R"("op":"certify","delta":1e-5,)" + steps).at("certificate");
  certificate["neighbors"] = "zero-out";
  const Json verdict = ask(R"("op":"verify","certificate":)" + write(certificate));
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
}  // namespace renyi::api
