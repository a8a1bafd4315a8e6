// What rounding to a grid adds, against sums over the grid.
#include "accuracy/rounding_error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "accuracy/noise_sum.h"
#include "renyi/plan.h"

namespace renyi::noise_error::rounding_error_test {
namespace {

using Upper = std::function<Real(Real)>;  // Pr[N > x]

Upper normal(Real s) {
  return [s](Real x) { return std::erfc(x / (s * std::sqrt(2.0L))) / 2; };
}
Upper laplace(Real b) {
  return [b](Real x) { return x >= 0 ? std::exp(-x / b) / 2 : 1 - std::exp(x / b) / 2; };
}

struct Moments {
  Real mean = 0;
  Real square = 0;
};
// The moments of round(x + N) - x on the grid 1.
Moments moments(const Upper& upper, Real x) {
  Moments found;
  for (int k = -400; k <= 400; ++k) {
    const Real error = static_cast<Real>(k) - x;
    // Taken on the side where nothing cancels.
    const Real mass =
        error > 0 ? upper(error - 0.5L) - upper(error + 0.5L) : upper(-error - 0.5L) - upper(-error + 0.5L);
    found.mean += error * mass;
    found.square += error * error * mass;
  }
  return found;
}

void expect_worst(const Plan& plan, const Upper& upper) {
  const Interval found = rounded_stddev(NoiseSum(plan), 1);
  Real worst = 0;
  for (int i = 0; i <= 64; ++i) worst = std::max(worst, moments(upper, static_cast<Real>(i) / 64).square);
  EXPECT_LE(found.lower, std::sqrt(worst) * (1 + 1e-12L));
  EXPECT_GE(found.upper, std::sqrt(worst) * (1 - 1e-12L));
  EXPECT_LE(found.upper - found.lower, 1e-9 * found.upper);
}

TEST(RoundedStddev, IsTheWorstOverAllInputs) {
  for (const double s : {0.2, 0.4, 1.0, 3.0}) expect_worst(Plan().add(Gaussian{s}), normal(s));
  for (const double b : {0.2, 0.5, 1.0, 4.0}) expect_worst(Plan().add(Laplace{b}), laplace(b));
}

TEST(RoundedStddev, IsThatOfAUniformErrorOnAFineGrid) {
  const Interval found = rounded_stddev(NoiseSum(Plan().add(Gaussian{10}, 3)), 2);
  EXPECT_TRUE(found.contains(std::sqrt(3 * (100 + 4 / 12.0)))) << found.lower << " " << found.upper;
  EXPECT_LE(found.upper - found.lower, 1e-14 * found.upper);
}

TEST(RoundedStddev, HoldsForSumsWithBias) {
  const Interval found = rounded_stddev(NoiseSum(Plan().add(Gaussian{0.2}).add(Laplace{0.1})), 1);
  Real worst = 0;
  for (int i = 0; i < 32; ++i) {
    for (int j = 0; j < 32; ++j) {
      const Moments a = moments(normal(0.2L), i / 32.0L), b = moments(laplace(0.1L), j / 32.0L);
      worst = std::max(worst, a.square + b.square + 2 * a.mean * b.mean);
    }
  }
  EXPECT_GE(found.upper, std::sqrt(worst));
  EXPECT_LE(found.lower, std::sqrt(worst) * (1 + 1e-12L));
}

TEST(RoundedStddev, IsAtMostHalfAStepAboveWhereTheGridIsCoarse) {
  const Interval found = rounded_stddev(NoiseSum(Plan().add(Gaussian{1e-6})), 1);
  EXPECT_GE(found.upper, 0.5);
  EXPECT_LE(found.upper, 0.5 + 2e-6);
}

}  // namespace
}  // namespace renyi::noise_error::rounding_error_test
