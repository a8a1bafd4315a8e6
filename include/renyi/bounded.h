// A number with what is known of its error.
#pragma once

namespace renyi {

// The truth lies in [value - error, value + error].
struct Bounded {
  double value = 0;
  double error = 0;

  // Ends of the interval, rounded outwards; the lower end is never negative,
  // because every quantity carried this way is known to be at least 0.
  double upper() const noexcept;
  double lower() const noexcept;
};

// numerator / denominator, of two numbers as they are written: a double stands for
// the shortest decimal that reads back to it, 0.1 for one tenth.
struct Quotient {
  double numerator = 0;
  double denominator = 1;
};

}  // namespace renyi
