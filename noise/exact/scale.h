// The scale of a law in units of the grid, and multiples of it in fixed point.
#pragma once

#include <cstdint>
#include <optional>

#include "certify/ball/ball.h"
#include "noise/exact/cells.h"
#include "noise/exact/wide.h"
#include "noise/kernels/kernels.h"

namespace renyi::noise {

// Scales may be from 2^-10 to 2^48 grids.
inline constexpr int least_scale_exponent = -10, greatest_scale_exponent = 48;

class Scale {
 public:
  // value/grid, exactly. The quotient must be in [2^-10, 2^48) and grid a power of two.
  static Scale of(double value, double grid);
  // value ln(2)/grid, for an exponential variable that is ln 2 (j + v).
  static Scale of_binary(double value, double grid);

  [[nodiscard]] const FixedScale& fixed() const { return fixed_; }
  // The quotient, rounded to nearest.
  [[nodiscard]] double about() const { return about_; }
  [[nodiscard]] certify::Ball exact() const;

  // scale (k + u) for u in an interval: whole + fraction 2^-128, and at most width 2^-128 above it.
  struct Multiple {
    std::uint64_t whole;
    Wide fraction, width;
  };
  [[nodiscard]] Multiple times(std::uint64_t k, const Span128& u) const;

  // Upper bounds on the probability that floor(x + scale (k + u)), u uniform, is not decided by the first or by the
  // second tier, where `cells` bounds the mean of k + 1.
  [[nodiscard]] double first_miss(double cells) const;
  [[nodiscard]] double second_miss(double cells) const;

 private:
  Scale(double value, double grid, bool is_binary);

  double value_, grid_, about_;
  bool is_binary_;
  FixedScale fixed_;
  std::uint64_t rest_;  // the multiplier's further bits, in units of 2^-64
};

// The whole part that both numbers have, if it is the same; at a precision that suits them.
std::optional<std::int64_t> common_floor(const certify::Ball& lower, const certify::Ball& upper);

}  // namespace renyi::noise
