// Numbers with error bounds: an interval that contains the exact value, or a value with its error.
#pragma once

#include <limits>

namespace renyi {

// A lower and an upper bound on a number: the exact value lies in [lower, upper]. The lower bound is rounded down and
// the upper bound is rounded up. Both are bounds in floating point: every rounding and every analytic error is counted,
// and random answers are checked against proven ones. renyi/extras/certify.h gives intervals that are proven.
//
//     const renyi::Interval advantage = renyi::advantage(plan);
//     advantage.upper;           // a bound in floating point
//     advantage.contains(0.25);  // whether 0.25 lies in the interval
struct Interval {
  double lower = 0;
  double upper = std::numeric_limits<double>::infinity();  // the default interval states nothing

  [[nodiscard]] constexpr double width() const noexcept { return upper == lower ? 0 : upper - lower; }
  [[nodiscard]] constexpr bool contains(double value) const noexcept { return lower <= value && value <= upper; }

  bool operator==(const Interval&) const = default;
};

// The interval for a probability that is completely unknown.
inline constexpr Interval any_probability{0, 1};

// A value of a curve with its error: the exact value lies in [value - error, value + error]. Like the ends of an
// Interval, the error is a bound in floating point.
//
//     const renyi::Bounded divergence = renyi::rdp(*renyi::compose(plan), 2);
//     divergence.upper();  // a bound in floating point
struct Bounded {
  double value = 0;
  double error = 0;

  // These functions return the bounds of the interval, rounded outwards. The lower bound is never negative, because
  // every quantity of this type is known to be at least 0.
  [[nodiscard]] double upper() const noexcept;
  [[nodiscard]] double lower() const noexcept;
  [[nodiscard]] Interval interval() const noexcept { return {lower(), upper()}; }
};

// The exact quotient numerator / denominator of two decimal numbers: each double denotes the shortest decimal that
// reads back to it, so that 0.1 denotes one tenth.
struct Quotient {
  double numerator = 0;
  double denominator = 1;
};

}  // namespace renyi
