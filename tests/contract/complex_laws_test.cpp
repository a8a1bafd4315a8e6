// Laws of the curve off the real axis, over every mechanism and its corner settings.
#include <gtest/gtest.h>

#include <complex>

#include "renyi/error.h"
#include "renyi/plan.h"
#include "support/expect.h"
#include "support/settings.h"

namespace renyi::complex_laws_test {
namespace {

using test::both_directions;
using test::name_of;
using Complex = std::complex<double>;

template <class Law>
void for_each_point(const Law& law) {
  test::for_each_corner([&](const Curve& curve, Direction direction) {
    if (!test::has_complex_points(curve)) return;
    for (const double c : {1e-6, 0.03, 1.0, 7.5, 40.0, 300.0}) {
      SCOPED_TRACE("Re z = " + std::to_string(c));
      test::expect_no_throw([&] {
        try {
          law(curve, direction, c);
        } catch (const NotConverged&) {  // terms that cancel hide the moment, off the axis only
          EXPECT_TRUE(std::isfinite(curve.log_moment(Complex(c, 0), direction).error));
        }
      });
    }
  });
}

TEST(ComplexLaws, OnTheRealAxisItIsTheRealCurve) {
  for_each_point([](const Curve& curve, Direction direction, double c) {
    const ComplexLogMoment k = curve.log_moment(Complex(c, 0), direction);
    const LogMoment real = curve.log_moment(c, direction);
    EXPECT_LE(std::abs(k.value.real() - real.value), (k.error + real.error) * (1 + 1e-15));
    EXPECT_LE(std::abs(k.value.imag()), k.error);
    EXPECT_LE(k.error, 1e-9 * real.value);
  });
}

TEST(ComplexLaws, ConjugatePointsHaveConjugateValues) {
  for_each_point([](const Curve& curve, Direction direction, double c) {
    for (const double y : {0.01, 0.7, 25.0}) {
      const ComplexLogMoment above = curve.log_moment(Complex(c, y), direction);
      const ComplexLogMoment below = curve.log_moment(Complex(c, -y), direction);
      EXPECT_LE(std::abs(above.value - std::conj(below.value)), above.error + below.error) << y;
    }
  });
}

// |E_P[exp((c+iy) L)]| <= E_P[exp(c L)].
TEST(ComplexLaws, TheRealAxisIsTheLargest) {
  for_each_point([](const Curve& curve, Direction direction, double c) {
    const double top = test::value_of(curve.log_moment(c, direction)).upper();
    for (const double y : {0.01, 0.7, 25.0}) {
      const ComplexLogMoment k = curve.log_moment(Complex(c, y), direction);
      EXPECT_FALSE(std::isnan(k.value.real()) || std::isnan(k.value.imag()) || std::isnan(k.error));
      EXPECT_LE(k.value.real() - k.error, top + 1e-15 * std::abs(k.value.real())) << y;
    }
  });
}

// For small steps off the axis K(c+iy) = K + iy K' - y^2 K''/2, up to the third derivative.
TEST(ComplexLaws, NearTheAxisItFollowsSlopeAndCurvature) {
  for (const Mechanism& m : test::everyday_settings()) {
    const auto curve = m.curve();
    if (!test::has_complex_points(*curve)) continue;
    for (const Direction direction : both_directions) {
      for (const double c : {0.5, 2.0, 9.0}) {
        SCOPED_TRACE(test::describe(m) + " " + name_of(direction) + " Re z = " + std::to_string(c));
        const double y = 1e-3 * c;
        const LogMoment real = curve->log_moment(c, direction);
        const ComplexLogMoment k = curve->log_moment(Complex(c, y), direction);
        EXPECT_NEAR(k.value.imag(), y * real.slope, 1e-3 * y * real.slope + k.error);
        EXPECT_NEAR(real.value - k.value.real(), y * y * real.curvature / 2,
                    0.02 * y * y * real.curvature + k.error + real.error);
      }
    }
  }
}

TEST(ComplexLaws, WhereTheCurveIsInfiniteThereIsNoPoint) {
  for (const Mechanism& m : test::all_corners()) {
    const auto curve = m.curve();
    const double beyond = std::max(curve->last_order() - 1, 1e-6) * (1 + 1e-9);
    if (!(beyond <= largest_order)) continue;
    EXPECT_THROW(curve->log_moment(Complex(beyond, 1), Direction::remove), Unsupported) << test::describe(m);
  }
}

// No complex point belongs to a bound that holds at real orders only.
TEST(ComplexLaws, BoundsAtRealOrdersRefuseComplexOnes) {
  int refused = 0;
  for (const Mechanism& m : all_mechanisms()) {
    if (m.curve()->knowledge() != Knowledge::orders) continue;
    EXPECT_THROW(m.curve()->log_moment(Complex(0.5, 1), Direction::remove), Unsupported) << m.kind();
    EXPECT_THROW(compose(Plan().add(Gaussian{1}).add(m))->log_moment(Complex(0.5, 1), Direction::add), Unsupported);
    ++refused;
  }
  EXPECT_GE(refused, 4);
}

// Where the loss may be infinite, the finite part has them.
TEST(ComplexLaws, InfiniteLossesLeaveThemToTheFinitePart) {
  int split = 0;
  for (const Mechanism& m : all_mechanisms()) {
    const auto finite = m.curve()->finite_part();
    if (!finite) continue;
    EXPECT_THROW(m.curve()->log_moment(Complex(0.5, 1), Direction::remove), Unsupported) << m.kind();
    EXPECT_NO_THROW(finite->log_moment(Complex(0.5, 1), Direction::remove)) << m.kind();
    ++split;
  }
  EXPECT_GE(split, 2);
}

}  // namespace
}  // namespace renyi::complex_laws_test
