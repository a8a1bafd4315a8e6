// Certificates that lie, with a right digest: each is refused, and the fault names the place.
#include "support/forgery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "renyi/error.h"
#include "renyi/plan.h"

namespace renyi::forgery_test {
namespace {

using json::Json;
using test::forged;
using testing::HasSubstr;

constexpr std::size_t claims = 7;

// The two directions differ.
Plan plan_of(double noise) { return Plan().add(SampledGaussian{.sampling_rate = 0.2, .noise_multiplier = noise}, 40); }

const std::string& genuine() {
  static const std::string text = make_certificate(plan_of(1.5), {.delta = 1e-3});
  return text;
}

// The faults of a forgery, joined.
std::string faults_of(const std::function<void(Json&)>& change) {
  const Verdict verdict = verify_certificate(forged(genuine(), change));
  EXPECT_EQ(verdict.valid, verdict.faults.empty());
  std::string all;
  for (const std::string& fault : verdict.faults) all += fault + '\n';
  return all;
}

TEST(Forgery, TheGenuineOneIsValid) {
  const Verdict verdict = verify_certificate(genuine());
  EXPECT_THAT(verdict.faults, testing::IsEmpty());
  EXPECT_TRUE(verdict.valid);
  EXPECT_EQ(verdict.claims, claims);
  EXPECT_EQ(faults_of([](Json&) {}), "");
}

TEST(Forgery, NarrowedClaimsAreRefused) {
  for (std::size_t i = 0; i < claims; ++i) {
    const std::string path = "claims[" + std::to_string(i) + "]: ";
    const auto low = [i](Json& d) {
      d["claims"][i]["upper"] = test::end(test::dyadic_in(d["claims"][i]["lower"]), true);
    };
    const auto high = [i](Json& d) {
      d["claims"][i]["lower"] = test::end(test::dyadic_in(d["claims"][i]["upper"]), false);
    };
    EXPECT_THAT(faults_of(low), testing::AllOf(HasSubstr(path), HasSubstr("is not inside the claimed"))) << i;
    EXPECT_THAT(faults_of(high), HasSubstr(path)) << i;
  }
}

// Ends twice as high, and half as high.
TEST(Forgery, ShiftedClaimsAreRefused) {
  for (std::size_t i = 0; i < claims; ++i) {
    for (const int shift : {-1, 1}) {
      const std::string faults = faults_of([&](Json& d) {
        for (const bool upper : {false, true}) {
          Json& end = d["claims"][i][upper ? "upper" : "lower"];
          Dyadic number = test::dyadic_in(end);
          number.exponent += shift;
          end = test::end(number, upper);
        }
      });
      EXPECT_THAT(faults, HasSubstr("claims[" + std::to_string(i) + "]")) << shift;
    }
  }
}

TEST(Forgery, SwappedDirectionsAreRefused) {
  for (const std::size_t i : {std::size_t{0}, std::size_t{3}, std::size_t{5}}) {
    const std::string faults = faults_of([i](Json& d) {
      for (const char* key : {"lower", "upper"}) std::swap(d["claims"][i][key], d["claims"][i + 1][key]);
      std::swap(d["answer"]["rdp"]["remove"], d["answer"]["rdp"]["add"]);
      std::swap(d["answer"]["exact"]["remove"], d["answer"]["exact"]["add"]);
    });
    EXPECT_NE(faults, "") << i;
  }
  EXPECT_THAT(faults_of([](Json& d) {
                for (const char* key : {"lower", "upper"}) std::swap(d["claims"][3][key], d["claims"][4][key]);
                std::swap(d["answer"]["exact"]["remove"], d["answer"]["exact"]["add"]);
              }),
              HasSubstr("claims[3]: epsilon at delta 0.001, remove: the recomputed enclosure"));
  EXPECT_THAT(faults_of([](Json& d) { std::swap(d["claims"][0], d["claims"][1]); }),
              HasSubstr("claims: not in their order"));
}

TEST(Forgery, AnotherQuestionIsRefused) {
  EXPECT_THAT(faults_of([](Json& d) { d["question"]["delta"] = 1e-4; }), HasSubstr("claims: missing: renyi-epsilon"));
  EXPECT_THAT(faults_of([](Json& d) {
                d["question"]["delta"] = 1e-4;
                for (const std::size_t i : {2, 3, 4}) d["claims"][i]["delta"] = 1e-4;
              }),
              HasSubstr("claims[2]"));
  EXPECT_THAT(faults_of([](Json& d) { d["question"]["order"] = 3; }), HasSubstr("answer.renyi.order"));
  EXPECT_THAT(faults_of([](Json& d) {
                for (const char* part : {"rdp", "renyi"}) d["answer"][part]["order"] = 3;
                for (const std::size_t i : {0, 1, 2}) d["claims"][i]["order"] = 3;
              }),
              HasSubstr("claims[0]: rdp of order 3, remove: the recomputed enclosure"));
  EXPECT_THAT(faults_of([](Json& d) {
                d["answer"]["renyi"]["conversion"] = "classical";
                d["claims"][2]["conversion"] = "classical";
              }),
              HasSubstr("claims[2]: renyi-epsilon"));
}

// Everything stated at it is proven, but the question does not ask for it.
TEST(Forgery, AnotherOrderIsRefused) {
  const std::string text = make_certificate(plan_of(1.5), {.delta = 1e-3, .order = 3});
  const Verdict verdict = verify_certificate(forged(text, [](Json& d) { d["question"].erase("order"); }));
  EXPECT_THAT(verdict.faults, testing::ElementsAre(HasSubstr("answer.renyi.order: 3 is not what this version states")));
}

TEST(Forgery, AnotherPlanIsRefused) {
  const std::string other = write_plan(plan_of(1.6));
  EXPECT_THAT(faults_of([&](Json& d) { test::put_plan(d, other); }), HasSubstr("claims[0]: "));
  EXPECT_THAT(faults_of([&](Json& d) { d["plan"] = json::parse(other); }), HasSubstr("plan_sha256"));
  EXPECT_THAT(faults_of([](Json& d) { d["neighbors"] = "zero-out"; }), HasSubstr("neighbors"));
  EXPECT_THAT(faults_of([](Json& d) { d["plan"]["steps"][0]["count"] = 1; }), HasSubstr("canonical"));
}

TEST(Forgery, NoClaimMayBeDroppedOrAdded) {
  for (std::size_t i = 0; i < claims; ++i) {
    EXPECT_THAT(faults_of([i](Json& d) { d["claims"].erase(i); }), HasSubstr("claims: missing: "));
    // Not by calling it impossible either.
    const auto give_up = [i](Json& d) {
      Json gap = d["claims"][i];
      for (const char* key : {"lower", "upper", "method", "precision"}) gap.erase(key);
      gap["unavailable"] = "too hard";
      d["not_certified"].push_back(gap);
      d["claims"].erase(i);
    };
    EXPECT_THAT(faults_of(give_up), HasSubstr("not_certified[0]: ")) << i;
    EXPECT_THAT(faults_of([i](Json& d) { d["claims"].push_back(d["claims"][i]); }), HasSubstr("claims[7]: no claim"))
        << i;
  }
  EXPECT_THAT(faults_of([](Json& d) {
                d["answer"]["exact"] = json::parse(R"({"unavailable":"too hard"})");
                d["claims"].erase(6);
                d["claims"].erase(5);
              }),
              HasSubstr("answer.exact: unavailable, but the claims prove it"));
}

TEST(Forgery, TheAnswerIsHeldAgainstTheClaims) {
  const auto answer = [](const char* part, const char* key, double value) {
    return faults_of([&](Json& d) { d["answer"][part][key] = value; });
  };
  EXPECT_THAT(answer("renyi", "epsilon", 0.01), HasSubstr("answer.renyi.epsilon: 0.01 is below"));
  EXPECT_THAT(answer("rdp", "add", 0.0001), HasSubstr("answer.rdp.add: 0.0001 is below"));
  // A larger bound is a bound, but not the one that this version states.
  EXPECT_THAT(answer("renyi", "epsilon", 100), HasSubstr("answer.renyi.epsilon: 100 is not what this version states"));
  EXPECT_THAT(faults_of([](Json& d) {
                d["answer"]["exact"]["add"]["lower"] = 50;
                d["answer"]["exact"]["add"]["upper"] = 60;
              }),
              HasSubstr("claims: missing: delta at epsilon 60"));
  EXPECT_THAT(faults_of([](Json& d) {
                const double upper = d["answer"]["exact"]["add"]["upper"].get<double>();
                d["answer"]["exact"]["add"]["lower"] = upper - 0.01;
                d["answer"]["exact"]["add"]["upper"] = upper - 0.001;
              }),
              HasSubstr("answer.exact.add.upper: "));
  EXPECT_THAT(faults_of([](Json& d) {
                const double epsilon = d["answer"]["exact"]["remove"]["upper"].get<double>() - 0.001;
                d["answer"]["exact"]["remove"]["lower"] = epsilon - 0.01;
                d["answer"]["exact"]["remove"]["upper"] = epsilon;
                for (const std::size_t i : {5, 6}) d["claims"][i]["epsilon"] = epsilon;
              }),
              testing::AllOf(HasSubstr("answer.exact.remove.upper: "), HasSubstr("claims[5]: delta at epsilon")));
}

// An upper bound inside of a claim is not proven by it, even if nothing refutes it.
TEST(Forgery, TheAnswerIsAtTheEndsOfTheClaimsOrBeyond) {
  EXPECT_THAT(faults_of([](Json& d) {
                const Json& claim = d["claims"][3];
                const double lower = rounded_up(test::dyadic_in(claim["lower"]));
                d["answer"]["exact"]["remove"]["upper"] = lower;
                for (const std::size_t i : {5, 6}) d["claims"][i]["epsilon"] = lower;
              }),
              HasSubstr("answer.exact.remove.upper: "));
  EXPECT_THAT(faults_of([](Json& d) {
                const Json& claim = d["claims"][4];
                d["answer"]["exact"]["add"]["lower"] = rounded_down(test::dyadic_in(claim["upper"]));
              }),
              HasSubstr("answer.exact.add.lower: "));
  EXPECT_THAT(
      faults_of([](Json& d) { d["answer"]["rdp"]["remove"] = rounded_down(test::dyadic_in(d["claims"][0]["lower"])); }),
      HasSubstr("answer.rdp.remove: "));
}

void claim_anything(Json& document) {
  for (Json& claim : document["claims"]) {
    claim["lower"] = test::end({"0", 0}, false);
    claim["upper"] = test::end(claim["claim"] == "delta" ? Dyadic{"1", 0} : Dyadic{"inf", 0}, true);
    claim["method"] = "revelation";
  }
}

TEST(Forgery, WideClaimsAreRefused) {
  EXPECT_THAT(faults_of(claim_anything), HasSubstr("claims[3]: epsilon at delta 0.001, remove: says less than can be "
                                                   "proven: claimed [0, inf], proven ["));
  // Not with an answer that they prove either.
  const auto faults = faults_of([](Json& d) {
    claim_anything(d);
    for (const char* direction : {"remove", "add"}) {
      d["answer"]["rdp"][direction] = "inf";
      d["answer"]["exact"][direction]["lower"] = 0;
      d["answer"]["exact"][direction]["upper"] = "inf";
    }
    d["answer"]["renyi"]["epsilon"] = "inf";
    d["claims"].erase(6);
    d["claims"].erase(5);
  });
  for (const char* path : {"claims[0]: ", "claims[1]: ", "claims[2]: ", "claims[3]: ", "claims[4]: "}) {
    EXPECT_THAT(faults, HasSubstr(path));
  }
  EXPECT_THAT(faults, HasSubstr("claims[0].method: "));
  EXPECT_THAT(faults, testing::Not(HasSubstr("answer")));
}

// Only rounding and a part of the width is left to a claim.
TEST(Forgery, WiderClaimsAreRefused) {
  for (std::size_t i = 0; i < claims; ++i) {
    const std::string faults = faults_of([i](Json& d) {
      Json& claim = d["claims"][i];
      const Enclosure value{test::dyadic_in(claim["lower"]), test::dyadic_in(claim["upper"])};
      const Enclosure wide = widened(value, 1, 1e-8);
      claim["lower"] = test::end(wide.lower, false);
      claim["upper"] = test::end(wide.upper, true);
    });
    EXPECT_THAT(faults, HasSubstr("claims[" + std::to_string(i) + "]: ")) << i;
    EXPECT_THAT(faults, HasSubstr("says less than can be proven")) << i;
  }
}

TEST(Forgery, WhatHasNoExactFigureHasNoneInTheAnswer) {
  const std::string text = make_certificate(Plan().add(Zcdp{.rho = 0.1}), {.epsilon = 1});
  const Verdict genuine_one = verify_certificate(text);
  EXPECT_TRUE(genuine_one.valid);
  EXPECT_EQ(genuine_one.not_certified, 2U);
  const Verdict verdict = verify_certificate(forged(text, [](Json& d) {
    const Json nothing{{"lower", 0}, {"upper", 0}, {"engine", "closed-form"}};
    d["answer"]["exact"] = {{"remove", nothing}, {"add", nothing}};
  }));
  EXPECT_FALSE(verdict.valid);
  EXPECT_THAT(verdict.faults,
              testing::Contains(HasSubstr("answer.exact: stated, but nothing proves it: delta at epsilon 1, remove")));
}

TEST(Forgery, DecimalsFollowFromDyadics) {
  EXPECT_THAT(faults_of([](Json& d) { d["claims"][1]["lower"]["decimal"] = "0.001"; }),
              HasSubstr("claims[1].lower.decimal"));
  EXPECT_THAT(faults_of([](Json& d) { std::swap(d["claims"][1]["lower"], d["claims"][1]["upper"]); }),
              HasSubstr("claims[1].lower"));
}

}  // namespace
}  // namespace renyi::forgery_test
