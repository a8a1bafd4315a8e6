// Directed rounding without changing the rounding mode: the unit of rounding, floating-point results moved outwards,
// and arithmetic rounded in one direction.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace renyi::numerics {

// Half the gap between 1 and the next double: the relative error of one rounding.
inline constexpr double unit_roundoff = 0x1p-53;

// The direction in which numbers that are not exact are rounded: up, towards more cost, for upper bounds.
enum class Rounding { up, down };

// The next double towards plus or minus infinity. One operation rounded to
// nearest, then moved by one of these, bounds the exact result.
inline double next_up(double x) noexcept { return std::nextafter(x, std::numeric_limits<double>::infinity()); }
inline double next_down(double x) noexcept { return std::nextafter(x, -std::numeric_limits<double>::infinity()); }

// Returns value * exp(exponent). Where the result is subnormal only the last product rounds coarsely, by half a unit:
// one step outwards is then a bound, as it is everywhere else.
inline double times_exp(double value, double exponent) noexcept {
  const double half = std::exp(exponent / 2);
  return half * value * half;
}

// Arithmetic on non-negative numbers rounded in one direction: exact results stay as they are, others move to the next
// double, so that a bound is never on the wrong side of its formula.

inline double sum_up(double a, double b) noexcept {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  const double from_b = sum - a;
  const double lost = (a - (sum - from_b)) + (b - from_b);
  return lost > 0 ? next_up(sum) : sum;
}

inline double product_up(double a, double b) noexcept {
  if (a == 0 || b == 0) return 0;
  const double product = a * b;
  if (!std::isfinite(product)) return product;
  // Below the normal range the rounding error cannot be measured.
  const bool exact = product >= 1e-290 && std::fma(a, b, -product) <= 0;
  return exact ? product : next_up(product);
}

// The next three functions are for positive numbers, with results in the normal range.
inline double product_down(double a, double b) noexcept {
  const double product = a * b;
  return std::fma(a, b, -product) < 0 ? next_down(product) : product;
}

// q b < a exactly where the rounded quotient q lies below a / b.
inline double quotient_up(double a, double b) noexcept {
  const double quotient = a / b;
  return std::fma(quotient, b, -a) < 0 ? next_up(quotient) : quotient;
}

inline double quotient_down(double a, double b) noexcept {
  const double quotient = a / b;
  return std::fma(quotient, b, -a) > 0 ? next_down(quotient) : quotient;
}

inline double sqrt_up(double x) noexcept {
  const double root = std::sqrt(x);
  if (root == 0 || !std::isfinite(root)) return root;
  const bool exact = x >= 1e-290 && std::fma(root, root, -x) >= 0;
  return exact ? root : next_up(root);
}

inline double count_up(std::int64_t count) noexcept {
  const auto rounded = static_cast<double>(count);
  if (rounded >= 0x1p63) return rounded;
  return static_cast<std::int64_t>(rounded) < count ? next_up(rounded) : rounded;
}

// The C library's functions have an error of at most one unit in the last place; two are allowed for.
inline double up_twice(double x) noexcept { return x == 0 ? 0 : next_up(next_up(x)); }
inline double down_twice(double x) noexcept { return x == 0 ? 0 : next_down(next_down(x)); }

// ln(1/p) for p in (0, 1].
inline double log_inverse_up(double p) noexcept { return up_twice(-std::log(p)); }
inline double log_inverse_down(double p) noexcept { return down_twice(-std::log(p)); }

}  // namespace renyi::numerics
