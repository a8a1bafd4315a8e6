// Discrete Laplace noise beside its definition, summed in long double.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "exact/privacy_profile.h"
#include "mechanism/curve.h"
#include "renyi/exact.h"
#include "renyi/mechanism.h"
#include "support/expect.h"

namespace renyi::discrete_laplace_test {
namespace {

using Complex = std::complex<long double>;

Mechanism noise(double scale, double sensitivity = 1) {
  return make_mechanism("discrete-laplace", {{"scale", scale}, {"sensitivity", sensitivity}});
}

// sum over all x of p exp(z l) - 1 - z (what sums to 0), by terms that do not cancel: p [e^{zl} - 1 + z (e^{-l} - 1)].
Complex excess(long double b, int d, Complex z) {
  const long double s = 1 / b, inner = std::tanh(s / 2);
  Complex sum = 0;
  for (int x = 0; x <= d; ++x) {
    const long double p = std::exp(-s * x) * (x == 0 || x == d ? 1 / (1 + std::exp(-s)) : inner), l = s * (d - 2 * x);
    const Complex grown =
        std::abs(z) * std::abs(l) < 1e-3L
            ? z * l + z * z * l * l / 2.0L + z * z * z * l * l * l / 6.0L + z * z * z * z * l * l * l * l / 24.0L
            : std::exp(z * l) - 1.0L;
    sum += p * (grown + z * std::expm1(-l));
  }
  return sum;
}

TEST(DiscreteLaplace, CurveIsTheSumOfItsDefinition) {
  for (const double b : {0.05, 0.4, 1.0, 3.0, 40.0, 700.0}) {
    for (const int d : {1, 2, 3, 10, 77}) {
      const auto curve = noise(b, d).curve();
      for (const double z : {1e-4, 0.02, 0.5, 1.0, 6.5, 90.0}) {
        if (z * d / b > 5000) continue;
        const long double truth = std::log1p(excess(b, d, z).real());
        const LogMoment k = curve->log_moment(z, Direction::remove);
        EXPECT_NEAR(k.value / static_cast<double>(truth), 1, 2e-14) << b << " " << d << " " << z;
        EXPECT_LE(k.error, 1e-12 * k.value);
      }
    }
  }
}

TEST(DiscreteLaplace, ComplexPointsAreTheSumOfItsDefinition) {
  for (const double b : {0.3, 1.0, 5.0}) {
    for (const int d : {1, 4}) {
      for (const double y : {0.05, 1.1, 9.0}) {
        for (const double c : {0.1, 2.0}) {
          const Complex truth = std::log(1.0L + excess(b, d, {c, y}));
          const ComplexLogMoment k = noise(b, d).curve()->log_moment(std::complex<double>(c, y), Direction::remove);
          EXPECT_NEAR(k.value.real(), static_cast<double>(truth.real()), k.error + 1e-16);
          EXPECT_NEAR(std::remainder(k.value.imag() - static_cast<double>(truth.imag()), 2 * M_PI), 0, k.error + 1e-15);
          EXPECT_LE(k.error, 1e-11);
        }
      }
    }
  }
}

// One apart, the loss is +-1/b: randomized response.
TEST(DiscreteLaplace, AtDistanceOneItIsRandomizedResponse) {
  for (const double b : {0.2, 1.0, 8.0}) {
    const auto curve = noise(b).curve(), response = Mechanism(PureDp{1 / b}).curve();
    for (const double order : {1.0, 1.5, 4.0, 100.0, test::infinity}) {
      test::expect_overlap(rdp(*curve, order), rdp(*response, order));
    }
  }
}

// Scaled up together, the two laws are those of the continuous noise.
TEST(DiscreteLaplace, InTheLimitItIsLaplaceNoise) {
  const auto fine = noise(1e6, 1e6).curve(), smooth = Mechanism(Laplace{1, 1}).curve();
  for (const double order : {1.0, 1.5, 4.0, 100.0}) {
    EXPECT_NEAR(rdp(*fine, order).value / rdp(*smooth, order).value, 1, 1e-11) << order;
  }
  EXPECT_NEAR(fine->cumulants(Direction::remove).third, smooth->cumulants(Direction::remove).third, 1e-6);
  EXPECT_FALSE(mechanism::atomic_curve_of(noise(1e6, 1e6))->is_listed());
}

TEST(DiscreteLaplace, OrdersBelowOne) {
  for (const double b : {0.3, 1.0, 30.0}) {
    for (const int d : {1, 5}) {
      for (const double a : {0.5, 0.62, 0.8, 0.99}) {
        const Bounded c = noise(b, d).curve()->chernoff(a, Direction::remove);
        const auto truth = static_cast<double>(-std::log1p(excess(b, d, a - 1.0L).real()));
        EXPECT_NEAR(c.value, truth, c.error + 1e-15 * truth) << b << " " << d << " " << a;
      }
    }
  }
}

// Divergences are superadditive in the distance: a vector that moves by (2, 3) costs no more than a number that moves
// by 5.
TEST(DiscreteLaplace, VectorsCostNoMoreThanOneNumber) {
  for (const double b : {0.5, 2.0, 20.0}) {
    const auto two = noise(b, 2).curve(), three = noise(b, 3).curve(), five = noise(b, 5).curve();
    for (const double order : {1.0, 1.2, 3.0, 40.0}) {
      EXPECT_LE(rdp(*two, order).upper() + rdp(*three, order).upper(), rdp(*five, order).upper() * (1 + 1e-12));
    }
  }
}

TEST(DiscreteLaplace, OneStepIsItsHockeyStick) {
  const int d = 4;
  const long double s = 1 / 1.7L;
  const PrivacyProfile one(Plan().add(noise(1.7, d)));
  for (const double epsilon : {0.0, 0.4, 1.0, 2.0}) {
    long double truth = 0;
    for (int x = -400; x <= 400; ++x) {
      const long double p = std::tanh(s / 2) * std::exp(-s * std::abs(x - d)),
                        q = std::tanh(s / 2) * std::exp(-s * std::abs(x));
      truth += std::max(0.0L, p - std::exp(static_cast<long double>(epsilon)) * q);
    }
    const ExactInterval delta = one.delta(epsilon).worst;
    // 1/1.7 is not a double: the figure is as good as the parameter.
    EXPECT_NEAR(delta.lower, static_cast<double>(truth), 1e-14);
    EXPECT_NEAR(delta.upper, static_cast<double>(truth), 1e-14);
  }
  EXPECT_EQ(one.delta(4 / 1.7 + 1e-9).worst.upper, 0);
}

}  // namespace
}  // namespace renyi::discrete_laplace_test
