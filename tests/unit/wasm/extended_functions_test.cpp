// The functions of long double of the WebAssembly engine, here of numbers of 113 bits, beside those of the C library.
#include "apps/wasm/extended_functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace renyi::wasm::extended_functions_test {
namespace {

__extension__ using Quad = __float128;

Quad scaled(Quad x, int n) {
  const Quad factor = n < 0 ? 0.5 : 2;
  for (int i = 0; i < std::abs(n); ++i) x *= factor;
  return x;
}

Quad split(Quad x, int* n) {
  std::frexp(static_cast<long double>(x), n);
  return scaled(x, -*n);
}

constexpr Functions<Quad> functions(&split, &scaled);

// Both have an error of a few roundings of 64 bits: that of the C library, and that of the comparison.
constexpr long double few_roundings = 0x1p-61L;

void expect_near(Quad ours, long double library, const char* name, long double x) {
  const auto difference = std::abs(static_cast<long double>(ours - library));
  EXPECT_LE(difference, few_roundings * std::abs(library)) << name << " at " << x;
}

TEST(ExtendedFunctions, AgreeWithTheLibrary) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> sign(-1, 1), scale(-20, 6);
  for (int i = 0; i < 3000; ++i) {
    const long double x = sign(random) * std::exp(scale(random)), positive = std::abs(x) + 1e-30L;
    expect_near(functions.exp(x), std::exp(x), "exp", x);
    expect_near(functions.expm1(x), std::expm1(x), "expm1", x);
    expect_near(functions.log(positive), std::log(positive), "log", x);
    expect_near(functions.log2(positive), std::log2(positive), "log2", x);
    if (x > -1) expect_near(functions.log1p(x), std::log1p(x), "log1p", x);
    expect_near(functions.sinh(x), std::sinh(x), "sinh", x);
    expect_near(functions.cosh(x), std::cosh(x), "cosh", x);
    expect_near(functions.tanh(x), std::tanh(x), "tanh", x);
    expect_near(functions.asinh(x), std::asinh(x), "asinh", x);
    expect_near(functions.erf(x), std::erf(x), "erf", x);
    if (x < 100) expect_near(functions.erfc(x), std::erfc(x), "erfc", x);
    if (std::abs(std::lgamma(positive)) > 0.1L)
      expect_near(functions.lgamma(positive), std::lgamma(positive), "lgamma", x);
    const long double power = 5 * sign(random);
    expect_near(functions.pow(positive, power), std::pow(positive, power), "pow", x);
  }
}

TEST(ExtendedFunctions, ReachBeyondDoubles) {
  for (const long double x : {-11000.0L, -800.0L, 800.0L, 11000.0L})
    expect_near(functions.exp(x), std::exp(x), "exp", x);
  for (const long double x : {27.5L, 60.0L, 105.0L}) expect_near(functions.erfc(x), std::erfc(x), "erfc", x);
  for (const long double x : {1e-4000L, 1e4000L}) expect_near(functions.log(x), std::log(x), "log", x);
}

TEST(ExtendedFunctions, HaveTheUsualValuesAtTheEnds) {
  const Quad infinity = HUGE_VAL;
  EXPECT_TRUE(functions.exp(infinity) == infinity);
  EXPECT_TRUE(functions.exp(-infinity) == 0);
  EXPECT_TRUE(functions.expm1(-infinity) == -1);
  EXPECT_TRUE(functions.log(0) == -infinity);
  EXPECT_TRUE(functions.log(infinity) == infinity);
  EXPECT_TRUE(functions.log1p(-1) == -infinity);
  EXPECT_TRUE(functions.log1p(infinity) == infinity);
  EXPECT_TRUE(functions.log2(0.125) == -3);
  EXPECT_TRUE(functions.erf(infinity) == 1);
  EXPECT_TRUE(functions.erf(-infinity) == -1);
  EXPECT_TRUE(functions.erfc(infinity) == 0);
  EXPECT_TRUE(functions.erfc(-infinity) == 2);
  EXPECT_TRUE(functions.tanh(infinity) == 1);
  EXPECT_TRUE(functions.sinh(infinity) == infinity);
  EXPECT_TRUE(functions.sinh(-infinity) == -infinity);
  EXPECT_TRUE(functions.cosh(-infinity) == infinity);
  EXPECT_TRUE(functions.asinh(-infinity) == -infinity);
  EXPECT_TRUE(functions.pow(2, 10) == 1024);
  EXPECT_TRUE(functions.pow(0, 0.5) == 0);
  EXPECT_TRUE(functions.pow(-2, -3) == -0.125);
  EXPECT_TRUE(functions.lgamma(1) == 0);
  for (const Quad at : {functions.log(-1), functions.exp(Quad(NAN)), functions.log(Quad(NAN)), functions.erf(Quad(NAN)),
                        functions.sinh(Quad(NAN)), functions.log1p(-2)}) {
    EXPECT_TRUE(at != at);
  }
}

}  // namespace
}  // namespace renyi::wasm::extended_functions_test
