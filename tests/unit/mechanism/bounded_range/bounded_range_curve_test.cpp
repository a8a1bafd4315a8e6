#include "mechanism/bounded_range/bounded_range_curve.h"

#include <gtest/gtest.h>

#include "renyi/error.h"
#include "renyi/mechanism.h"

namespace renyi::mechanism {
namespace {

const std::vector<double> some_epsilons{1e-3, 0.1, 0.9, 0.999, 1.0, 1.001, 1.5, 4.0, 20.0};
const std::vector<double> some_z{0.01, 0.5, 1.0, 1.2, 3.0, 19.0, 100.0};

LogMoment at(double epsilon, double z) { return BoundedRangeCurve(epsilon).log_moment(z, Direction::remove); }

// ln E[exp(z L)] of the loss with the values t and t - epsilon.
long double two_points(long double epsilon, long double z, long double t) {
  const long double p = std::expm1(epsilon - t) * std::exp(t) / std::expm1(epsilon);
  return z * t + std::log1p((1 - p) * std::expm1(-z * epsilon));
}

TEST(BoundedRangeCurve, IsTheLargestMomentOfTwoPoints) {
  constexpr int places = 4000;
  for (const double epsilon : some_epsilons) {
    for (const double z : some_z) {
      SCOPED_TRACE(testing::Message() << "epsilon " << epsilon << " z " << z);
      const LogMoment k = at(epsilon, z);
      long double most = 0;
      for (int i = 0; i <= places; ++i) most = std::max(most, two_points(epsilon, z, epsilon * i / places));
      EXPECT_GE(k.value + k.error, most * (1 - 1e-13L));
      EXPECT_LE(k.value - k.error, most * (1 + 1e-4L));
    }
  }
}

// (z+1) s((z+1) h) - z s(z h) - s(h) as it stands, where extended precision survives the differences.
TEST(BoundedRangeCurve, IsItsFormula) {
  const auto s = [](long double y) { return y > 5000 ? y - std::log(2 * y) : std::log(std::sinh(y) / y); };
  for (const double epsilon : {0.5, 0.9, 1.0, 1.01, 3.0, 40.0, 2000.0}) {
    for (const double z : some_z) {
      SCOPED_TRACE(testing::Message() << "epsilon " << epsilon << " z " << z);
      const long double h = epsilon / 2.0L, formula = (z + 1) * s((z + 1) * h) - z * s(z * h) - s(h);
      const LogMoment k = at(epsilon, z);
      EXPECT_NEAR(k.value, static_cast<double>(formula), k.error + 1e-13 * k.value);
      EXPECT_LT(k.error, 1e-11 * k.value);
    }
  }
}

// At most the pure-DP curve of the same epsilon (it is no more than that), and a epsilon^2/8 (Cesar, Rogers 2021),
// which it reaches where epsilon is small.
TEST(BoundedRangeCurve, LiesBelowBothPublishedBounds) {
  for (const double epsilon : {1e-100, 1e-8, 1e-3, 0.1, 1.0, 3.0, 30.0, 1e6, 1e50}) {
    const BoundedRangeCurve curve(epsilon);
    for (const double order : {1.0, 1.001, 1.5, 2.0, 10.0, 1e3, 1e9}) {
      SCOPED_TRACE(testing::Message() << "epsilon " << epsilon << " order " << order);
      const Bounded d = rdp(curve, order);
      EXPECT_GT(d.lower(), 0);
      EXPECT_LE(d.lower(), rdp(*PureDp{epsilon}.curve(), order).upper());
      EXPECT_LE(d.lower(), order * epsilon * epsilon / 8 * (1 + 1e-14));
      if (order * epsilon < 1e-7) {
        EXPECT_NEAR(d.value, order * epsilon * epsilon / 8, 1e-12 * d.value);
      }
    }
  }
}

// epsilon - [(z+1) ln(z+1) - z ln z]/z
TEST(BoundedRangeCurve, ApproachesEpsilonForLargeOnes) {
  const double z = 3, entropy = 4 * std::log(4.0) - 3 * std::log(3.0);
  EXPECT_NEAR(rdp(BoundedRangeCurve(1000), 4).value, 1000 - entropy / z, 1e-11);
  EXPECT_EQ(BoundedRangeCurve(7).max_loss(Direction::add).upper(), 7);
}

TEST(BoundedRangeCurve, HasNoLaw) {
  const BoundedRangeCurve curve(1);
  EXPECT_EQ(curve.knowledge(), Knowledge::orders);
  EXPECT_THROW(curve.log_moment(std::complex<double>(1, 1), Direction::remove), Unsupported);
  EXPECT_EQ(curve.dominating()->knowledge(), Knowledge::profile);
}

}  // namespace
}  // namespace renyi::mechanism
