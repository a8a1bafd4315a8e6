// Numbers with what is known of them: an interval that holds the truth, or a value and its error.
#pragma once

#include <limits>

namespace renyi {

// The truth lies in [lower, upper]: the lower end is rounded down, the upper end up.
//
//     renyi::Interval advantage = renyi::advantage(plan);
//     advantage.upper;               // a guarantee
//     advantage.contains(0.25);
struct Interval {
  double lower = 0;
  double upper = std::numeric_limits<double>::infinity();  // by default nothing is known

  [[nodiscard]] constexpr double width() const noexcept { return upper == lower ? 0 : upper - lower; }
  [[nodiscard]] constexpr bool contains(double value) const noexcept { return lower <= value && value <= upper; }

  bool operator==(const Interval&) const = default;
};

// A probability of which nothing is known.
inline constexpr Interval any_probability{0, 1};

// A value of a curve with an estimate of its error: the truth lies in [value - error, value + error].
struct Bounded {
  double value = 0;
  double error = 0;

  // These are the ends of the interval, rounded outwards. The lower end is never negative, because every quantity that
  // is carried this way is known to be at least 0.
  [[nodiscard]] double upper() const noexcept;
  [[nodiscard]] double lower() const noexcept;
  [[nodiscard]] Interval interval() const noexcept { return {lower(), upper()}; }
};

// numerator / denominator of two numbers as they are written: a double stands for the shortest decimal that reads back
// to it, 0.1 for one tenth.
struct Quotient {
  double numerator = 0;
  double denominator = 1;
};

}  // namespace renyi
