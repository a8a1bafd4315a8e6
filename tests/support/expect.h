// Expectations for numbers that come with an error estimate.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "renyi/extras/curve.h"
#include "renyi/interval.h"

namespace renyi::test {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr Direction both_directions[] = {Direction::remove, Direction::add};
inline const char* name_of(Direction direction) { return direction == Direction::remove ? "remove" : "add"; }

// K as a number known to lie in an interval, and so its slope.
inline Bounded value_of(const LogMoment& k) { return {k.value, k.error}; }
inline Bounded slope_of(const LogMoment& k) { return {k.slope, k.slope_error}; }

// lower <= truth <= upper <= truth (1 + looseness), the value within `accuracy`.
inline void expect_bounds(const Bounded& bounded, long double truth, long double looseness, long double accuracy) {
  EXPECT_LE(static_cast<long double>(bounded.lower()), truth);
  EXPECT_GE(static_cast<long double>(bounded.upper()), truth);
  EXPECT_LE(static_cast<long double>(bounded.upper()), truth * (1 + looseness));
  EXPECT_LE(std::abs(static_cast<long double>(bounded.value) - truth), accuracy * truth);
}

// The largest loss is exact for the decimals that parameters stand for (docs/math/decimal-input.md). Tables and
// certified figures take their binary values, which are less than two roundings away.
inline Bounded for_binary_values(Bounded largest) {
  if (std::isfinite(largest.value)) largest.error = std::max(largest.error, 0x1p-52 * largest.value);
  return largest;
}

// a <= b is possible.
inline void expect_not_above(const Bounded& a, const Bounded& b) { EXPECT_LE(a.lower(), b.upper()); }

// a = b is possible.
inline void expect_overlap(const Bounded& a, const Bounded& b) {
  expect_not_above(a, b);
  expect_not_above(b, a);
}

inline void expect_sane(const Bounded& bounded) {
  EXPECT_FALSE(std::isnan(bounded.value));
  EXPECT_FALSE(std::isnan(bounded.error));
  EXPECT_GE(bounded.value, 0);
  EXPECT_GE(bounded.error, 0);
  EXPECT_LE(bounded.lower(), bounded.upper());
}

}  // namespace renyi::test
