// Counts the random words that are drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "noise/bits/bits.h"

namespace bench {

// Passes words on and counts them.
class CountedBits : public renyi::noise::Bits {
 public:
  explicit CountedBits(renyi::noise::Bits& from) : from_(from) {}
  void fill(std::span<std::uint64_t> words) override {
    count_ += words.size();
    from_.fill(words);
  }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  renyi::noise::Bits& from_;
  std::size_t count_ = 0;
};

template <class Draw>
std::size_t counted(const Draw& draw) {
  CountedBits bits(renyi::noise::bits_for_release(0));
  draw(bits);
  return bits.count();
}

}  // namespace bench
