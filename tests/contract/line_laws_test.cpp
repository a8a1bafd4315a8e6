// Laws of vertical lines, over every mechanism and its corner settings.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "renyi/error.h"
#include "renyi/plan.h"
#include "support/expect.h"
#include "support/settings.h"

namespace renyi::line_laws_test {
namespace {

using Complex = std::complex<double>;

template <class Law>
void for_each_line(const Law& law) {
  test::for_each_corner([&](const Curve& curve, Direction direction) {
    if (!test::has_complex_points(curve)) return;
    for (const double c : {1e-6, 0.03, 1.0, 7.5, 40.0}) {
      SCOPED_TRACE("Re z = " + std::to_string(c));
      test::expect_no_throw([&] { law(curve, direction, c); });
    }
  });
}

// The difference of two phases, without its multiples of 2 pi.
double turn(double phase) { return std::remainder(phase, 2 * std::numbers::pi); }

TEST(LineLaws, PointsAreThoseOfTheCurve) {
  int compared = 0;
  for_each_line([&](const Curve& curve, Direction direction, double c) {
    const auto line = curve.line(c, direction);
    const LogMoment base = curve.log_moment(c, direction);
    for (const double y : {0.01, 0.7, 3.0, 25.0}) {
      const ComplexLogMoment phi = line->log_phi(y);
      if (std::isinf(phi.error)) continue;
      ComplexLogMoment k;
      try {
        k = curve.log_moment(Complex(c, y), direction);
      } catch (const NotConverged&) {
        continue;
      }
      ++compared;
      const double error = phi.error + y * line->shift_error() + k.error + base.error + 1e-14 * std::abs(k.value);
      EXPECT_LE(std::abs(phi.value.real() - (k.value.real() - base.value)), error) << y;
      EXPECT_LE(std::abs(turn(phi.value.imag() - k.value.imag())), error) << y;
    }
  });
  EXPECT_GE(compared, 1000);
}

TEST(LineLaws, NoPointIsLargerThanTheDecayAllows) {
  for_each_line([](const Curve& curve, Direction direction, double c) {
    const auto line = curve.line(c, direction);
    double before = 0;
    for (double y = 0.01; y < 300; y *= 3) {
      const double zone = line->decay(y), rest = line->decay_beyond(y);
      EXPECT_LE(zone, 0);
      EXPECT_LE(rest, before) << "rises with y at " << y;
      before = rest;
      for (const double v : {y, 1.3 * y, 2 * y}) {
        const ComplexLogMoment phi = line->log_phi(v);
        if (std::isinf(phi.error)) continue;
        // Relative: a count may be 1e19.
        EXPECT_LE(phi.value.real() - phi.error, (1 - 1e-13) * zone) << v;
        EXPECT_LE(phi.value.real() - phi.error, (1 - 1e-13) * rest) << v;
      }
    }
  });
}

TEST(LineLaws, LinesOfAPlanAddUp) {
  const Plan plan = Plan().add(SampledGaussian{0.02, 0.9}, 7).add(Laplace{2.5}, 3).add(RandomizedResponse{0.7}, 2);
  const auto whole = compose(plan);
  for (const Direction direction : test::both_directions) {
    const auto line = whole->line(4.0, direction);
    const LogMoment base = whole->log_moment(4.0, direction);
    for (const double y : {0.1, 1.0, 6.0}) {
      const ComplexLogMoment phi = line->log_phi(y), k = whole->log_moment(Complex(4.0, y), direction);
      EXPECT_NEAR(phi.value.real(), k.value.real() - base.value, 1e-12);
      EXPECT_NEAR(turn(phi.value.imag() - k.value.imag()), 0, 1e-12);
    }
  }
}

TEST(LineLaws, BoundsAtRealOrdersHaveNone) {
  EXPECT_THROW(compose(Plan().add(Zcdp{0.1}))->line(1, Direction::remove), Unsupported);
}

}  // namespace
}  // namespace renyi::line_laws_test
