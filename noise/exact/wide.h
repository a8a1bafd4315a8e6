// Whole numbers of 128 bits, and enclosures of numbers in [0, 1] as multiples of 2^-128.
#pragma once

#include <cstdint>

namespace renyi::noise {

__extension__ using Wide = unsigned __int128;

constexpr Wide wide(std::uint64_t high, std::uint64_t low) { return (Wide{high} << 64U) | low; }
constexpr std::uint64_t high_word(Wide value) { return static_cast<std::uint64_t>(value >> 64U); }
constexpr std::uint64_t low_word(Wide value) { return static_cast<std::uint64_t>(value); }

// A number t with lower 2^-128 <= t <= (upper + 1) 2^-128. The greatest `upper` is 2^128 - 1, so that t may be 1.
struct Fraction {
  Wide lower, upper;
};

}  // namespace renyi::noise
