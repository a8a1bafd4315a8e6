// Points of a line in a row: the same as one by one, and as the curve's own, within the errors they state.
#include "mechanism/sampled_gaussian/line.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "mechanism/sampled_gaussian/curve.h"

namespace renyi::sampled_gaussian::line_test {
namespace {

// Up to multiples of 2 pi i.
double distance(std::complex<double> a, std::complex<double> b) {
  return std::hypot(a.real() - b.real(), std::remainder(a.imag() - b.imag(), 2 * std::numbers::pi));
}

struct Case {
  double q, s, c, step;
};

TEST(Line, PointsInARowAreThoseOfTheCurve) {
  for (const Case& at : {Case{0.01, 1.1, 3.5, 0.8}, Case{0.05, 0.8, 6, 1.3}, Case{0.3, 2, 0.7, 2.9}}) {
    const SampledGaussianCurve curve(at.q, at.s);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      SCOPED_TRACE(testing::Message() << "q " << at.q << ", " << to_string(direction));
      const auto line = curve.line(at.c, direction);
      const LogMoment base = curve.log_moment(at.c, direction);
      std::vector<ComplexLogMoment> row(75);
      line->log_phis(0, at.step, row);
      for (std::size_t j = 0; j < row.size(); ++j) {
        const double y = static_cast<double>(j) * at.step, shift = y * line->shift_error();
        const ComplexLogMoment one = line->log_phi(y);
        ASSERT_TRUE(std::isfinite(row[j].error)) << y;
        EXPECT_LE(distance(row[j].value, one.value), row[j].error + one.error) << y;
        const ComplexLogMoment truth = curve.log_moment({at.c, y}, direction);
        EXPECT_LE(distance(row[j].value, truth.value - base.value),
                  row[j].error + truth.error + base.error + shift + 1e-15 * std::abs(truth.value))
            << y;
        // Turning phases costs digits, but not many; its error is absolute, while `one` may be damped.
        const double absolute = 3e-13 * (2 + y * base.slope) / std::exp(one.value.real());
        EXPECT_LE(row[j].error, 2e-12 + 2 * one.error + absolute) << y;
      }
    }
  }
}

TEST(Line, FarOutPhasesAreServedPointByPoint) {
  const SampledGaussianCurve curve(0.2, 1);
  const auto line = curve.line(2, Direction::remove);
  std::vector<ComplexLogMoment> row(8);
  line->log_phis(1e7, 1, row);
  for (const ComplexLogMoment& point : row) EXPECT_LE(point.value.real(), 0);
}

// No lattice on the real axis is fine enough. Where the sum is small nothing is known of the phase; further out nodes
// above the axis serve. The values are sums along another line, in 30 digits by mpmath.
TEST(Line, BeyondEveryLatticeShiftedNodesServe) {
  const SampledGaussianCurve curve(6.9667318439421536e-14, 0.34806909273591224);
  const auto line = curve.line(4959.6056681819873, Direction::add);
  std::vector<ComplexLogMoment> row(40);
  line->log_phis(0, 6e10, row);
  EXPECT_TRUE(std::isinf(row[1].error));
  EXPECT_LE(std::abs(row[2].value - std::complex(-0.00155499770113, 0.00295144480757)), row[2].error + 1e-14);
  EXPECT_LE(std::abs(row[5].value - std::complex(-0.00411495835033, 0.0099125597728)), row[5].error + 1e-13);
  for (std::size_t j = 2; j < row.size(); ++j) EXPECT_LT(row[j].error, 1e-12) << j;
}

}  // namespace
}  // namespace renyi::sampled_gaussian::line_test
