#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "certificate/consistency.h"
#include "json/parse.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/extras/certificate.h"
#include "renyi/extras/certify.h"
#include "renyi/limits.h"
#include "support/forgery.h"

namespace renyi::make_certificate_test {
namespace {

using json::Json;
using testing::IsEmpty;

void expect_valid(const Plan& plan, const CertificateQuestion& question) {
  const std::string text = make_certificate(plan, question);
  const Verdict verdict = verify_certificate(text);
  EXPECT_THAT(verdict.faults, IsEmpty()) << text;
  EXPECT_TRUE(verdict.valid) << text;
  EXPECT_GT(verdict.claims, 2U) << text;
}

Json certificate_of(const Plan& plan, const CertificateQuestion& question) {
  return json::parse(make_certificate(plan, question));
}

TEST(MakeCertificate, VerifiesForEveryMechanismOrSaysThatItCannot) {
  std::size_t certified = 0;
  for (const Mechanism& mechanism : all_mechanisms()) {
    SCOPED_TRACE(std::string(mechanism.kind()));
    if (!has_certified_method(mechanism)) {
      EXPECT_THROW(make_certificate(Plan().add(mechanism), {.delta = 1e-4}), Unsupported);
      continue;
    }
    ++certified;
    expect_valid(Plan().add(mechanism), {.delta = 1e-4});
    expect_valid(Plan().add(mechanism), {.epsilon = 0.5});
  }
  EXPECT_GE(certified, 10U);
}

TEST(MakeCertificate, VerifiesForMixedPlans) {
  const Plan inner = Plan().add(Laplace{.scale = 5}, 3).add(Gaussian{.stddev = 6});
  const Plan plan = Plan().add(inner, 2).add(SampledGaussian{.sampling_rate = 0.05, .noise_multiplier = 1.2}, 50);
  expect_valid(plan, {.delta = 1e-5});
  expect_valid(plan, {.epsilon = 2, .order = 4});
}

// The names are a part of the plan's text, and so of its digest, but of no claim.
TEST(MakeCertificate, VerifiesForPlansWithNames) {
  const Plan plain = Plan().add(Laplace{.scale = 5}, 3);
  Plan named;
  named.add(Step{Mechanism(Laplace{.scale = 5}), 3, "ages", "one count a year"});
  expect_valid(named, {.delta = 1e-4});
  const Json one = certificate_of(plain, {.delta = 1e-4}), other = certificate_of(named, {.delta = 1e-4});
  EXPECT_EQ(one["claims"], other["claims"]);
  EXPECT_NE(one["plan_sha256"], other["plan_sha256"]);
  EXPECT_EQ(other["plan"]["steps"][0]["name"], "ages");
}

TEST(MakeCertificate, VerifiesAtTheEnds) {
  const double inf = std::numeric_limits<double>::infinity();
  const Plan gaussian = Plan().add(Gaussian{.stddev = 2});
  expect_valid(gaussian, {.delta = 0});  // an infinite epsilon
  expect_valid(gaussian, {.delta = 1});
  expect_valid(gaussian, {.delta = 0.9});  // above the total variation: epsilon 0
  expect_valid(gaussian, {.epsilon = 0});
  expect_valid(gaussian, {.delta = 1e-5, .order = inf});
  expect_valid(gaussian, {.epsilon = 1, .order = inf});
  expect_valid(gaussian, {.delta = 0, .order = 8});
  expect_valid(gaussian, {.delta = 1, .order = 8});
  const Plan laplace = Plan().add(Laplace{.scale = 2});
  expect_valid(laplace, {.delta = 0});
  expect_valid(laplace, {.epsilon = 1});  // above the largest loss: delta 0
  expect_valid(Plan().add(SampledGaussian{.sampling_rate = 0, .noise_multiplier = 1}), {.delta = 1e-5});
  expect_valid(Plan().add(Gaussian{.stddev = 1e5}), {.delta = 1e-100});  // the best order is above 1e4
}

TEST(MakeCertificate, VerifiesForLargeLosses) {
  const Plan certain = Plan().add(Laplace{.scale = 1, .l1_sensitivity = 1e5}, 1'000'000);
  expect_valid(certain, {.delta = 1e-5});
  expect_valid(certain, {.epsilon = 1});
  expect_valid(Plan().add(Laplace{.scale = 1, .l1_sensitivity = 1e5}), {.delta = 1e-5});
  expect_valid(Plan().add(Gaussian{.stddev = 0.02}, 1'000'000), {.delta = 1e-5});
  expect_valid(Plan().add(SampledGaussian{.sampling_rate = 0.3, .noise_multiplier = 0.02}), {.delta = 1e-5});
}

// Every figure of the answer is at an end of its claim or beyond.
TEST(MakeCertificate, TheClaimsProveTheAnswer) {
  const Json document =
      certificate_of(Plan().add(SampledGaussian{.sampling_rate = 0.2, .noise_multiplier = 1.5}, 40), {.delta = 1e-3});
  const Json& answer = document.at("answer");
  const auto end = [&](std::size_t claim, const char* name) {
    return test::dyadic_in(document.at("claims").at(claim).at(name));
  };
  EXPECT_GE(answer.at("rdp").at("remove").get<double>(), rounded_up(end(0, "upper")));
  EXPECT_GE(answer.at("rdp").at("add").get<double>(), rounded_up(end(1, "upper")));
  EXPECT_GE(answer.at("renyi").at("epsilon").get<double>(), rounded_up(end(2, "upper")));
  std::size_t claim = 3;
  for (const char* direction : {"remove", "add"}) {
    const Json& figure = answer.at("exact").at(direction);
    EXPECT_GE(figure.at("upper").get<double>(), rounded_up(end(claim, "upper")));
    EXPECT_LE(figure.at("lower").get<double>(), rounded_down(end(claim, "lower")));
    EXPECT_LT(figure.at("upper").get<double>() - figure.at("lower").get<double>(), 1e-8);
    ++claim;
  }
  EXPECT_EQ(document.at("claims").at(5).at("epsilon"), answer.at("exact").at("remove").at("upper"));
}

TEST(MakeCertificate, SaysWhatWasAskedAndIsTheSameEachTime) {
  const Plan plan = Plan(Neighbors::replace_one).add(Gaussian{.stddev = 4}, 3);
  const std::string text = make_certificate(plan, {.delta = 1e-5, .order = 8});
  EXPECT_EQ(text, make_certificate(plan, {.delta = 1e-5, .order = 8}));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_TRUE(text.ends_with("}\n"));
  const Json document = json::parse(text);
  EXPECT_EQ(document.at("question").dump(), R"({"delta":1e-05,"order":8})");
  EXPECT_EQ(document.at("neighbors"), "replace-one");
  EXPECT_EQ(document.at("claims").size(), 7U);
  EXPECT_EQ(document.at("claims").at(0).at("order"), 8);
  EXPECT_EQ(document.at("not_certified").size(), 0U);
}

TEST(MakeCertificate, RefusesWhatItCanProveNothingOf) {
  const Mechanism sampled = Mechanism(RandomizedResponse{0.75}).sampled_by(Sampling::poisson(0.1));
  try {
    make_certificate(Plan().add(sampled), {.delta = 1e-5});
    FAIL() << "accepted";
  } catch (const Unsupported& error) {
    EXPECT_NE(error.why().find("randomized-response, poisson"), std::string::npos) << error.what();
  }
  // An epoch of shuffled batches is a step that can be proved.
  const Mechanism shuffled = Mechanism(Gaussian{4}).sampled_by(Sampling::shuffled(10));
  EXPECT_NO_THROW(make_certificate(Plan(Neighbors::zero_out).add(shuffled, 3), {.delta = 1e-5}));
}

// D_8 = 3 * 8 / (2 * 4^2) = 3/4, which has few bits.
TEST(MakeCertificate, EnclosesTheTruth) {
  const Json claim =
      certificate_of(Plan().add(Gaussian{.stddev = 4}, 3), {.delta = 1e-5, .order = 8}).at("claims").at(0);
  const auto end = [&claim](const char* name) {
    const Json& dyadic = claim.at(name).at("dyadic");
    return Dyadic{dyadic.at(0).get<std::string>(), dyadic.at(1).get<std::int64_t>()};
  };
  const Dyadic truth{"3", -2};
  EXPECT_TRUE(contains({end("lower"), end("upper")}, {truth, truth}));
  EXPECT_LE(rounded_up(end("upper")) - rounded_down(end("lower")), 1e-12);
}

TEST(MakeCertificate, OrdersEndAtTenThousand) {
  const Json answer = certificate_of(Plan().add(Gaussian{.stddev = 1e5}), {.delta = 1e-100}).at("answer");
  EXPECT_EQ(answer.at("renyi").at("order"), 1e4);
}

TEST(MakeCertificate, WhatCannotBeProvenIsListed) {
  const Json document = certificate_of(Plan().add(Zcdp{.rho = 0.1}), {.delta = 1e-5});
  EXPECT_EQ(document.at("claims").size(), 3U);
  ASSERT_EQ(document.at("not_certified").size(), 2U);
  EXPECT_EQ(document.at("not_certified").at(0).at("claim"), "epsilon");
  EXPECT_TRUE(document.at("answer").at("exact").contains("unavailable"));
}

TEST(MakeCertificate, RefusesBadQuestions) {
  const Plan plan = Plan().add(Gaussian{.stddev = 4});
  const double nan = std::nan("");
  const double inf = std::numeric_limits<double>::infinity();
  for (const CertificateQuestion& question : {CertificateQuestion{},
                                              {.delta = 0.1, .epsilon = 1},
                                              {.delta = -0.1},
                                              {.delta = 1.1},
                                              {.delta = nan},
                                              {.epsilon = -1},
                                              {.epsilon = nan},
                                              {.epsilon = inf},
                                              {.delta = 0.1, .order = 1},
                                              {.delta = 0.1, .order = 10001},
                                              {.delta = 0.1, .order = nan},
                                              {.delta = 0.1, .order = -inf}}) {
    EXPECT_THROW(make_certificate(plan, question), InvalidArgument);
  }
}

// A fast answer that is too small would be noticed.
TEST(MakeCertificate, ContradictionsAreSeen) {
  certificate::Certificate document{};
  document.question.delta = 1e-5;
  document.answer.renyi = 1;
  document.answer.exact = {{{0.5, 1}}, {{0.5, 1}}};
  const auto faults = [&](certificate::Statement statement, Dyadic lower, Dyadic upper) {
    document.claims = {{statement, {{lower, upper}, "", 0}}};
    return certificate::contradictions(document).size();
  };
  using certificate::Kind;
  const Dyadic slightly_more{"1180591620717411303425", -70};  // 1 + 2^-70
  const Dyadic half_less{"590295810358705651711", -70};       // 0.5 - 2^-70
  EXPECT_EQ(faults({.kind = Kind::renyi_epsilon}, {"1", 0}, {"3", 0}), 0U);
  EXPECT_EQ(faults({.kind = Kind::renyi_epsilon}, slightly_more, {"3", 0}), 1U);
  EXPECT_EQ(faults({.kind = Kind::epsilon}, {"1", 0}, {"3", 0}), 0U);
  EXPECT_EQ(faults({.kind = Kind::epsilon}, slightly_more, {"3", 0}), 1U);
  EXPECT_EQ(faults({.kind = Kind::epsilon}, {"1", -2}, {"1", -1}), 0U);
  EXPECT_EQ(faults({.kind = Kind::epsilon}, {"1", -2}, half_less), 1U);
  EXPECT_EQ(faults({.kind = Kind::epsilon}, {"inf", 0}, {"inf", 0}), 1U);
  EXPECT_EQ(faults({.kind = Kind::delta}, {"1", -17}, {"1", -16}), 0U);
  EXPECT_EQ(faults({.kind = Kind::delta}, {"1", -16}, {"1", -15}), 1U);
}

// Two grids of the lattice: the second does not fit into the first by itself.
TEST(MakeCertificate, WhatLeavesIsValid) {
  const Plan plan = Plan().add(Laplace{2.3241749354218197}, 4);
  const Verdict verdict = verify_certificate(make_certificate(plan, {.delta = 2.3881169189803037e-05}));
  EXPECT_TRUE(verdict.valid) << (verdict.faults.empty() ? "" : verdict.faults.front());
}

// The figures of this plan take long. Nothing of it can be certified, which is said before they are computed.
TEST(MakeCertificate, RefusesWithoutAMethodBeforeItComputes) {
  const Plan plan = Plan(Neighbors::zero_out)
                        .add(Mechanism(Gaussian{.stddev = 4}).sampled_by(Sampling::with_replacement(60'000, 60'000)));
  const LimitScope stopped({.stop = [] { return true; }});
  EXPECT_THROW(make_certificate(plan, {.delta = 1e-5}), Unsupported);
}

}  // namespace
}  // namespace renyi::make_certificate_test
