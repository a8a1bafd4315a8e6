// Functions made of exponentials, without the cancellation of their formulas: exp(y) - 1 - y and ln(1 + s), the loss of
// a mixture, ln(sinh(y)/y).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>

namespace renyi::numerics {

namespace detail {

// 2/(k+2)!: the series of 2 (exp(y) - 1 - y) / y^2.
inline constexpr std::array<double, 15> remainder_series = [] {
  std::array<double, 15> c{};
  double factor = 1;
  for (int k = 0; k < 15; ++k) {
    c[static_cast<std::size_t>(k)] = factor;
    factor /= k + 3;
  }
  return c;
}();

// Below this modulus the series is used: its first neglected term is below
// 0.5^15 * 2/17! < 2e-19, and above it exp(y) - 1 - y loses under 4 bits.
inline constexpr double series_radius = 0.5;

template <class Scalar>
inline Scalar remainder_by_series(Scalar y) {
  Scalar sum = remainder_series.back();
  for (std::size_t k = remainder_series.size() - 1; k-- > 0;) sum = sum * y + remainder_series[k];
  return 0.5 * y * y * sum;
}

}  // namespace detail

// Returns exp(y) - 1 - y with a relative error of a few units in the last place; it is >= 0 for real y. Every curve is
// built from it (docs/math/log-moment-curve.md, "centred moments").
inline double exp_remainder(double y) {
  if (std::abs(y) < detail::series_radius) return detail::remainder_by_series(y);
  return std::exp(y) - 1.0 - y;
}

inline std::complex<double> exp_remainder(std::complex<double> y) {
  if (std::norm(y) < detail::series_radius * detail::series_radius) return detail::remainder_by_series(y);
  return std::exp(y) - 1.0 - y;
}

// Returns ln(1 + s), accurate for small s, principal branch.
inline std::complex<double> log1p(std::complex<double> s) {
  // |1 + s|^2 would overflow, and nothing is small.
  if (std::abs(s.real()) > 1e100 || std::abs(s.imag()) > 1e100) return std::log(s);
  // 1 + s nearly vanishes: 2 Re s + |s|^2 would lose it.
  if (std::norm(1.0 + s) < 0.25) return std::log(1.0 + s);
  const double modulus = 0.5 * std::log1p(2 * s.real() + std::norm(s));
  return {modulus, std::atan2(s.imag(), 1 + s.real())};
}

namespace mixed_loss_detail {
// Beyond this exp(l) overflows; 1 - rate still matters relative to it where the rate is tiny.
inline constexpr double large_loss = 700;
}  // namespace mixed_loss_detail

// Returns the loss of a distribution mixed with the one it is compared with, from the loss l of the distribution
// itself: ln((1-g) + g exp(l)), accurate relative to itself however small the rate g is.
inline double mixed_loss(double rate, double l) {
  if (l < mixed_loss_detail::large_loss) {
    const double moved = rate * std::expm1(l);
    // Near -1 the sum loses its accuracy; 1 - g is exact there, and both terms are positive.
    return moved < -0.5 ? std::log((1 - rate) + rate * std::exp(l)) : std::log1p(moved);
  }
  const double of_p = l + std::log(rate);
  return of_p + std::log1p((1 - rate) * std::exp(-of_p));
}

// Returns d/dl of mixed_loss, g exp(l) / ((1-g) + g exp(l)), which never falls with l; 1 where exp(l) overflows.
inline double mixed_loss_slope(double rate, double l) {
  if (l >= mixed_loss_detail::large_loss) return 1;
  const double of_p = rate * std::exp(l);
  return std::min(1.0, of_p / (1 - rate + of_p));
}

// s(y) = ln(sinh(y)/y) for y >= 0, with its derivatives. The losses of bounded-range steps are computed from it.

// s(y) = sum over k >= 1 of c_k y^(2k) for |y| < pi, with c_k = (-1)^(k+1) zeta(2k) / (k pi^(2k)). For |y| <= 1 the
// terms omitted after these twenty are below 1e-20 of the sum.
inline constexpr std::array<double, 20> log_sinhc_series{
    0.16666666666666666667,    -0.0055555555555555555556,  0.00035273368606701940035, -0.000026455026455026455026,
    2.1377799155576933355e-6,  -1.8036702340053310071e-7,  1.5661391322766984143e-8,  -1.3884130493737299423e-9,
    1.250435917600499603e-10,  -1.1402575602296091433e-11, 1.0502923908637556408e-12, -9.7548778415937016497e-14,
    9.1234682308590978058e-15, -8.5837197618956093497e-16, 8.117318009727789577e-17,  -7.7105275141162733456e-18,
    7.3528449327120026411e-19, -7.0361012103906523098e-20, 6.7538472902174438451e-21, -6.5009241150343183971e-22};
inline constexpr double log_sinhc_radius = 1;

// Returns the sum over k >= 1 of c_k weight(k) y^(2k).
template <class Weight>
double log_sinhc_sum(double y, const Weight& weight) {
  double sum = 0;
  for (std::size_t k = log_sinhc_series.size(); k > 0; --k) {
    sum = (sum + log_sinhc_series[k - 1] * weight(static_cast<double>(k))) * y * y;
  }
  return sum;
}

// The relative error of each of these functions is 32 roundings, plus the effect of the argument's error.
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
    double sum = 0;  // a quotient by y is avoided, because y may be 0
    for (std::size_t i = log_sinhc_series.size(); i > 0; --i) {
      const auto k = static_cast<double>(i);
      sum = sum * y * y + log_sinhc_series[i - 1] * 2 * k * (2 * k - 1);
    }
    return sum;
  }
  const double sinh = std::sinh(y);
  return 1 / (y * y) - 1 / (sinh * sinh);
}

// s'''(y) = 2 coth(y)/sinh(y)^2 - 2/y^3, at most 0
inline double log_sinhc_third(double y) {
  if (y < log_sinhc_radius) {
    double sum = 0;
    for (std::size_t i = log_sinhc_series.size(); i > 1; --i) {
      const auto k = static_cast<double>(i);
      sum = sum * y * y + log_sinhc_series[i - 1] * 2 * k * (2 * k - 1) * (2 * k - 2);
    }
    return sum * y;
  }
  const double sinh = std::sinh(y);
  return 2 / (std::tanh(y) * sinh * sinh) - 2 / (y * y * y);
}

}  // namespace renyi::numerics
