#include "certify/sampled_gaussian/curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "certify/sampled_gaussian/integral.h"
#include "support/expect.h"

namespace renyi::certify::sampled_gaussian_curve_test {
namespace {

using test::both_directions;

constexpr SampledGaussian settings[] = {{0.01, 1.1}, {0.3, 0.4}, {0.97, 3}, {1e-5, 0.8}};

Ball at_bits(long bits, const auto& figure) {
  const Precision precision(bits);
  return figure();
}

TEST(CertifiedSampledGaussian, TheSumTheRuleAndTheIntegralAgreeToFiftyDigits) {
  for (const SampledGaussian& mechanism : settings) {
    for (const int order : {2, 3, 17}) {
      const Precision precision(256);
      const Ball sum = finite_sum_log_moment(mechanism, order);
      const Ball rule = trapezoid_log_moment(mechanism, Direction::remove, order - 1);
      const Ball integral = integral_log_moment(mechanism, Direction::remove, order - 1);
      EXPECT_LT(std::max({sum.relative_radius(), rule.relative_radius(), integral.relative_radius()}), 1e-50);
      EXPECT_TRUE(overlap(sum, rule));
      EXPECT_TRUE(overlap(sum, integral));
    }
  }
}

// The rule or the windows alone leave much out, and nothing else does: an error not counted would show.
void expect_truth_inside(const auto& figure, const Ball& truth) {
  for (long bits = 8; bits <= 56; bits += 16) {
    EXPECT_TRUE(contains(figure(Effort{.rule = bits, .window = 240}), truth)) << "rule of " << bits << " bits";
    EXPECT_TRUE(contains(figure(Effort{.rule = 240, .window = bits}), truth)) << "windows of " << bits << " bits";
  }
}

TEST(CertifiedSampledGaussian, WhatIsLeftOutIsCounted) {
  const Precision precision(256);
  for (const SampledGaussian& mechanism : settings) {
    for (const Direction direction : both_directions) {
      SCOPED_TRACE(test::name_of(direction));
      for (const double z : {0.5, 7.0}) {
        const auto rule = [&](Effort effort) { return trapezoid_log_moment(mechanism, direction, z, effort); };
        const auto integral = [&](Effort effort) { return integral_log_moment(mechanism, direction, z, effort); };
        expect_truth_inside(rule, at_bits(512, [&] { return integral({}); }));
        expect_truth_inside(integral, at_bits(512, [&] { return rule({}); }));
      }
      const auto rule = [&](Effort effort) { return trapezoid_mean_loss(mechanism, direction, effort); };
      const auto integral = [&](Effort effort) { return integral_mean_loss(mechanism, direction, effort); };
      expect_truth_inside(rule, at_bits(512, [&] { return integral({}); }));
      expect_truth_inside(integral, at_bits(512, [&] { return rule({}); }));
    }
  }
}

// Lemma C5 is twice the integral of phi_s(y) (y/s^2 + k) beyond W, and above that of the modulus over the nearest 20
// standard deviations outside the windows, where it has one sign.
TEST(CertifiedSampledGaussian, TheBoundOutsideHolds) {
  const Precision precision(128);
  for (const SampledGaussian& mechanism : {SampledGaussian{0.01, 1.1}, {0.3, 0.4}, {0.97, 3}, {1 - 1e-15, 0.15}}) {
    const double s = mechanism.noise_multiplier;
    for (const Direction direction : both_directions) {
      const bool remove = direction == Direction::remove;
      const MeanLossWindows windows{.centres = remove ? std::vector<double>{0, 1} : std::vector<double>{0},
                                    .half_width = s};
      const Integrand integrand{.mechanism = mechanism, .exponent = remove ? 1 : 0, .times_log = true};
      const double left = -s;
      const double right = windows.centres.back() + s;
      const Ball truth =
          abs(integral(integrand, left - 20 * s, left, 1)) + abs(integral(integrand, right, right + 20 * s, 1));
      const Ball bound = mean_loss_outside(mechanism, windows, 0);
      EXPECT_TRUE(surely_less(truth, bound)) << truth.about() << " " << bound.about();
      EXPECT_TRUE(surely_less(bound, mean_loss_outside(mechanism, windows, s)));
      double sum = 0;
      const double k = 0.5 / (s * s) - std::log1p(-mechanism.sampling_rate);
      for (double y = 1 + 5e-5; y < 12; y += 1e-4) sum += 1e-4 * std::exp(-y * y / 2) * (y / s + k);
      EXPECT_NEAR(bound.about(), 2 * sum / std::sqrt(2 * std::numbers::pi), 1e-6 * bound.about());
    }
  }
}

// Lemma C6 against plain sums of the modulus along the line.
TEST(CertifiedSampledGaussian, TheBoundOnTheEdgeHolds) {
  for (const SampledGaussian& mechanism : {SampledGaussian{0.01, 1.1}, {0.3, 0.4}, {0.97, 3}, {0.5, 10}}) {
    const double q = mechanism.sampling_rate;
    const double s = mechanism.noise_multiplier;
    for (const double angle : {0.3, 2.0, 3.0}) {
      const double step = 1e-3 * s;
      double remove = 0;
      double add = 0;
      for (double x = -12 * s; x < 1 + 12 * s; x += step) {
        const std::complex<double> at(x, angle * s * s);
        const std::complex<double> r = 1 - q + q * std::exp((2.0 * at - 1.0) / (2 * s * s));
        const double weight = step * std::abs(std::exp(-at * at / (2 * s * s))) / (s * std::sqrt(2 * std::numbers::pi));
        remove += weight * std::abs(r * std::log(r));
        add += weight * std::abs(std::log(r));
      }
      const double bound = mean_loss_on_edge(mechanism, Ball(angle) * square(Ball(s))).lower().about();
      EXPECT_LE(std::max(remove, add), bound);
      EXPECT_GE(std::max(remove, add), 1e-6 * bound);
    }
  }
}

TEST(CertifiedSampledGaussian, NoBoundWhereTheLemmasDoNotReach) {
  const SampledGaussian mechanism{0.1, 2};
  EXPECT_FALSE(mean_loss_on_edge(mechanism, 13).is_finite());  // 13/4 > pi
  EXPECT_TRUE(mean_loss_on_edge(mechanism, 12).is_finite());
  EXPECT_FALSE(mean_loss_outside(mechanism, {.centres = {0}, .half_width = 1}, 0).is_finite());
}

TEST(CertifiedSampledGaussian, LargestLosses) {
  const SampledGaussian mechanism{0.5, 2};
  EXPECT_FALSE(max_loss(mechanism, Direction::remove).is_finite());
  EXPECT_TRUE(overlap(max_loss(mechanism, Direction::add), log(Ball(2))));
}

TEST(CertifiedSampledGaussian, TinyCurvesKeepTheirDigits) {
  const SampledGaussian mechanism{1e-100, 1e6};
  const Precision precision(128);
  const Ball k = finite_sum_log_moment(mechanism, 2);  // ln(1 + q^2 expm1(1/s^2))
  EXPECT_LT(k.relative_radius(), 1e-30);
  EXPECT_TRUE(overlap(k, log1p(square(Ball(1e-100)) * expm1(1 / square(Ball(1e6))))));
}

}  // namespace
}  // namespace renyi::certify::sampled_gaussian_curve_test
