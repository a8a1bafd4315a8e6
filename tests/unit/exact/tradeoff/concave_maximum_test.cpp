#include "exact/tradeoff/concave_maximum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace renyi::exact::concave_maximum_test {
namespace {

KnownValue exactly(double x, double y) { return {x, y, y}; }

// A peak of two straight lines: the chords meet there.
TEST(ConcaveMaximum, FindsThePeakOfTwoLines) {
  const auto tent = [](double x) { return exactly(x, std::min(x, 3 - 2 * x)); };
  const std::vector<KnownValue> points{tent(0), tent(0.5), tent(1.25), tent(2)};
  const ConcaveBound peak = bound_between(points, 1, 5, -5);
  EXPECT_NEAR(peak.where, 1, 1e-12);
  EXPECT_NEAR(peak.upper, 1, 1e-12);
  EXPECT_GE(peak.upper, 1);
  // The intervals on either side rise and fall straight.
  EXPECT_NEAR(bound_between(points, 0, 5, -5).upper, 0.5, 1e-12);
  EXPECT_NEAR(bound_between(points, 2, 5, -5).upper, 0.5, 1e-12);
}

// At the first and the last point the known slopes take the place of chords.
TEST(ConcaveMaximum, UsesTheSlopesKnownAtTheEnds) {
  const std::vector<KnownValue> points{exactly(0, 0), exactly(1, 0)};
  EXPECT_NEAR(bound_between(points, 0, 1, -1).upper, 0.5, 1e-12);
  EXPECT_NEAR(bound_between(points, 0, 1, -3).upper, 0.75, 1e-12);
  EXPECT_NEAR(bound_between(points, 0, 0, -3).upper, 0, 1e-12);
}

// Uncertain values raise the bound by what they may hide.
TEST(ConcaveMaximum, HoldsEveryFunctionThroughTheIntervals) {
  const auto f = [](double x, double shift) { return shift - (x - 0.7) * (x - 0.7); };
  std::vector<KnownValue> points;
  for (const double x : {0.0, 0.3, 0.6, 0.9, 1.4}) points.push_back({x, f(x, 1) - 0.01, f(x, 1) + 0.01});
  double upper = -1;
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    upper = std::max(upper, bound_between(points, i, 1.4, -1.4).upper);
  EXPECT_GE(upper, 1.01);
  EXPECT_LT(upper, 1.1);
}

// A long chord tells the slope better than a short one whose values are uncertain.
TEST(ConcaveMaximum, TakesTheBestOfSeveralChords) {
  std::vector<KnownValue> points;
  for (const double x : {0.0, 0.4, 0.499999, 0.5, 1.0, 1.5}) points.push_back({x, -x * x - 1e-6, -x * x + 1e-6});
  EXPECT_LT(bound_between(points, 3, 10, -10).upper, -0.24);
}

}  // namespace
}  // namespace renyi::exact::concave_maximum_test
