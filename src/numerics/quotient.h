// Products and quotients of positive numbers in the normal range, rounded one way: exact results stay as they are.
#pragma once

#include <cmath>

#include "numerics/rounding.h"

namespace renyi::numerics {

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

}  // namespace renyi::numerics
