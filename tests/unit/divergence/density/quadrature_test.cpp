#include "divergence/density/quadrature.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace renyi::divergence_detail::quadrature_test {
namespace {

Integrand without_noise(double (*f)(double)) {
  return [f](double x) { return Sample{f(x), 0}; };
}

void expect_within(const Integral& got, long double truth, long double accuracy) {
  EXPECT_FALSE(got.infinite);
  EXPECT_LE(std::abs(got.value - truth), got.error);
  EXPECT_LE(got.error, accuracy);
}

TEST(Quadrature, SmoothKinkedAndSingular) {
  expect_within(integrate(without_noise([](double x) { return std::exp(x); }), {0, 1}), std::exp(1.0L) - 1, 1e-14L);
  // A kink where no break point is.
  expect_within(integrate(without_noise([](double x) { return std::abs(x - 0.3); }), {0, 1}), 0.29L, 1e-13L);
  // A jump.
  expect_within(integrate(without_noise([](double x) { return x < 0.3 ? 1.0 : 0.0; }), {0, 1}), 0.3L, 1e-13L);
  // A pole that can be integrated.
  expect_within(integrate(without_noise([](double x) { return 1 / std::sqrt(x); }), {0, 1}), 2, 1e-12L);
}

// Between the end of a piece and its outer node neither rule looks.
TEST(Quadrature, AJumpInTheOuterGapIsSeen) {
  const Integral got = integrate(without_noise([](double x) { return x < 0.001 ? 5.0 : 1.0; }), {0, 1});
  expect_within(got, 1.004L, 1e-13L);
}

TEST(Quadrature, StrongPolesAreChargedForWhatLiesBelowTheSmallestNode) {
  for (const double k : {0.03, 0.1, 0.3}) {
    const Integral got = integrate([k](double x) { return Sample{k * std::pow(x, k - 1), 0}; }, {0, 1});
    expect_within(got, 1, 1e-7L);
  }
  // Near 1 the numbers are 1e-16 apart: a tenth power of that remains.
  const Integral far = integrate([](double x) { return Sample{0.1 * std::pow(x - 1, -0.9), 0}; }, {1, 2});
  EXPECT_LE(std::abs(far.value - 1), far.error);
  EXPECT_LE(far.error, 0.5L);
}

TEST(Quadrature, RipplesAreCountedOrCharged) {
  for (int m = 1; m <= 60; ++m) {
    const Integral got = integrate(
        [m](double x) {
          return Sample{std::max(0.0, std::cos(2 * M_PI * m * x)), 0};
        },
        {0, 1});
    EXPECT_LE(std::abs(got.value - 1 / M_PIl), got.error + 1e-17L) << m;
    EXPECT_LE(got.error, 1e-8L) << m;
  }
}

TEST(Quadrature, EveryPieceCounts) {
  const Integral got = integrate(without_noise([](double x) { return x * x; }), {-1, 0, 0.25, 2});
  expect_within(got, 3, 2e-14L);
}

TEST(Quadrature, NoiseIsChargedAndNotChased) {
  int calls = 0;
  const Integral got = integrate(
      [&calls](double x) {
        ++calls;
        return Sample{1 + 1e-6 * std::sin(1e9 * x), 1e-6};
      },
      {0, 1});
  EXPECT_NEAR(static_cast<double>(got.value), 1, 1e-6);
  EXPECT_GE(got.error, 1e-6L);
  EXPECT_LT(calls, 1000);
}

TEST(Quadrature, PointsFarFromZeroAreRoundedAndThatIsCharged) {
  const double far = 1e12;
  const Integral got = integrate(
      [far](double x) {
        return Sample{std::exp(-std::abs(x - far)), 0};
      },
      {far - 40, far, far + 40});
  EXPECT_LE(std::abs(got.value - 2), got.error);
  EXPECT_GE(got.error, 1e-6L);
}

TEST(Quadrature, AnInfiniteSampleMakesTheIntegralInfinite) {
  EXPECT_TRUE(integrate([](double x) { return Sample{x > 0.5 ? INFINITY : 0, 0}; }, {0, 1}).infinite);
}

}  // namespace
}  // namespace renyi::divergence_detail::quadrature_test
