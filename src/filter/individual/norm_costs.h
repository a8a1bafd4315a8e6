// What a record pays for a step, by the norm of its contribution, and the arithmetic of millions of such payments.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "renyi/individual_filter.h"

namespace renyi::filter {

// Rounds up without branches: exact results stay as they are. The numbers are not negative, and products that are not 0
// are far from the ends of the range, so that their rounding errors are doubles (Dekker 1971). The library is compiled
// for processors without fused operations too, where std::fma is slow.
namespace lanes {

inline double step_up(double x, bool up) noexcept {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(up));
}

inline double sum_up(double a, double b) noexcept {
  const double sum = a + b;
  const double from_b = sum - a;
  const double lost = (a - (sum - from_b)) + (b - from_b);
  return step_up(sum, lost > 0);
}

// a * b - product, exactly.
inline double product_error(double a, double b, double product) noexcept {
  constexpr double splitter = 0x1p27 + 1;
  const double a_scaled = splitter * a, b_scaled = splitter * b;
  const double a_high = a_scaled - (a_scaled - a), b_high = b_scaled - (b_scaled - b);
  const double a_low = a - a_high, b_low = b - b_high;
  return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

inline double product_up(double a, double b) noexcept {
  const double product = a * b;
  return step_up(product, product_error(a, b, product) > 0);
}

// norm / clip, rounded up, for 0 <= norm <= clip. Norms too small for exact products are taken as larger ones.
inline double share_up(double norm, double clip) noexcept {
  constexpr double least = 1e-60;
  const double quotient = norm / clip;
  const double product = quotient * clip;
  const double up = step_up(quotient, (product - norm) + product_error(quotient, clip, product) < 0);
  const double share = up > least ? up : least;
  return norm > 0 ? share : 0;
}

}  // namespace lanes

// The costs of a step as functions of the share norm / clip, in the quantities of a budget.
class NormCosts {
 public:
  // The clip of the step does not matter. Throws InvalidArgument if a number is out of range.
  NormCosts(const IndividualStep& step, const Budget& budget, Neighbors neighbors);

  // The costs are those of the norm `clip`, times the square of the share.
  bool is_square() const noexcept { return table_.empty(); }
  // The costs of a record whose norm is the clip, one for each quantity.
  const double* at_clip() const noexcept { return at_clip_.data(); }
  // Otherwise: the costs at the next share in the table.
  const double* at(double share) const noexcept {
    const double scaled = share * static_cast<double>(shares);
    const auto below = static_cast<std::uint32_t>(scaled);
    const std::size_t index = below + static_cast<std::size_t>(scaled > below);
    return table_.data() + index * at_clip_.size();
  }

  static constexpr std::uint32_t shares = 4096;

 private:
  std::vector<double> at_clip_;
  std::vector<double> table_;  // the costs at the shares 0, 1/4096, ..., 1
};

}  // namespace renyi::filter
