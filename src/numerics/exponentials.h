// exp(y) - 1 - y without cancellation: the building block of every curve here
// (docs/math/log-moment-curve.md, "centred moments").
#pragma once

#include <array>
#include <cmath>
#include <complex>

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

// exp(y) - 1 - y, relative error a few units in the last place; >= 0 for real y.
inline double exp_remainder(double y) {
  if (std::abs(y) < detail::series_radius) return detail::remainder_by_series(y);
  return std::exp(y) - 1.0 - y;
}

inline std::complex<double> exp_remainder(std::complex<double> y) {
  if (std::norm(y) < detail::series_radius * detail::series_radius) return detail::remainder_by_series(y);
  return std::exp(y) - 1.0 - y;
}

// log(1 + s) with small s kept accurate, principal branch.
inline std::complex<double> log1p(std::complex<double> s) {
  // |1 + s|^2 would overflow, and nothing is small.
  if (std::abs(s.real()) > 1e100 || std::abs(s.imag()) > 1e100) return std::log(s);
  // 1 + s nearly vanishes: 2 Re s + |s|^2 would lose it.
  if (std::norm(1.0 + s) < 0.25) return std::log(1.0 + s);
  const double modulus = 0.5 * std::log1p(2 * s.real() + std::norm(s));
  return {modulus, std::atan2(s.imag(), 1 + s.real())};
}

}  // namespace renyi::numerics
