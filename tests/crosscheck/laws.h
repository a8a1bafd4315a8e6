// What has to hold between a fast answer and a certified one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "crosscheck/question.h"
#include "renyi/extras/certify.h"
#include "renyi/interval.h"

namespace renyi::crosscheck {

// The fast answer: the truth is claimed to lie in [lower, upper].
struct Fast {
  double lower = 0;
  double upper = 0;
  bool one_sided = false;            // an upper bound only
  std::optional<Bounded> bounded{};  // where the interval comes from a value and an error estimate
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

// How far off the plain value may be, and how far above the truth an upper bound of a divergence may lie; relative.
inline constexpr long double accuracy = 1e-10L;
inline constexpr long double looseness = 1e-9L;

// |value - truth| beyond what the enclosure leaves open, and that relative to the truth; 0 where both are infinite.
long double distance(double value, const Truth& truth);
long double relative_distance(double value, const Truth& truth);

// The laws that are broken, in words; nothing when all hold.
std::vector<std::string> broken_laws(const Question& question, const Fast& fast, const Truth& truth);

}  // namespace renyi::crosscheck
