#include "certify/mechanism/closed_form.h"

#include <gtest/gtest.h>

#include "renyi/error.h"

namespace renyi::certify::mechanism_closed_form_test {
namespace {

const Mechanism closed[] = {Gaussian{2, 3}, Laplace{0.5, 2}, RandomizedResponse{0.75, 2}, RandomizedResponse{0.1, 3},
                            PureDp{1.5},    Gdp{0.7},        SampledGaussian{1, 2}};

// The moment on the real line is exp(K), and its reflection K(-1-z) = K(z) holds: P and Q change places.
TEST(CertifiedMoment, IsTheExponentialOfTheCurveAndSymmetric) {
  const Precision precision(192);
  for (const Mechanism& mechanism : closed) {
    ASSERT_TRUE(has_closed_moment(mechanism));
    for (const double z : {0.25, 1.0, 6.5}) {
      const Complex m = moment(mechanism, Direction::remove, Complex(z));
      EXPECT_TRUE(overlap(log(m.real()), *closed_log_moment(mechanism, z))) << mechanism.kind() << z;
      EXPECT_LT(m.real().relative_radius(), 1e-45);
      const Complex at(z, Ball(3));
      const Complex there = moment(mechanism, Direction::add, at);
      const Complex mirrored = moment(mechanism, Direction::add, Complex(-1) - at);
      EXPECT_TRUE(overlap(there.real(), mirrored.real()) && overlap(there.imaginary(), mirrored.imaginary()));
    }
  }
}

TEST(CertifiedMoment, IsOneWithoutLoss) {
  const Complex m = moment(RandomizedResponse{0.5, 2}, Direction::remove, Complex(3, 4));
  EXPECT_TRUE(acb_is_one(m.raw()));
}

TEST(CertifiedMoment, IsRefusedWhereNoneIsKnown) {
  for (const Mechanism& mechanism : {Mechanism(SampledGaussian{0.1, 1}), Mechanism(Zcdp{0.1, 0})}) {
    EXPECT_FALSE(has_closed_moment(mechanism));
    EXPECT_THROW(moment(mechanism, Direction::remove, Complex(1)), Unsupported);
  }
}

}  // namespace
}  // namespace renyi::certify::mechanism_closed_form_test
