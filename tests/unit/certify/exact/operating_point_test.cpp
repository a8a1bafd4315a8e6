#include "certify/exact/operating_point.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/expect.h"

namespace renyi::certify::operating_point_test {
namespace {

const Steps training{{SampledGaussian{0.01, 1.1}, 10'000}};

TEST(CertifiedPlace, IsNextToTheReferenceEpsilons) {
  EXPECT_NEAR(place_of_delta(training, Direction::remove, 1e-5).epsilon, 5.192583445883, 2e-3);
  EXPECT_NEAR(place_of_delta(training, Direction::add, 1e-5).epsilon, 4.806500065667, 2e-3);
}

TEST(CertifiedPlace, OfEpsilonAndOfDeltaAgree) {
  for (const Direction direction : test::both_directions) {
    const OperatingPoint by_delta = place_of_delta(training, direction, 1e-7);
    const OperatingPoint by_epsilon = place_of_epsilon(training, direction, by_delta.epsilon);
    EXPECT_NEAR(by_epsilon.saddle, by_delta.saddle, 1e-6 * by_delta.saddle);
    EXPECT_NEAR(by_epsilon.log_delta, std::log(1e-7), 1e-6);
  }
}

TEST(CertifiedPlace, EpsilonIsNotBelowZero) {
  EXPECT_EQ(place_of_delta({{Gaussian{10, 1}, 1}}, Direction::remove, 0.9).epsilon, 0);
}

// K, K' and K'' of N(rho, 2 rho), also as a sampled Gaussian that always samples but for 1e-14.
TEST(CertifiedEstimate, OfGaussians) {
  for (const Mechanism& mechanism : {Mechanism(Gaussian{2, 1}), Mechanism(SampledGaussian{1 - 1e-14, 2})}) {
    const Estimate k = estimate_log_moment(mechanism, Direction::remove, 3);
    EXPECT_NEAR(k.value, 12.0 / 8, 1e-9);
    EXPECT_NEAR(k.slope, 7.0 / 8, 1e-9);
    EXPECT_NEAR(k.curvature, 1.0 / 4, 1e-9);
  }
}

// Derivatives against differences; small curves keep their digits.
TEST(CertifiedEstimate, SlopesAreThoseOfTheValues) {
  for (const Mechanism& mechanism :
       {Mechanism(SampledGaussian{0.01, 1}), Mechanism(SampledGaussian{1e-9, 3}), Mechanism(Laplace{2, 1}),
        Mechanism(RandomizedResponse{0.3, 4}), Mechanism(PureDp{1e-6})}) {
    for (const Direction direction : test::both_directions) {
      SCOPED_TRACE(std::string(mechanism.kind()) + test::name_of(direction));
      const double c = 2, d = 1e-3;
      const Estimate k = estimate_log_moment(mechanism, direction, c);
      const double above = estimate_log_moment(mechanism, direction, c + d).value;
      const double below = estimate_log_moment(mechanism, direction, c - d).value;
      EXPECT_GT(k.value, 0);
      EXPECT_NEAR((above - below) / (2 * d), k.slope, 1e-5 * k.slope);
      EXPECT_NEAR((above - 2 * k.value + below) / (d * d), k.curvature, 1e-4 * k.curvature);
    }
  }
}

}  // namespace
}  // namespace renyi::certify::operating_point_test
