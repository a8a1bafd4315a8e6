// Supplies of bits that are not random, for tests only: nothing outside of tests/ may include this file.
#pragma once

#include <cstdint>
#include <random>
#include <span>

#include "noise/bits/bits.h"

namespace renyi::test {

// Words of a generator with a seed.
class SeededBits : public noise::Bits {
 public:
  explicit SeededBits(std::uint64_t seed) : random_(seed) {}
  void fill(std::span<std::uint64_t> words) override {
    for (std::uint64_t& word : words) word = random_();
  }

 private:
  std::mt19937_64 random_;
};

// A source of single words, which counts those that it gives.
struct CountedWords {
  using Word = std::uint64_t;
  std::mt19937_64 random;
  std::uint64_t count = 0;
  Word next() {
    ++count;
    return random();
  }
};

}  // namespace renyi::test
