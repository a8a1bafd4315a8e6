// s(y) = ln(sinh(y)/y) for y >= 0, with its derivatives: what the losses of bounded-range steps are made of.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace renyi::numerics {

// s(y) = sum over k >= 1 of c_k y^(2k) for |y| < pi, with c_k = (-1)^(k+1) zeta(2k) / (k pi^(2k)). For |y| <= 1 what
// these twenty leave out is below 1e-20 of the sum.
inline constexpr std::array<double, 20> log_sinhc_series{
    0.16666666666666666667,    -0.0055555555555555555556,  0.00035273368606701940035, -0.000026455026455026455026,
    2.1377799155576933355e-6,  -1.8036702340053310071e-7,  1.5661391322766984143e-8,  -1.3884130493737299423e-9,
    1.250435917600499603e-10,  -1.1402575602296091433e-11, 1.0502923908637556408e-12, -9.7548778415937016497e-14,
    9.1234682308590978058e-15, -8.5837197618956093497e-16, 8.117318009727789577e-17,  -7.7105275141162733456e-18,
    7.3528449327120026411e-19, -7.0361012103906523098e-20, 6.7538472902174438451e-21, -6.5009241150343183971e-22};
inline constexpr double log_sinhc_radius = 1;

// The sum over k >= 1 of c_k weight(k) y^(2k).
template <class Weight>
double log_sinhc_sum(double y, const Weight& weight) {
  double sum = 0;
  for (std::size_t k = log_sinhc_series.size(); k > 0; --k) {
    sum = (sum + log_sinhc_series[k - 1] * weight(static_cast<double>(k))) * y * y;
  }
  return sum;
}

// Relative error of each: 32 roundings, and what the argument's error does.
inline double log_sinhc(double y) {
  if (y < log_sinhc_radius) {
    return log_sinhc_sum(y, [](double) { return 1; });
  }
  return y - std::log(2 * y) + std::log1p(-std::exp(-2 * y));
}

// s'(y) = coth(y) - 1/y
inline double log_sinhc_slope(double y) {
  if (y == 0) return 0;
  if (y < log_sinhc_radius) return log_sinhc_sum(y, [](double k) { return 2 * k; }) / y;
  return 1 - 1 / y + 2 / std::expm1(2 * y);
}

// s''(y) = 1/y^2 - 1/sinh(y)^2
inline double log_sinhc_curvature(double y) {
  if (y < log_sinhc_radius) {
    double sum = 0;  // not by a quotient: y may be 0
    for (std::size_t i = log_sinhc_series.size(); i > 0; --i) {
      const auto k = static_cast<double>(i);
      sum = sum * y * y + log_sinhc_series[i - 1] * 2 * k * (2 * k - 1);
    }
    return sum;
  }
  const double sinh = std::sinh(y);
  return 1 / (y * y) - 1 / (sinh * sinh);
}

}  // namespace renyi::numerics
