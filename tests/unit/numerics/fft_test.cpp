#include "numerics/fft.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace renyi::numerics::fft_test {
namespace {

using Wide = std::complex<long double>;

template <class Real>
std::vector<std::complex<Real>> random_sequence(std::size_t n) {
  std::mt19937_64 engine(n);
  std::normal_distribution<double> normal;
  std::vector<std::complex<Real>> x(n);
  for (auto& v : x) v = {static_cast<Real>(normal(engine)), static_cast<Real>(normal(engine))};
  return x;
}

// exp(-2 pi i j k / n), one element of the definition's sum after another.
template <class Real>
Wide by_definition(const std::vector<std::complex<Real>>& x, std::size_t k) {
  const std::size_t n = x.size();
  Wide sum = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const long double angle =
        -2 * std::numbers::pi_v<long double> * static_cast<long double>(j * k % n) / static_cast<long double>(n);
    sum += Wide(x[j]) * Wide(std::cos(angle), std::sin(angle));
  }
  return sum;
}

// The relative error in the Euclidean norm, over every `stride`-th element.
template <class Real>
long double error_of(std::size_t n, std::size_t stride, Fft<Real>& fft) {
  const auto x = random_sequence<Real>(n);
  std::vector<std::complex<Real>> y(n);
  fft.forward(x.data(), y.data());
  long double wrong = 0, all = 0;
  for (std::size_t k = 0; k < n; k += stride) {
    const Wide truth = by_definition(x, k);
    wrong += std::norm(truth - Wide(y[k]));
    all += std::norm(truth);
  }
  return std::sqrt(wrong / all);
}

TEST(Fft, IsTheDefinitionWithinItsBound) {
  for (const std::size_t n : {2U, 4U, 8U, 64U, 256U}) {
    Fft<double> fft(n);
    EXPECT_EQ(fft.size(), n);
    EXPECT_LE(error_of(n, 1, fft), fft.relative_error()) << n;
    EXPECT_LE(error_of(n, 1, fft), 1e-15) << n;
  }
}

TEST(Fft, LongSequencesAreTakenAsAMatrix) {
  for (const std::size_t n : {32768U}) {
    Fft<double> fft(n);
    EXPECT_LE(error_of(n, 4093, fft), fft.relative_error()) << n;
  }
}

TEST(Fft, InLongDoubleItsErrorIsThatMuchSmaller) {
  for (const std::size_t n : {16U, 256U}) {
    Fft<long double> fft(n);
    EXPECT_LT(fft.relative_error(), 1e-16) << n;
    EXPECT_LE(error_of(n, 1, fft), static_cast<long double>(fft.relative_error())) << n;
  }
}

TEST(Fft, TwoTransformsMirrorTheSequence) {
  const std::size_t n = 1 << 16;
  const auto x = random_sequence<double>(n);
  std::vector<std::complex<double>> y(n), z(n);
  Fft<double> fft(n);
  fft.forward(x.data(), y.data());
  fft.forward(y.data(), z.data());
  double wrong = 0, all = 0;
  for (std::size_t j = 0; j < n; ++j) {
    wrong += std::norm(z[(n - j) % n] / static_cast<double>(n) - x[j]);
    all += std::norm(x[j]);
  }
  EXPECT_LE(std::sqrt(wrong / all), 2.01 * fft.relative_error());
}

}  // namespace
}  // namespace renyi::numerics::fft_test
