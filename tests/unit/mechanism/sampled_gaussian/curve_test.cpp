// The curve where its lattice is stretched: huge orders and huge imaginary parts.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "explain/promises.h"
#include "renyi/explain.h"
#include "renyi/mechanism.h"

namespace renyi::sampled_gaussian_curve_test {
namespace {

// Direction add: K(z)/z increases to -ln(1-q), however large z; once the search for
// the peak did not end.
TEST(SampledGaussianCurve, HugeOrdersInDirectionAdd) {
  for (const double s : {0.05, 1.1, 30.0, 1e6}) {
    const auto curve = Mechanism(SampledGaussian{0.01, s}).curve();
    Bounded before{0, 0};
    for (const double order : {1e3, 1e5, 1e9, 1e20, 1e40, 1e100}) {
      const Bounded d = divergence(*curve, order, Direction::add);
      EXPECT_LE(before.lower(), d.upper()) << s << " " << order;
      EXPECT_LE(d.lower(), curve->max_loss(Direction::add).upper()) << s << " " << order;
      EXPECT_TRUE(std::isfinite(d.upper())) << s << " " << order;
      before = d;
    }
  }
}

// For tiny q the curve is z (z+1)/2 q^2 (exp(1/s^2) - 1), up to terms of order q^3.
TEST(SampledGaussianCurve, ErrorEstimatesHoldOnFineLattices) {
  const double q = 1e-40;
  for (const double s : {0.3, 1.0}) {
    for (const double y : {10.0, 1e3, 1e4, 1e5}) {
      for (const Direction direction : {Direction::remove, Direction::add}) {
        const std::complex<double> z{0.7, y};
        const ComplexLogMoment k = Mechanism(SampledGaussian{q, s}).curve()->log_moment(z, direction);
        const std::complex<double> truth = 0.5 * z * (z + 1.0) * q * q * std::expm1(1 / (s * s));
        EXPECT_LE(std::abs(k.value - truth), k.error + 4e-16 * std::abs(truth)) << s << " " << y;
        EXPECT_LE(k.error, 1e-9 * std::abs(truth)) << s << " " << y;
      }
    }
  }
}

// 1 + z is rounded, which with losses of thousands is more than all other roundings: value by 40 digits.
TEST(SampledGaussianCurve, TheRoundingOfTheOrderIsCharged) {
  const auto curve = Mechanism(SampledGaussian{0.9999818138718134, 0.017576155234985614}).curve();
  const LogMoment k = curve->log_moment(0.00067452264261113281, Direction::remove);
  EXPECT_LE(std::abs(k.value - 1.0924631405327451), k.error + 1e-15);
  EXPECT_LE(k.error, 1e-12);
}

// Where the sum is beyond the doubles, direction add is bounded by its largest loss.
TEST(SampledGaussianCurve, DirectionAddIsServedAtEveryOrder) {
  const double q = 3.121677279180752e-70, order = 1.6e81;
  const auto curve = Mechanism(SampledGaussian{q, 0.01}).curve();
  const Bounded found = divergence(*curve, order, Direction::add);
  EXPECT_LE(found.lower(), q);
  EXPECT_GE(found.upper(), q * (1 - 1e-12));
  EXPECT_LE(found.upper(), q * (1 + 1e-12));
  EXPECT_NO_THROW(best_outcome(*curve, 0.5));
}

}  // namespace
}  // namespace renyi::sampled_gaussian_curve_test
