// Words drawn from a supply of bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "noise/bits/bits.h"

namespace renyi::test {

using Words = std::vector<std::uint64_t>;

inline Words draw(noise::Bits& bits, std::size_t count) {
  Words words(count);
  bits.fill(words);
  return words;
}

}  // namespace renyi::test
