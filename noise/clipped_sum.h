// The check that makes the sensitivity of clipped sums exact.
#pragma once

#include <cstdint>
#include <span>

namespace renyi::noise {

// Moves integers toward zero until the sum of their squares is at most this one; leaves them alone if it is. There may
// be fewer than 2^32 of them, in whole vectors (lanes_at_once).
void limit_norm(std::span<std::int32_t> integers, std::uint64_t greatest_square);

}  // namespace renyi::noise
