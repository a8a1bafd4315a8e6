// Sums of clipped vectors whose sensitivity is exact, and Gaussian noise on them: one step of DP-SGD.
//
//     renyi::noise::ClippedSum sum(gradient.size(), 1.0);
//     for (const std::vector<float>& one : gradients) sum.add(one);
//     const renyi::noise::Release release = renyi::noise::noise_like(sum, gradient, 1.1);
//     std::cout << release.step << "\n";  // {"mechanism":"gaussian","noise_multiplier":1.1}
//
// Each vector is clipped to the norm C, rounded toward zero to integers of a grid, and the sum of the squares of these
// integers is checked against (C/grid)^2 in integers, so that one record moves the sum by at most C: not up to rounding
// errors, but exactly (docs/math/clipped-sums.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "renyi/noise.h"

namespace renyi::noise {

// The order of the records does not matter, as long as there are fewer than 2^32 of them; sums of more saturate.
class ClippedSum {
 public:
  // The dimension may be from 1 to 2^31, the norm from 2^-500 to 2^500. The grid is a power of two, from 2^-30 to 1
  // times the norm; otherwise the greatest one that is at most 2^-24 of it. Throws InvalidArgument.
  ClippedSum(std::size_t dimension, double clip_norm, std::optional<double> grid = std::nullopt);

  // Adds one record. A vector with an infinite number or NaN counts as zero. What is added depends on this record only.
  void add(std::span<const float> record);
  void add(std::span<const double> record);
  // A record whose vector is in several places, such as the layers of a network; it is clipped as a whole.
  void add(std::span<const std::span<const float>> parts);
  void add(std::span<const std::span<const double>> parts);

  // Adds the sum of other records, of the same dimension, norm and grid.
  void merge(const ClippedSum& other);
  void clear();

  [[nodiscard]] std::size_t dimension() const { return dimension_; }
  [[nodiscard]] double clip_norm() const { return clip_norm_; }
  [[nodiscard]] double grid() const { return grid_; }
  // Not for publication: the number of records, and the sums in units of the grid.
  [[nodiscard]] std::uint64_t records() const { return records_; }
  [[nodiscard]] std::span<const std::int64_t> sums() const { return {sums_.data(), dimension_}; }

 private:
  template <class Number>
  void add_parts(std::span<const std::span<const Number>> parts);

  std::size_t dimension_ = 0;
  double clip_norm_ = 0;
  double grid_ = 0;
  double ratio_ = 0;                   // clip_norm/grid, exactly
  std::uint64_t greatest_square_ = 0;  // its square, rounded down
  std::uint64_t records_ = 0;
  std::vector<std::int64_t> sums_;      // in whole vectors; what is beyond the dimension is 0
  std::vector<std::int32_t> integers_;  // those of one record
};

// The sum with Gaussian noise, whose standard deviation is the noise multiplier times the norm or, where that product
// is no double, the next one above it: so the step to account for has the multiplier as given. Where the records are a
// Poisson sample, the step is sampled-gaussian with the same multiplier and the rate. Sums are limited to 2^51 grids to
// each side. Numbers for `out` that are floats are rounded once more, after the noise.
Release noise_like(const ClippedSum& sum, std::span<double> out, double noise_multiplier);
Release noise_like(const ClippedSum& sum, std::span<float> out, double noise_multiplier);

// A sum that a framework clipped and added in floats has a greater sensitivity than the norm. This is an upper bound
// for at most so many records, added in any order, where every operation rounds to nearest with 24 bits, small numbers
// may count as zero, and all gradients are finite (docs/math/clipped-sums.md). It grows with the dimension and with the
// square of the number of records; throws Unsupported where it says nothing.
double float_sum_sensitivity(double clip_norm, std::uint64_t records, std::uint64_t dimension);

// The quotient rounded down: the multiplier to account for, where noise was calibrated without that sensitivity.
double effective_noise_multiplier(double stddev, double sensitivity);

}  // namespace renyi::noise
