// Every instruction set's elementary functions against the long double ones, whose error is 2^-11 of what is measured
// here. The bounds are those that functions-inl.h states.
#include "numerics/simd/functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "support/simd.h"

namespace renyi::numerics::simd::functions_test {
namespace {

using test::available_targets;
using test::exp_rest;
using Real = long double;

class Arguments {
 public:
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  double of_size(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
  double signed_of_size(double low, double high) { return (between(0, 1) < 0.5 ? -1 : 1) * of_size(low, high); }

 private:
  std::mt19937_64 random_{20261116};
};

// 8,000 arguments from each of the ranges.
template <class... Range>
std::vector<double> from_ranges(const Range&... range) {
  Arguments arguments;
  std::vector<double> x;
  const auto add = [&](const auto& one) {
    for (int i = 0; i < 8000; ++i) x.push_back(one(arguments));
  };
  (add(range), ...);
  return x;
}

// The largest error in units of 2^-53 of the result, or of 1.
enum class Measure { relative, absolute };
template <class Reference>
double largest_error(ArrayFunction function, const std::vector<double>& x, const Reference& reference,
                     Measure measure = Measure::relative) {
  std::vector<double> y(x.size());
  function(x.data(), y.data(), x.size());
  Real largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Real exact = reference(static_cast<Real>(x[i]));
    const Real error = std::abs(y[i] - exact) / (measure == Measure::absolute ? 1 : std::abs(exact));
    if (!(error <= largest)) largest = error;  // NaN too
  }
  return static_cast<double>(largest * 0x1p53L);
}

TEST(SimdFunctions, Exponentials) {
  const auto x =
      from_ranges([](Arguments& a) { return a.between(-707, 709); }, [](Arguments& a) { return a.between(-2, 2); },
                  [](Arguments& a) { return a.signed_of_size(1e-20, 1); });
  const auto exp = [](Real y) { return std::exp(y); };
  for (const renyi::simd::Target target : available_targets()) {
    SCOPED_TRACE(static_cast<int>(target));
    const Functions f = functions_for(target);
    EXPECT_LT(largest_error(f.exp, x, exp), 1.5);
    EXPECT_LT(largest_error(f.exp_normal, x, exp), 1.5);
    EXPECT_LT(largest_error(f.grown_factor, x, exp), 1.5);
  }
}

TEST(SimdFunctions, ExponentialsLessTheirFirstTerms) {
  const auto x = from_ranges(
      [](Arguments& a) { return a.between(-800, 708); }, [](Arguments& a) { return a.between(-3, 3); },
      [](Arguments& a) { return a.between(-0.6, 0.6); }, [](Arguments& a) { return a.signed_of_size(1e-150, 1); });
  const auto small = from_ranges([](Arguments& a) { return a.between(-0.5, 0.5); },
                                 [](Arguments& a) { return a.signed_of_size(1e-150, 0.5); });
  for (const renyi::simd::Target target : available_targets()) {
    SCOPED_TRACE(static_cast<int>(target));
    const Functions f = functions_for(target);
    EXPECT_LT(largest_error(f.grown_excess, x, [](Real y) { return std::expm1(y); }), 1.6);
    EXPECT_LT(largest_error(f.grown_rest, x, exp_rest), 3.8);
    EXPECT_LT(largest_error(f.rest_up, small, exp_rest), 3.8);
    EXPECT_LT(largest_error(f.rest_down, small, [](Real w) { return exp_rest(-w); }), 3.8);
  }
}

TEST(SimdFunctions, Logarithms) {
  const auto r = from_ranges([](Arguments& a) { return a.of_size(1e-300, 1e300); },
                             [](Arguments& a) { return a.between(0.5, 2); });
  const auto u = from_ranges(
      [](Arguments& a) { return a.of_size(1e-300, 1e300); }, [](Arguments& a) { return a.between(-0.5, 2); },
      [](Arguments& a) { return a.signed_of_size(1e-17, 0.5); }, [](Arguments& a) { return -a.between(0.3, 1); });
  for (const renyi::simd::Target target : available_targets()) {
    SCOPED_TRACE(static_cast<int>(target));
    const Functions f = functions_for(target);
    EXPECT_LT(largest_error(f.log, r, [](Real x) { return std::log(x); }), 1.4);
    EXPECT_LT(largest_error(f.log1p, u, [](Real x) { return std::log1p(x); }), 1.9);
  }
}

TEST(SimdFunctions, SineAndCosine) {
  const auto x = from_ranges([](Arguments& a) { return a.between(-10, 10); },
                             [](Arguments& a) { return a.between(-0x1p20, 0x1p20); });
  for (const renyi::simd::Target target : available_targets()) {
    SCOPED_TRACE(static_cast<int>(target));
    const Functions f = functions_for(target);
    EXPECT_LT(largest_error(
                  f.sin, x, [](Real y) { return std::sin(y); }, Measure::absolute),
              1.9);
    EXPECT_LT(largest_error(
                  f.cos, x, [](Real y) { return std::cos(y); }, Measure::absolute),
              1.9);
  }
}

TEST(SimdFunctions, ExtremeExponents) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> x{-infinity, -1e300, -750, -744, -710, 709.7, 710.5, infinity};
  for (const renyi::simd::Target target : available_targets()) {
    SCOPED_TRACE(static_cast<int>(target));
    const Functions f = functions_for(target);
    std::vector<double> y(8);
    f.exp(x.data(), y.data(), 8);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(y[i], std::exp(x[i]), 2e-16 * y[i] + 5e-324) << x[i];
    EXPECT_EQ(y[6], infinity);
    EXPECT_EQ(y[7], infinity);
    f.exp_normal(x.data(), y.data(), 8);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(y[i], 0) << x[i];
    for (std::size_t i = 6; i < 8; ++i) EXPECT_EQ(y[i], infinity) << x[i];
    f.grown_factor(x.data(), y.data(), 8);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(y[i], 0) << x[i];
    for (std::size_t i = 6; i < 8; ++i) EXPECT_EQ(y[i], infinity) << x[i];
    f.grown_excess(x.data(), y.data(), 8);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(y[i], -1) << x[i];
    for (std::size_t i = 6; i < 8; ++i) EXPECT_EQ(y[i], infinity) << x[i];
    f.grown_rest(x.data(), y.data(), 8);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(y[i], -1 - x[i]) << x[i];
  }
}

// A failure must not become a number.
TEST(SimdFunctions, NotANumberStaysOne) {
  const std::vector<double> x(8, std::numeric_limits<double>::quiet_NaN());
  for (const renyi::simd::Target target : available_targets()) {
    const Functions f = functions_for(target);
    for (const ArrayFunction function : {f.exp, f.exp_normal, f.grown_factor, f.grown_excess, f.grown_rest, f.sin}) {
      std::vector<double> y(8);
      function(x.data(), y.data(), 8);
      for (const double value : y) EXPECT_TRUE(std::isnan(value)) << static_cast<int>(target);
    }
  }
}

}  // namespace
}  // namespace renyi::numerics::simd::functions_test
