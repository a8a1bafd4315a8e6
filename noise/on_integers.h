// Noise of discrete laws on whole numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "renyi/noise.h"

namespace renyi::noise {

// value + noise, limited to 64-bit integers, without a branch. It is here so that loops over many are vectorised.
inline std::int64_t saturating_sum(std::int64_t value, std::int64_t noise) {
  const auto sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) + static_cast<std::uint64_t>(noise));
  // Overflow: both have the same sign, and the sum has the other. 2^63 - 1 plus the sign of the value is the end.
  const std::int64_t overflows = (~(value ^ noise) & (value ^ sum)) >> 63U;
  const std::int64_t end = (value >> 63U) ^ std::numeric_limits<std::int64_t>::max();
  return (end & overflows) | (sum & ~overflows);
}

}  // namespace renyi::noise
