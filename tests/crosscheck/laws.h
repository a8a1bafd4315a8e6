// The conditions that a floating-point answer and a certified one must satisfy.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "crosscheck/question.h"
#include "renyi/extras/certify.h"
#include "renyi/interval.h"

namespace renyi::crosscheck {

// The floating-point answer, which claims that the exact value lies in [lower, upper].
struct Fast {
  double lower = 0;
  double upper = 0;
  bool one_sided = false;            // an upper bound only
  std::optional<Bounded> bounded{};  // set if the interval comes from a value and an error estimate
};

// A certified enclosure in machine numbers.
struct Truth {
  explicit Truth(const Enclosure& enclosure);

  double least_upper;     // doubles from here on are upper bounds: the lower end, rounded up
  double greatest_lower;  // doubles up to here are lower bounds: the upper end, rounded down
  long double lower;      // the ends to 64 bits, for ratios
  long double upper;

  long double middle() const;
};

// The largest relative error of a value, and the largest relative excess of an upper bound on a divergence.
inline constexpr long double accuracy = 1e-10L;
inline constexpr long double looseness = 1e-9L;

// |value - exact value| beyond the width of the enclosure, and the same relative to the exact value; 0 if both are
// infinite.
long double distance(double value, const Truth& truth);
long double relative_distance(double value, const Truth& truth);

// The laws that are broken, in words; nothing when all hold.
std::vector<std::string> broken_laws(const Question& question, const Fast& fast, const Truth& truth);

}  // namespace renyi::crosscheck
