// Blocks of attempts: the words of many lanes, and how undecided lanes pass through the second tier in fixed time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "noise/bits/bits.h"
#include "noise/bits/wipe.h"
#include "noise/exact/secret.h"
#include "noise/exact/wide.h"
#include "noise/kernels/kernels.h"

namespace renyi::noise {

inline constexpr std::size_t greatest_block = 1024;

// Lanes for a number of draws that are still missing: a few more than needed, in whole vectors.
inline std::size_t block_lanes(std::size_t missing, double acceptance_rate) {
  const double wanted = std::min(static_cast<double>(missing) / acceptance_rate, 2.0 * greatest_block);
  const auto lanes = static_cast<std::size_t>(wanted + 3 * std::sqrt(wanted)) + 12;
  return std::min(greatest_block, (lanes + lanes_at_once - 1) / lanes_at_once * lanes_at_once);
}

// Columns of words, wiped when they are no longer needed.
class Columns {
 public:
  Columns(std::size_t columns, std::size_t lanes)
      : lanes_(lanes),
        stride_(lanes + lanes_at_once),
        size_(columns * stride_),
        words_(new (std::align_val_t{vector_bytes}) std::uint64_t[size_]{}) {}
  Columns(const Columns&) = delete;
  Columns& operator=(const Columns&) = delete;
  ~Columns() {
    wipe(words_, size_ * sizeof words_[0]);
    operator delete[](words_, std::align_val_t{vector_bytes});
  }

  [[nodiscard]] std::uint64_t* column(std::size_t number) { return words_ + number * stride_; }
  [[nodiscard]] std::size_t lanes() const { return lanes_; }
  // The first columns as one, with what is between them.
  [[nodiscard]] std::span<std::uint64_t> first(std::size_t columns) { return {words_, columns * stride_}; }

 private:
  static constexpr std::size_t vector_bytes = 64;
  std::size_t lanes_;
  std::size_t stride_;  // no multiple of 4096 bytes, at which processors take a load and a store for the same address
  std::size_t size_;
  std::uint64_t* words_;
};

// Moves the lanes that are marked to the front, and returns their number. Which attempts were accepted says nothing
// about the values that were accepted, so that addresses may depend on it.
inline std::size_t keep_marked(std::uint64_t* values, const std::uint64_t* marks, std::size_t count) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    values[kept] = values[i];
    kept += marks[i] & 1U;
  }
  return kept;
}

// How many lanes of a block pass through the second tier, whether they need it or not: so many that more than these are
// undecided with probability below 2^-64. By Markov's inequality for binomial moments, the probability of m + 1 or more
// is at most (count miss)^(m+1)/(m+1)!.
inline std::size_t second_tier_slots(std::size_t count, double miss) {
  const double mean = static_cast<double>(count) * miss;
  double bound = mean;
  std::size_t slots = 0;
  while ((bound > 0x1p-64 || slots == 0) && slots < count) {
    ++slots;
    bound *= mean / static_cast<double>(slots + 1);
  }
  return slots;
}

// Calls decide(lane) for as many lanes as there are slots, marked ones first, and then for those that are left, if any;
// what is decided for `count`, where no lane is marked, must change nothing.
template <class Decide>
void pass_second_tier(std::uint64_t* undecided, std::size_t count, double miss, const Decide& decide) {
  const std::size_t slots = second_tier_slots(count, miss);
  std::size_t passes = slots;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    const MarkedLanes marked = marked_lanes(undecided, count);
    if (pass == 0 && revealed(marked.number > slots)) passes = marked.number;
    decide(marked.first);
    set_lane(undecided, count, marked.first, 0);
  }
}

}  // namespace renyi::noise
