// Where no method is sharp only Chernoff's bound is proven, and every figure between 0 and it agrees with the proof:
// what is stated must be what it proves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "json/write.h"
#include "renyi/error.h"
#include "support/forgery.h"

namespace renyi::upper_bound_test {
namespace {

using json::Json;
using test::forged;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// Its epsilon is about 4e6, and nearly all of that is lost for certain.
const std::string& genuine() {
  static const std::string text = make_certificate(
      Plan().add(SampledGaussian{.sampling_rate = 0.3, .noise_multiplier = 0.02}, 10'000), {.delta = 1e-5});
  return text;
}

TEST(UpperBoundsOnly, TheGenuineOneIsValidAndSaysSo) {
  const Verdict verdict = verify_certificate(genuine());
  EXPECT_THAT(verdict.faults, testing::IsEmpty());
  ASSERT_EQ(verdict.proven.size(), 7U);
  EXPECT_EQ(verdict.proven[3].claim, "epsilon at delta 1e-05, remove");
  EXPECT_EQ(verdict.proven[3].statement,
            (ClaimStatement{.kind = ClaimKind::epsilon, .direction = Direction::remove, .at = 1e-5}));
  ASSERT_TRUE(verdict.plan);
  EXPECT_EQ(write_plan(*verdict.plan), json::write(json::parse(genuine()).at("plan")));
  EXPECT_EQ(verdict.question.delta, 1e-5);
  EXPECT_EQ(verdict.question.epsilon, std::nullopt);
  EXPECT_EQ(verdict.proven[3].says, "an upper bound only");
  EXPECT_GT(verdict.proven[3].width, 3.7e6);
  EXPECT_EQ(verdict.proven[0].says, "");
  const Json exact = json::parse(genuine()).at("answer").at("exact");
  EXPECT_EQ(exact.at("remove").at("lower"), 0);  // nothing more is proven
  EXPECT_GT(exact.at("remove").at("upper").get<double>(), 3.7e6);
}

// Every figure of the answer, and the epsilons that claims are about; the claims' ends stay.
void state(Json& document, double figure) {
  Json& answer = document["answer"];
  answer["renyi"]["epsilon"] = figure;
  for (const char* direction : {"remove", "add"}) {
    answer["rdp"][direction] = figure;
    answer["exact"][direction]["lower"] = 0;
    answer["exact"][direction]["upper"] = figure;
  }
  for (const std::size_t i : {5, 6}) document["claims"][i]["epsilon"] = figure;
}

TEST(UpperBoundsOnly, ASmallerFigureIsNotProven) {
  const Verdict verdict = verify_certificate(forged(genuine(), [](Json& d) {
    const Json rdp = d["answer"]["rdp"];
    const Json renyi = d["answer"]["renyi"];
    state(d, 0.001);
    d["answer"]["rdp"] = rdp;
    d["answer"]["renyi"] = renyi;
  }));
  EXPECT_FALSE(verdict.valid);
  EXPECT_THAT(verdict.faults, Contains(StartsWith("answer.exact.remove.upper: 0.001 is below 4.025")));
}

TEST(UpperBoundsOnly, WideClaimsDoNotMakeItSo) {
  const Verdict verdict = verify_certificate(forged(genuine(), [](Json& d) {
    state(d, 0.001);
    for (Json& claim : d["claims"]) {
      claim["lower"] = test::end({"0", 0}, false);
      claim["upper"] = test::end(claim["claim"] == "delta" ? Dyadic{"1", 0} : Dyadic{"inf", 0}, true);
    }
  }));
  EXPECT_FALSE(verdict.valid);
  EXPECT_THAT(verdict.faults, Contains(StartsWith("answer.exact.remove.upper: 0.001 is below inf")));
  EXPECT_THAT(verdict.faults, Contains(HasSubstr("says less than can be proven: claimed [0, inf]")));
}

// Twice a bound is one too, but says less.
TEST(UpperBoundsOnly, LargerBoundsAreRefused) {
  const Verdict verdict = verify_certificate(forged(genuine(), [](Json& d) {
    Dyadic upper = test::dyadic_in(d["claims"][5]["upper"]);
    upper.exponent += 1;
    d["claims"][5]["upper"] = test::end(upper, true);
  }));
  EXPECT_THAT(verdict.faults, ElementsAre(AllOf(StartsWith("claims[5]: delta at epsilon "), HasSubstr("says less"))));
}

}  // namespace
}  // namespace renyi::upper_bound_test
