// Exact sums of doubles, in fixed point over the whole range of doubles, and noise on them.
//
//     renyi::noise::ExactSum income(1e6);  // each number is clamped to [-1e6, 1e6]
//     for (const double one : incomes) income.add(one);
//     std::vector<double> out(1);
//     renyi::noise::laplace({&income, 1}, out, 1e6 / epsilon, {.sensitivity = 1e6});
//
// A sum in floating point depends on the order of its numbers, and one number may move it by more than its own modulus,
// so that its sensitivity is not the bound of the numbers. Here it is (docs/math/clipped-sums.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "renyi/noise.h"

namespace renyi::noise {

class ExactSum {
 public:
  // Each number is clamped to [-bound, bound]. Throws InvalidArgument unless the bound is positive and finite.
  explicit ExactSum(double bound = std::numeric_limits<double>::max());

  // NaN counts as 0. There may be up to 2^62 numbers.
  void add(double value);
  void add(std::span<const double> values);
  // Adds the sum of other numbers. The bound becomes the larger one of both.
  void merge(const ExactSum& other);

  [[nodiscard]] double bound() const { return bound_; }
  // Not for publication: the sum, rounded to nearest, infinite beyond the doubles.
  [[nodiscard]] double rounded() const;

  // The sum is the sum of digits[i] 2^(32 i - 1074). All digits but the last one are in [0, 2^32), which makes them
  // unique.
  static constexpr std::size_t digit_count = 69;
  using Digits = std::array<std::int64_t, digit_count>;
  [[nodiscard]] Digits digits() const;

 private:
  void carry();

  double bound_;
  std::array<std::int64_t, 72> digits_{};  // in whole vectors; what is beyond the digits is 0
  std::uint64_t uncarried_ = 0;            // numbers added since digits were last carried
};

// round(sum + noise) on the grid, exactly, as for single doubles (renyi/noise.h). Sums are clamped to the range. Unless
// a sensitivity is given, it is that to one row of numbers that is added or removed: the norm of the bounds, which the
// sums must have then.
Release gaussian(std::span<const ExactSum> sums, std::span<double> out, double stddev, const OnGrid& options = {});
Release laplace(std::span<const ExactSum> sums, std::span<double> out, double scale, const OnGrid& options = {});

}  // namespace renyi::noise
