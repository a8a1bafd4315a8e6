// Text that is no certificate, damaged ones, and ones made to do harm.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "certificate/verify.h"
#include "renyi/error.h"
#include "renyi/plan.h"
#include "support/forgery.h"

namespace renyi::hostile_test {
namespace {

using json::Json;
using test::forged;
using testing::HasSubstr;

const std::string& genuine() {
  static const std::string text = make_certificate(Plan().add(Gaussian{.stddev = 4}, 3), {.delta = 1e-5});
  return text;
}

std::string fault_of(const std::function<void(Json&)>& change) {
  const auto faults = certificate::structure_of(forged(genuine(), change)).faults;
  return faults.empty() ? "" : faults.front();
}

TEST(HostileCertificate, EveryDamagedByteIsNoticed) {
  const std::string& text = genuine();
  ASSERT_TRUE(certificate::structure_of(text).faults.empty());
  int seen_by_digest = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    try {
      const auto faults = certificate::structure_of(damaged).faults;
      // The last of 17 digits may not matter to a double: then nothing was damaged.
      ASSERT_TRUE(!faults.empty() || json::parse(damaged) == json::parse(text)) << "byte " << i;
      if (faults.empty()) continue;
      seen_by_digest += faults.front().starts_with("digest: ") ? 1 : 0;
    } catch (const Error&) {
      // no JSON any more, or no certificate of this version
    }
  }
  EXPECT_GT(seen_by_digest, static_cast<int>(text.size() / 2));
}

TEST(HostileCertificate, WhiteSpaceDoesNotMatter) {
  const std::string pretty = json::parse(genuine()).dump(2);
  EXPECT_NE(pretty, genuine());
  EXPECT_TRUE(certificate::structure_of(pretty).faults.empty());
}

TEST(HostileCertificate, WhatIsNoCertificateIsBadInput) {
  for (const char* text : {"", "x", "[]", "3", "null", "{}", R"({"renyi":1,"steps":[]})", R"({"renyi_certificate":0})",
                           R"({"renyi_certificate":"1"})", R"({"renyi_certificate":1,"renyi_certificate":1})"}) {
    EXPECT_THROW(verify_certificate(text), InvalidArgument) << text;
  }
  EXPECT_THROW(verify_certificate(std::string(100, '[')), InvalidArgument);
  EXPECT_THROW(verify_certificate(genuine() + std::string(1'000'000, ' ')), InvalidArgument);
  EXPECT_THROW(verify_certificate(genuine() + "x"), InvalidArgument);
  EXPECT_THROW(verify_certificate(R"({"renyi_certificate":2})"), Unsupported);
}

TEST(HostileCertificate, FaultsNameThePath) {
  EXPECT_THAT(fault_of([](Json& d) { d["note"] = 1; }), HasSubstr("note: got an unknown key"));
  EXPECT_THAT(fault_of([](Json& d) { d["claims"][0]["note"] = 1; }), HasSubstr("claims[0].note"));
  EXPECT_THAT(fault_of([](Json& d) { d["claims"][0]["epsilon"] = 1; }), HasSubstr("claims[0].epsilon"));
  EXPECT_THAT(fault_of([](Json& d) { d["claims"][0]["claim"] = "truth"; }), HasSubstr("claims[0].claim"));
  EXPECT_THAT(fault_of([](Json& d) { d["claims"][0]["direction"] = "up"; }), HasSubstr("claims[0].direction"));
  EXPECT_THAT(fault_of([](Json& d) { d["claims"][0]["method"] = "a\nb"; }), HasSubstr("claims[0].method"));
  EXPECT_THAT(fault_of([](Json& d) { d["claims"][0]["precision"] = -1; }), HasSubstr("claims[0].precision"));
  EXPECT_THAT(fault_of([](Json& d) { d["claims"] = 3; }), HasSubstr("claims"));
  EXPECT_THAT(fault_of([](Json& d) { d["claims"] = std::vector<int>(1001); }), HasSubstr("claims"));
  EXPECT_THAT(fault_of([](Json& d) { d["question"] = Json::object(); }), HasSubstr("question.delta"));
  EXPECT_THAT(fault_of([](Json& d) { d["question"]["delta"] = 2; }), HasSubstr("question.delta"));
  EXPECT_THAT(fault_of([](Json& d) { d["question"]["epsilon"] = 1; }), HasSubstr("question.delta"));
  EXPECT_THAT(fault_of([](Json& d) { d["answer"]["renyi"]["epsilon"] = -1; }), HasSubstr("answer.renyi.epsilon"));
  EXPECT_THAT(fault_of([](Json& d) { d["answer"]["exact"]["remove"]["engine"] = ""; }),
              HasSubstr("answer.exact.remove"));
  EXPECT_THAT(fault_of([](Json& d) { d["plan"]["steps"][0]["noise_multiplier"] = -1; }),
              HasSubstr("plan.steps[0].noise_multiplier"));
  EXPECT_THAT(fault_of([](Json& d) { d["library"].erase("arb"); }), HasSubstr("library.arb"));
  for (const char* key :
       {"library", "plan", "plan_sha256", "neighbors", "question", "answer", "claims", "not_certified"}) {
    EXPECT_THAT(fault_of([key](Json& d) { d.erase(key); }), HasSubstr(key));
  }
}

TEST(HostileCertificate, EndsHaveOneForm) {
  const auto with = [](Json mantissa, Json exponent) {
    return fault_of([&](Json& d) { d["claims"][0]["upper"]["dyadic"] = Json::array({mantissa, exponent}); });
  };
  for (const char* mantissa : {"", "-", "2", "01", "-0", "+1", " 1", "1 ", "nan", "-inf", "0x1", "1e5"}) {
    EXPECT_THAT(with(mantissa, 1), HasSubstr("claims[0].upper.dyadic[0]")) << mantissa;
  }
  EXPECT_THAT(with(std::string(5000, '1'), 0), HasSubstr("claims[0].upper.dyadic[0]"));
  EXPECT_THAT(with("inf", 1), HasSubstr("claims[0].upper.dyadic[0]"));
  EXPECT_THAT(with(1, 0), HasSubstr("claims[0].upper.dyadic[0]"));
  EXPECT_THAT(with("1", 1.5), HasSubstr("claims[0].upper.dyadic[1]"));
  for (const std::int64_t exponent : {std::int64_t{1} << 41U, std::int64_t{1} << 62U, -(std::int64_t{1} << 62U)}) {
    EXPECT_THAT(with("1", exponent), HasSubstr("claims[0].upper.dyadic[1]")) << exponent;
  }
  // Large, allowed, and quick: the decimal does not match.
  EXPECT_THAT(with("1", std::int64_t{1} << 40U), HasSubstr("claims[0].upper.decimal"));
  EXPECT_THAT(with("1", -(std::int64_t{1} << 40U)), HasSubstr("claims[0].upper.decimal"));
}

TEST(HostileCertificate, LargePlansAreNotBegun) {
  Plan plan;
  for (int i = 1; i <= 65; ++i) plan.add(Gaussian{.stddev = static_cast<double>(i)});
  EXPECT_THROW(make_certificate(plan, {.delta = 1e-5}), Unsupported);
  EXPECT_THROW(verify_certificate(forged(genuine(), [&](Json& d) { test::put_plan(d, write_plan(plan)); })),
               Unsupported);
}

TEST(HostileCertificate, DeltasAreAtMostOne) {
  const std::string of_delta = make_certificate(Plan().add(Gaussian{.stddev = 2}), {.epsilon = 1});
  const auto fault = [&](const std::function<void(Json&)>& change) -> std::string {
    const auto faults = certificate::structure_of(forged(of_delta, change)).faults;
    return faults.empty() ? "" : faults.front();
  };
  EXPECT_EQ(fault([](Json&) {}), "");
  for (const Json& value : {Json(1.00000000000001), Json(-1e-9), Json("inf"), Json(nullptr)}) {
    EXPECT_THAT(fault([&](Json& d) { d["answer"]["renyi"]["delta"] = value; }), HasSubstr("answer.renyi.delta: "));
    for (const char* end : {"lower", "upper"}) {
      EXPECT_THAT(fault([&](Json& d) { d["answer"]["exact"]["add"][end] = value; }),
                  HasSubstr("answer.exact.add." + std::string(end) + ": "));
    }
  }
  EXPECT_THAT(fault_of([](Json& d) { d["claims"][3]["delta"] = 1.5; }), HasSubstr("claims[3].delta: "));
}

}  // namespace
}  // namespace renyi::hostile_test
