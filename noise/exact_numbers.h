// Exact numbers on a grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "noise/grid.h"
#include "noise/on_grid.h"
#include "renyi/exact_number.h"

namespace renyi::noise {

// The numbers are clamped to the range; digits below 2^-128 of the grid are cut off, which the tiers allow for, and are
// whole in exact().
class ExactNumbers : public GridInput {
 public:
  ExactNumbers(std::span<const ExactNumber> values, const Rounding& rounding);
  [[nodiscard]] std::size_t size() const override { return values_.size(); }
  void fixed(std::size_t first, std::size_t count, const FixedValues& values) const override;
  [[nodiscard]] certify::Ball exact(std::size_t index) const override;

 private:
  std::span<const ExactNumber> values_;
  int grid_exponent_;
  std::int64_t greatest_;
  struct Lane {
    std::uint64_t whole, fraction, rest, negative;
    bool is_clamped;
  };
  std::vector<Lane> lanes_;
};

}  // namespace renyi::noise
