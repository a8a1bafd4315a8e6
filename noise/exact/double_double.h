// Numbers of two doubles: the arithmetic of the second tier, of fixed cost and with proven errors.
//
// No branch, no address and no instruction whose time depends on its operands (divisions do on some processors) depends
// on the values, which are secret. Write u = 2^-53. Every operation states its relative error as a multiple of u^2; the
// proofs are in docs/math/double-double.md. They hold for operands that are zero or of modulus between 2^-400 and
// 2^400, unless another domain is stated.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "noise/exact/secret.h"
#include "noise/exact/wide.h"

namespace renyi::noise {

// The number high + low, where |low| <= u |high|.
struct DoubleDouble {
  double high = 0, low = 0;
  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double value) : high(value) {}  // NOLINT(google-explicit-constructor): exact
  constexpr DoubleDouble(double first, double second) : high(first), low(second) {}
};

// Returns a + b exactly (Knuth).
inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

// Returns a + b exactly, where |a| >= |b| or a = 0 (Dekker).
inline DoubleDouble quick_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// Returns a b exactly. Without an instruction for it, std::fma would be a call whose time may depend on the operands;
// Dekker's product by Veltkamp's halves has the same value.
inline DoubleDouble two_product(double a, double b) {
  const double product = a * b;
#if defined(__FP_FAST_FMA) || defined(__FMA__)
  return {product, std::fma(a, b, -product)};
#else
  constexpr double splitter = 0x1p27 + 1;
  const double a_scaled = splitter * a, b_scaled = splitter * b;
  const double a1 = a_scaled - (a_scaled - a), b1 = b_scaled - (b_scaled - b);
  const double a2 = a - a1, b2 = b - b1;
  return {product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
#endif
}

// How exact the operations are: relative errors.
inline constexpr double dd_u2 = 0x1p-106;
inline constexpr double dd_add_double_error = 2 * dd_u2;  // also for a difference with a double
inline constexpr double dd_add_error = 3.01 * dd_u2;      // also for a difference: cancellation does not matter
inline constexpr double dd_multiply_error = 7 * dd_u2;
inline constexpr double dd_divide_error = 13 * dd_u2;
inline constexpr double dd_exp_error = 20 * dd_u2;
inline constexpr double dd_expm1_error = 32 * dd_u2;
inline constexpr double dd_log_error = 40 * dd_u2;
inline constexpr double dd_log_ratio_error = 32 * dd_u2;
inline constexpr double dd_log1p_error = 30 * dd_u2;
inline constexpr double dd_log1p_minus_error = 40 * dd_u2;
inline constexpr double dd_from_wide_error = 2 * dd_u2;

inline DoubleDouble operator-(const DoubleDouble& x) { return {-x.high, -x.low}; }

inline DoubleDouble operator+(const DoubleDouble& x, double y) {
  const DoubleDouble sum = two_sum(x.high, y);
  return quick_two_sum(sum.high, x.low + sum.low);
}
inline DoubleDouble operator+(double x, const DoubleDouble& y) { return y + x; }
inline DoubleDouble operator-(const DoubleDouble& x, double y) { return x + -y; }
inline DoubleDouble operator-(double x, const DoubleDouble& y) { return -y + x; }

inline DoubleDouble operator+(const DoubleDouble& x, const DoubleDouble& y) {
  const DoubleDouble high = two_sum(x.high, y.high), low = two_sum(x.low, y.low);
  const DoubleDouble sum = quick_two_sum(high.high, high.low + low.high);
  return quick_two_sum(sum.high, low.low + sum.low);
}
inline DoubleDouble operator-(const DoubleDouble& x, const DoubleDouble& y) { return x + -y; }

inline DoubleDouble operator*(const DoubleDouble& x, const DoubleDouble& y) {
  const DoubleDouble high = two_product(x.high, y.high);
  return quick_two_sum(high.high, high.low + (x.high * y.low + x.low * y.high));
}

// Returns x 2^power exactly, for -1000 <= power <= 1000, where no part of the result is below 2^-1022.
inline DoubleDouble scaled(const DoubleDouble& x, std::int64_t power) {
  const auto factor = std::bit_cast<double>(static_cast<std::uint64_t>(power + 1023) << 52U);
  return {x.high * factor, x.low * factor};
}

// Returns 1/y with a relative error of at most 1.001 u, by Newton's iteration from a line.
double reciprocal(const DoubleDouble& y);
DoubleDouble operator/(const DoubleDouble& x, const DoubleDouble& y);

// Returns `yes` where the condition holds and `no` otherwise, without a branch.
inline DoubleDouble selected(bool condition, const DoubleDouble& yes, const DoubleDouble& no) {
  return {selected(condition, yes.high, no.high), selected(condition, yes.low, no.low)};
}

// Returns exp(x) for -700 <= x <= 700; below -600 the absolute error is at most 2^-1073 more.
DoubleDouble exp(const DoubleDouble& x);
// Returns exp(x) - 1 for |x| <= 0.3466.
DoubleDouble expm1(const DoubleDouble& x);
// Returns log(x) for every x whose high part is a positive normal double; the relative error holds also near 1.
DoubleDouble log(const DoubleDouble& x);
// Returns log(a/b) for doubles between 2^-400 and 2^400; the relative error holds also where they are nearly equal.
DoubleDouble log_ratio(double a, double b);
// Return log(1 + x), and log(1 + x) - x, for -0.2928 <= x <= 0.4142. The relative errors hold also near 0; below a
// modulus of 2^-400 they are at most 2^-800 in absolute terms.
DoubleDouble log1p(const DoubleDouble& x);
DoubleDouble log1p_minus(const DoubleDouble& x);

// Returns value 2^-128, with an error of at most 2 u^2 relative to it.
DoubleDouble double_double_of(Wide value);

// Encloses a number t in [0, 1] with |t - value| <= error, for |value| <= 1.5 and error >= 0. The width (upper - lower)
// 2^-128 is at most 2 error + 2^-121; an error of 1 or more says nothing.
Fraction enclose(const DoubleDouble& value, double error);

// Encloses exp(-t) for a number t >= 0 with |t - gamma| <= gamma_error, where gamma >= -1/4 is as large as it likes.
// The width (upper - lower) 2^-128 is at most 2 exp(-gamma) (1.01 gamma_error + 20.01 u^2) + 2^-121 if gamma_error <=
// 2^-10; an error above 1 says nothing about t.
Fraction exp_minus_fraction(const DoubleDouble& gamma, double gamma_error);

}  // namespace renyi::noise
