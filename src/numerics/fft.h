// The discrete Fourier transform of complex sequences, with a bound on its rounding.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

namespace renyi::numerics {

// Real is double, or long double where the rounding of double would hide the result.
template <class Real>
class Fft {
 public:
  using Complex = std::complex<Real>;

  // `size` is a power of two, at least 2.
  explicit Fft(std::size_t size);
  ~Fft();
  Fft(const Fft&) = delete;
  Fft& operator=(const Fft&) = delete;

  std::size_t size() const { return rows_ * columns_; }
  // Computes out[k] = sum_j in[j] exp(-2 pi i j k / size); not in place.
  void forward(const Complex* in, Complex* out);
  // Returns r such that |computed - exact| <= r |exact|, both in the Euclidean norm.
  double relative_error() const;

 private:
  struct Plans;

  Complex turn(std::size_t m) const;  // exp(-2 pi i m / size)
  void transform_columns(const Complex* in);
  void transform_rows(Complex* out);

  std::size_t rows_;     // 1 for short sequences
  std::size_t columns_;  // the sequence as a matrix, row by row
  std::unique_ptr<const Plans> plans_;
  std::vector<Complex> coarse_turns_, fine_turns_;
  std::vector<Complex> between_, block_in_, block_out_;
};

extern template class Fft<double>;
extern template class Fft<long double>;

}  // namespace renyi::numerics
