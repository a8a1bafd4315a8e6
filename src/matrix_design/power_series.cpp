#include "matrix_design/power_series.h"

#include <algorithm>
#include <bit>
#include <complex>

#include "numerics/fft.h"
#include "renyi/limits.h"

namespace renyi::matrix_design {

namespace power_series_file {
namespace {

using Complex = std::complex<double>;

// Below this size a product is summed directly.
constexpr std::size_t most_direct = 64;
// Terms that are added between two looks at the limits.
constexpr std::size_t at_a_time = std::size_t{1} << 16;

Series direct_product(std::span<const double> a, std::span<const double> b, std::size_t length) {
  Series result(length, 0);
  std::size_t added = 0;
  for (std::size_t i = 0; i < std::min(a.size(), length); ++i) {
    const std::size_t terms = std::min(b.size(), length - i);
    for (std::size_t j = 0; j < terms; ++j) result[i + j] += a[i] * b[j];
    if ((added += terms) < at_a_time) continue;
    stop_if_asked();
    added = 0;
  }
  return result;
}

// With z = a + i b, the transform of the cyclic convolution of a and b is (Z_k^2 - conj(Z_-k)^2) / (4i). The inverse
// transform is the conjugate of the forward transform of the conjugate.
Series cyclic_product(std::span<const double> a, std::span<const double> b, std::size_t size, std::size_t length) {
  check_memory(3.0 * static_cast<double>(size * sizeof(Complex)), "a Fourier transform of power series");
  std::vector<Complex> z(size), transformed(size);
  for (std::size_t i = 0; i < a.size(); ++i) z[i].real(a[i]);
  for (std::size_t i = 0; i < b.size(); ++i) z[i].imag(b[i]);
  numerics::Fft<double> fft(size);
  fft.forward(z.data(), transformed.data());
  for (std::size_t k = 0; k < size; ++k) {
    const Complex one = transformed[k], other = std::conj(transformed[(size - k) % size]);
    z[k] = std::conj((one * one - other * other) * Complex(0, -0.25));
  }
  fft.forward(z.data(), transformed.data());
  Series result(length);
  for (std::size_t i = 0; i < length; ++i) result[i] = transformed[i].real() / static_cast<double>(size);
  return result;
}

}  // namespace
}  // namespace power_series_file

Series product(std::span<const double> a, std::span<const double> b, std::size_t length) {
  a = a.first(std::min(a.size(), length));
  b = b.first(std::min(b.size(), length));
  if (std::min(a.size(), b.size()) <= power_series_file::most_direct) {
    return power_series_file::direct_product(a, b, length);
  }
  const std::size_t terms = a.size() + b.size() - 1;
  Series result = power_series_file::cyclic_product(a, b, std::bit_ceil(terms), std::min(terms, length));
  result.resize(length, 0);
  return result;
}

// g <- g - g (c g - 1): each step doubles the number of correct coefficients, and c g - 1 begins with as many zeros as
// g has coefficients.
Series inverse(std::span<const double> c, std::size_t length) {
  Series g{1 / c.front()};
  while (g.size() < length) {
    const std::size_t known = g.size(), longer = std::min(2 * known, length);
    const Series excess = product(c, g, longer);
    const Series correction = product(std::span(excess).subspan(known), g, longer - known);
    for (const double x : correction) g.push_back(-x);
  }
  return g;
}

Series correlation(std::span<const double> a, std::span<const double> b, std::size_t lags) {
  const std::size_t size = std::max(a.size(), b.size());
  Series reversed(b.rbegin(), b.rend());
  const Series all = product(a, reversed, size + b.size());
  Series result(lags, 0);
  for (std::size_t k = 0; k < lags && k + b.size() - 1 < all.size(); ++k) result[k] = all[k + b.size() - 1];
  return result;
}

}  // namespace renyi::matrix_design
