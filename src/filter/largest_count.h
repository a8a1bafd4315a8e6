// The largest count that a condition accepts.
#pragma once

#include <cstdint>

#include "renyi/limits.h"

namespace renyi::filter {

// Returns the largest count in [1, most] that `keeps` accepts, 0 if there is none; it accepts 1 to some largest count.
template <class Keeps>
std::int64_t largest_count(std::int64_t most, const Keeps& keeps) {
  if (most < 1 || !keeps(std::int64_t{1})) return 0;
  std::int64_t good = 1, bad = 0;
  while (bad == 0) {
    stop_if_asked();
    if (good == most) return most;
    const std::int64_t next = good > most / 2 ? most : 2 * good;
    (keeps(next) ? good : bad) = next;
  }
  while (bad - good > 1) {
    stop_if_asked();
    const std::int64_t middle = good + (bad - good) / 2;
    (keeps(middle) ? good : bad) = middle;
  }
  return good;
}

}  // namespace renyi::filter
