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
        // Turning phases costs digits, but not many.
        EXPECT_LE(row[j].error, 2e-12 + 2 * one.error) << y;
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

// No lattice is fine enough: nothing is known of the phase.
TEST(Line, BeyondEveryLatticeNothingIsClaimed) {
  const SampledGaussianCurve curve(6.9667318439421536e-14, 0.34806909273591224);
  const auto line = curve.line(4959.6056681819873, Direction::add);
  std::vector<ComplexLogMoment> row(40);
  line->log_phis(0, 6e10, row);
  for (std::size_t j = 1; j < row.size(); ++j) EXPECT_TRUE(std::isinf(row[j].error)) << j;
}

}  // namespace
}  // namespace renyi::sampled_gaussian::line_test
