// Long sequences are treated as a matrix (the "four-step" transform): transform the columns, rotate each element,
// transform the rows. Each part then stays in the cache, where the library's recursion over all of the sequence would
// not.
#include "numerics/fft.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
// The library's header relies on its users to include <cmath>.
#include <kissfft/kissfft.hh>

#include "numerics/extended.h"
#include "renyi/limits.h"

namespace renyi::numerics {

namespace fft_file {
namespace {

constexpr std::size_t longest_alone = 16384;
constexpr std::size_t block = 8;  // columns moved together: two lines of the cache

std::size_t rows_for(std::size_t size) {
  return size <= longest_alone ? 1 : std::size_t{1} << (std::bit_width(size - 1) / 2);
}

template <class Real>
std::vector<std::complex<Real>> turns(std::size_t n, Real step) {
  std::vector<std::complex<Real>> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = std::polar(Real(1), static_cast<Real>(i) * step);
  return result;
}

template <class Real>
std::complex<Real> times(std::complex<Real> x, std::complex<Real> y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

}  // namespace
}  // namespace fft_file

template <class Real>
struct Fft<Real>::Plans {
  kissfft<Real> column;
  kissfft<Real> row;
};

template <class Real>
Fft<Real>::Fft(std::size_t size)
    : rows_(fft_file::rows_for(size)),
      columns_(size / rows_),
      plans_(new Plans{kissfft<Real>(rows_ > 1 ? rows_ : 2, false), kissfft<Real>(columns_, false)}) {
  if (rows_ == 1) return;
  const Real angle = -2 * std::numbers::pi_v<Real> / static_cast<Real>(size);
  coarse_turns_ = fft_file::turns(rows_, angle * static_cast<Real>(columns_));
  fine_turns_ = fft_file::turns(columns_, angle);
  between_.resize(size);
  block_in_.resize(fft_file::block * columns_);
  block_out_.resize(fft_file::block * columns_);
}

template <class Real>
Fft<Real>::~Fft() = default;

template <class Real>
typename Fft<Real>::Complex Fft<Real>::turn(std::size_t m) const {
  return fft_file::times(coarse_turns_[m / columns_], fine_turns_[m & (columns_ - 1)]);
}

template <class Real>
void Fft<Real>::forward(const Complex* in, Complex* out) {
  if (rows_ == 1) return plans_->row.transform(in, out);
  transform_columns(in);
  transform_rows(out);
}

// Transforms column j, rotates its elements by exp(-2 pi i j k / size) and stores it as row j.
template <class Real>
void Fft<Real>::transform_columns(const Complex* in) {
  for (std::size_t start = 0; start < columns_; start += fft_file::block) {
    stop_if_asked();
    for (std::size_t r = 0; r < rows_; ++r) {
      for (std::size_t b = 0; b < fft_file::block; ++b) block_in_[b * rows_ + r] = in[r * columns_ + start + b];
    }
    for (std::size_t b = 0; b < fft_file::block; ++b) {
      Complex* const row = between_.data() + (start + b) * rows_;
      plans_->column.transform(block_in_.data() + b * rows_, row);
      for (std::size_t k = 0; k < rows_; ++k) row[k] = fft_file::times(row[k], turn((start + b) * k));
    }
  }
}

template <class Real>
void Fft<Real>::transform_rows(Complex* out) {
  for (std::size_t start = 0; start < rows_; start += fft_file::block) {
    stop_if_asked();
    for (std::size_t j = 0; j < columns_; ++j) {
      for (std::size_t b = 0; b < fft_file::block; ++b) block_in_[b * columns_ + j] = between_[j * rows_ + start + b];
    }
    for (std::size_t b = 0; b < fft_file::block; ++b) {
      plans_->row.transform(block_in_.data() + b * columns_, block_out_.data() + b * columns_);
    }
    for (std::size_t k = 0; k < columns_; ++k) {
      for (std::size_t b = 0; b < fft_file::block; ++b) out[k * rows_ + start + b] = block_out_[b * columns_ + k];
    }
  }
}

// Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., Theorem 24.2: log2(N) t/(1 - log2(N) t) with t = m +
// g (sqrt(2) + m), g = 4u/(1-4u), for weights with an error of at most m. Weights here are exp of a rounded angle below
// 2 pi: the step of the angle carries 2 roundings, its multiple one more, the sine and the cosine one each, so m <= (3
// * 2 pi + 2) u < 21 u and t < 27 u. A butterfly of radix 4 is two of radix 2; the rotation between columns and rows
// has two such weights and two products, and counts as two levels.
template <class Real>
double Fft<Real>::relative_error() const {
  constexpr double unit = static_cast<double>(epsilon_of<Real>) / 2;
  return 28 * unit * (std::log2(static_cast<double>(size())) + (rows_ > 1 ? 2 : 0));
}

template class Fft<double>;
template class Fft<long double>;

}  // namespace renyi::numerics
