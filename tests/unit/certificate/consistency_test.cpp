#include "certificate/consistency.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace renyi::certificate::consistency_test {
namespace {

// Returns a certificate for delta = 1e-5; each test adds the claims.
Certificate certificate_of_one() {
  Certificate certificate;
  certificate.question.delta = 1e-5;
  certificate.answer = {.renyi = 3, .order = 8, .rdp_remove = 2, .rdp_add = 1};
  certificate.answer.exact = {{{0.5, 1}}, {{0.25, 0.75}}};
  return certificate;
}

Claim claim(Kind kind, Direction direction, Dyadic lower, Dyadic upper) {
  return {{.kind = kind, .direction = direction}, {{std::move(lower), std::move(upper)}, "", 0}};
}

Answer settled(const Certificate& certificate) { return settled(certificate.answer, certificate); }

TEST(Settled, EndsMoveToTheSafeSideOfTheClaims) {
  Certificate certificate = certificate_of_one();
  certificate.claims = {claim(Kind::rdp, Direction::add, {"1", -1}, {"3", -1}),
                        claim(Kind::renyi_epsilon, Direction::remove, {"3", 0}, {"7", -1}),
                        claim(Kind::epsilon, Direction::remove, {"0", 0}, {"3", 0})};
  const Answer answer = settled(certificate);
  EXPECT_EQ(answer.rdp_remove, 2);
  EXPECT_EQ(answer.rdp_add, 1.5);
  EXPECT_EQ(answer.renyi, 3.5);
  EXPECT_EQ(answer.exact->remove.lower, 0);
  EXPECT_EQ(answer.exact->remove.upper, 3);
  EXPECT_EQ(answer.exact->add.lower, 0.25);
  EXPECT_EQ(answer.exact->add.upper, 0.75);
}

TEST(Settled, EndsThatAreSafeStay) {
  Certificate certificate = certificate_of_one();
  certificate.claims = {claim(Kind::rdp, Direction::remove, {"1", -1}, {"3", -1}),
                        claim(Kind::epsilon, Direction::remove, {"5", -3}, {"7", -3})};
  const Answer answer = settled(certificate);
  EXPECT_EQ(answer.rdp_remove, 2);
  EXPECT_EQ(answer.exact->remove.lower, 0.5);
  EXPECT_EQ(answer.exact->remove.upper, 1);
}

TEST(Settled, EndsAreRoundedOutwards) {
  Certificate certificate = certificate_of_one();
  // 1/2 - 2^-70 and 1 + 2^-70.
  certificate.claims = {
      claim(Kind::epsilon, Direction::remove, {"590295810358705651711", -70}, {"1180591620717411303425", -70})};
  const Answer answer = settled(certificate);
  EXPECT_EQ(answer.exact->remove.lower, std::nextafter(0.5, 0));
  EXPECT_EQ(answer.exact->remove.upper, std::nextafter(1.0, 2));
  certificate.answer = answer;
  EXPECT_TRUE(unproven(certificate).empty());
}

TEST(Settled, ClaimsAtTheAnswerDoNotMoveIt) {
  Certificate certificate = certificate_of_one();
  certificate.claims = {claim(Kind::delta, Direction::remove, {"0", 0}, {"1", 0})};
  EXPECT_EQ(settled(certificate).exact->remove.upper, 1);
  // If the question gives an epsilon, the bounds on delta are the answer.
  certificate.question = {.epsilon = 0.125};
  EXPECT_EQ(settled(certificate).exact->remove.lower, 0);
}

TEST(Settled, WhatNothingProvesIsNotStated) {
  Certificate certificate = certificate_of_one();
  certificate.gaps = {{{.kind = Kind::epsilon, .direction = Direction::add, .at = 1e-5}, "too hard"},
                      {{.kind = Kind::rdp, .order = 8, .direction = Direction::add}, "too hard"},
                      {{.kind = Kind::renyi_epsilon, .order = 8, .at = 1e-5}, "too hard"}};
  EXPECT_EQ(unproven(certificate).size(), 3U);
  const Answer answer = settled(certificate);
  EXPECT_FALSE(answer.exact);
  EXPECT_EQ(answer.unavailable, "not proven: epsilon at delta 1e-05, add: too hard");
  EXPECT_EQ(answer.rdp_remove, 2);
  EXPECT_TRUE(std::isinf(answer.rdp_add));
  EXPECT_TRUE(std::isinf(answer.renyi));
  certificate.answer = answer;
  EXPECT_TRUE(unproven(certificate).empty());
}

// The fast library's own reason is the better one.
TEST(Settled, ReasonsStay) {
  Certificate certificate = certificate_of_one();
  certificate.answer.exact.reset();
  certificate.answer.unavailable = "no law of the loss";
  certificate.gaps = {{{.kind = Kind::epsilon, .at = 1e-5}, "too hard"}};
  EXPECT_EQ(settled(certificate).unavailable, "no law of the loss");
}

}  // namespace
}  // namespace renyi::certificate::consistency_test
