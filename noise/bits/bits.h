// Where random bits come from. Every sampler takes its bits from here, and nowhere else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace renyi::noise {

// A supply of independent uniform words. The only one outside of tests is the generator of the thread; supplies that
// are not random exist in tests/support/fixed_bits.h alone.
class Bits {
 public:
  Bits() = default;
  Bits(const Bits&) = delete;
  Bits& operator=(const Bits&) = delete;
  virtual ~Bits() = default;
  virtual void fill(std::span<std::uint64_t> words) = 0;
};

// Starts a release: mixes fresh bits of the kernel into the generator of this thread, and returns it. `words` says
// about how many words the release will need, so that small releases make few. Throws Unsupported if the kernel gives
// no bits.
Bits& bits_for_release(std::size_t words);

}  // namespace renyi::noise
