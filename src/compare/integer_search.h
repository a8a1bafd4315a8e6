// Finds the largest integer whose value is within a limit, for non-decreasing values, in few evaluations.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "renyi/limits.h"

namespace renyi::compare_detail {

// Returns ln(value/limit) of non-negative numbers: it is at most 0 exactly if value <= limit, also where the quotient
// rounds.
inline double log_excess(double value, double limit) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), least = std::numeric_limits<double>::min();
  if (value == limit) return 0;
  if (value < limit) return value > 0 && limit < infinity ? std::min(0.0, std::log(value / limit)) : -infinity;
  return limit > 0 && value < infinity ? std::max(least, std::log(value / limit)) : infinity;
}

// The boundary lies between `good`, which is within the limit, and `bad`, which is not.
struct IntegerBracket {
  std::int64_t good = 0;
  double at_good = 0;
  std::int64_t bad = 0;
  double at_bad = 0;
};

// The method of false position with the Illinois rule (Dowell, Jarratt 1971); every third step halves the bracket, so
// that the search cannot stall.
template <class Excess>
std::int64_t largest_within(IntegerBracket at, const Excess& excess) {
  int side = 0;
  for (int n = 1; at.bad - at.good > 1; ++n) {
    stop_if_asked();
    const std::int64_t width = at.bad - at.good;
    std::int64_t next = at.good + width / 2;
    if (n % 3 != 0 && std::isfinite(at.at_good) && std::isfinite(at.at_bad)) {
      const double share = at.at_good / (at.at_good - at.at_bad);
      next = at.good +
             std::clamp<std::int64_t>(static_cast<std::int64_t>(share * static_cast<double>(width)), 1, width - 1);
    }
    const double here = excess(next);
    if (here <= 0) {
      at.good = next;
      at.at_good = here;
      if (side < 0) at.at_bad /= 2;
      side = -1;
    } else {
      at.bad = next;
      at.at_bad = here;
      if (side > 0) at.at_good /= 2;
      side = 1;
    }
  }
  return at.good;
}

// Returns a point a little beyond the root of an excess that is approximately that of a power law in i and is known at
// two numbers.
inline double extrapolated(std::int64_t before, double at_before, std::int64_t here, double at_here) {
  const auto x = static_cast<double>(here);
  const double slope = (at_here - at_before) / std::log(x / static_cast<double>(before));
  return slope > 0 ? 1.01 * x * std::exp(std::min(40.0, -at_here / slope)) : 16 * x;  // also if slope is NaN
}

// Returns the largest i in [1, high] with excess(i) <= 0, where excess(1) = at_one <= 0: it extrapolates until the
// boundary is enclosed.
template <class Excess>
std::int64_t largest_within_power_law(double at_one, std::int64_t high, const Excess& excess) {
  IntegerBracket at{.good = 1, .at_good = at_one};
  for (std::int64_t next = std::min<std::int64_t>(2, high); at.good < high;) {
    stop_if_asked();
    const double here = excess(next);
    if (!(here <= 0)) {
      at.bad = next;
      at.at_bad = here;
      return largest_within(at, excess);
    }
    const double further = extrapolated(at.good, at.at_good, next, here);
    at.good = next;
    at.at_good = here;
    if (further < static_cast<double>(high)) {
      next = std::max(std::min(next, high - 1) + 1, static_cast<std::int64_t>(further));
    } else {
      next = high;
    }
  }
  return high;
}

// Returns the largest i in [low, high] with excess(i) <= 0, where low is known to be one: it moves from `guess` in
// strides that double until the boundary is enclosed.
template <class Excess>
std::int64_t largest_within(std::int64_t low, std::int64_t high, std::int64_t guess, std::int64_t stride,
                            const Excess& excess) {
  if (low == high) return low;
  IntegerBracket at{.good = low, .at_good = -std::numeric_limits<double>::infinity()};
  bool has_bad = false;
  for (std::int64_t next = std::clamp(guess, low + 1, high);; stride = stride > high / 2 ? high : 2 * stride) {
    stop_if_asked();
    const double here = excess(next);
    if (here <= 0) {
      at.good = next;
      at.at_good = here;
      if (next == high) return high;
      if (has_bad) break;
      next = high - next > stride ? next + stride : high;
    } else {
      const bool enclosed = at.good > low;
      at.bad = next;
      at.at_bad = here;
      has_bad = true;
      if (enclosed || next - low <= stride) break;
      next -= stride;
    }
  }
  return largest_within(at, excess);
}

}  // namespace renyi::compare_detail
