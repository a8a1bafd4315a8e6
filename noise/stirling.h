// Stirling's series for log n! in numbers of two doubles.
#pragma once

#include <array>
#include <cstddef>

#include "noise/exact/double_double.h"

namespace renyi::noise {

namespace stirling {
// B_2i/(2i (2i - 1)) for i = 1, ..., 6, and as doubles for i = 7, ..., 17.
inline constexpr std::array<DoubleDouble, 6> coefficients = {{
    {0x1.5555555555555p-4, 0x1.5555555555555p-58},
    {-0x1.6c16c16c16c17p-9, 0x1.f49f49f49f49fp-64},
    {0x1.a01a01a01a01ap-11, 0x1.a01a01a01a01ap-71},
    {-0x1.3813813813814p-11, 0x1.fb1fb1fb1fb2p-65},
    {0x1.b951e2b18ff23p-11, 0x1.5c3a9ce01b952p-65},
    {-0x1.f6ab0d9993c7dp-10, 0x1.f82553c999b0ep-64},
}};
inline constexpr std::array<double, 11> late_coefficients = {
    0x1.a41a41a41a41ap-8,  -0x1.e4286cb0f5398p-6,  0x1.6fe96381e068p-3,   -0x1.6476701181f3ap+0,
    0x1.ace44322ce006p+3,  -0x1.39b2525cccc1bp+7,  0x1.12234e81b4e82p+11, -0x1.1a198ae1c4ab8p+15,
    0x1.51a2089a6e11ap+19, -0x1.d1089b142d357p+23, 0x1.6d29a0f6433b8p+28};
inline constexpr double remainder_error = 2 * dd_u2;
}  // namespace stirling

// Returns log n! - (n + 1/2) log n + n - log(2 pi)/2 for whole 16 <= n < 2^53, with an absolute error of at most 2 u^2.
inline DoubleDouble stirling_remainder(double n) {
  const DoubleDouble inverse = DoubleDouble(1) / DoubleDouble(n);
  const DoubleDouble square = inverse * inverse;
  double late = stirling::late_coefficients.back();
  for (std::size_t i = stirling::late_coefficients.size() - 1; i-- > 0;) {
    late = stirling::late_coefficients[i] + square.high * late;
  }
  DoubleDouble sum = late;
  for (std::size_t i = stirling::coefficients.size(); i-- > 0;) sum = stirling::coefficients[i] + square * sum;
  return inverse * sum;
}

}  // namespace renyi::noise
