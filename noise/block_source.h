// Words of a supply of bits, read in blocks, because a call for each word would cost more than the word.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "noise/bits/bits.h"
#include "noise/bits/wipe.h"

namespace renyi::noise {

// The words of a supply. It asks for as many words as are expected to be needed, a block at a time, and then for single
// ones, so that a short release makes few. What was read is wiped in the end.
class BlockSource {
 public:
  using Word = std::uint64_t;

  BlockSource(Bits& bits, std::size_t expected) : bits_(bits), expected_(expected) {}
  BlockSource(const BlockSource&) = delete;
  BlockSource& operator=(const BlockSource&) = delete;
  ~BlockSource() { wipe(words_.data(), sizeof words_); }

  Word next() {
    if (next_ == end_) refill();
    return words_[next_++];
  }

 private:
  void refill() {
    next_ = 0;
    end_ = std::clamp<std::size_t>(expected_, 1, words_.size());
    expected_ -= std::min(expected_, end_);
    bits_.fill({words_.data(), end_});
  }

  Bits& bits_;
  std::size_t expected_;
  std::size_t next_ = 0, end_ = 0;
  std::array<Word, 512> words_;
};

}  // namespace renyi::noise
