// Exact sums as numbers on a grid.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "noise/grid.h"
#include "noise/on_grid.h"
#include "renyi/exact_sum.h"

namespace renyi::noise {

// The modulus of a sum in words of 64 bits, whose lowest bit is 2^-1074.
inline constexpr std::size_t sum_words = 36;
using SumWords = std::array<std::uint64_t, sum_words>;

// The sums are clamped to the range; those whose bits go beyond 2^-128 of the grid are rounded down there, which the
// tiers allow for, and are whole in exact().
class ExactSums : public GridInput {
 public:
  ExactSums(std::span<const ExactSum> sums, const Rounding& rounding);
  [[nodiscard]] std::size_t size() const override { return sums_.size(); }
  void fixed(std::size_t first, std::size_t count, const FixedValues& values) const override;
  [[nodiscard]] certify::Ball exact(std::size_t index) const override;

 private:
  std::span<const ExactSum> sums_;
  int grid_exponent_;
  SumWords limit_;
};

}  // namespace renyi::noise
