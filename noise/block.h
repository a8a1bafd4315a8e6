// Blocks of attempts: the words of many lanes, and how undecided lanes pass through the second tier in fixed time.
#pragma once

#include <string.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "noise/bits/bits.h"
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
  Columns(std::size_t columns, std::size_t lanes) : lanes_(lanes), words_(columns * lanes) {}
  Columns(const Columns&) = delete;
  Columns& operator=(const Columns&) = delete;
  ~Columns() { explicit_bzero(words_.data(), words_.size() * sizeof words_[0]); }

  [[nodiscard]] std::uint64_t* column(std::size_t number) { return words_.data() + number * lanes_; }
  [[nodiscard]] std::size_t lanes() const { return lanes_; }
  // The first columns as one.
  [[nodiscard]] std::span<std::uint64_t> first(std::size_t columns) { return {words_.data(), columns * lanes_}; }

 private:
  std::size_t lanes_;
  std::vector<std::uint64_t> words_;
};

// How many lanes of a block pass through the second tier, whether they need it or not: so many that more than these are
// undecided with probability below 2^-70. By Markov's inequality for binomial moments, the probability of m + 1 or more
// is at most (count miss)^(m+1)/(m+1)!.
inline std::size_t second_tier_slots(std::size_t count, double miss) {
  const double mean = static_cast<double>(count) * miss;
  double bound = mean;
  std::size_t slots = 0;
  while (bound > 0x1p-70 && slots < count) {
    ++slots;
    bound *= mean / static_cast<double>(slots + 1);
  }
  return slots;
}

// Calls decide(lane) for as many lanes as there are slots, marked ones first, and then for those that are left, if any;
// what is decided for `count`, where no lane is marked, must change nothing. Clears the marks.
template <class Decide>
void pass_second_tier(std::uint64_t* undecided, std::size_t count, double miss, const Decide& decide) {
  const std::size_t slots = second_tier_slots(count, miss);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const std::uint64_t number = first_marked(undecided, count);
    decide(number);
    set_lane(undecided, count, number, 0);
  }
  for (;;) {
    const std::uint64_t number = first_marked(undecided, count);
    if (revealed(number == count)) return;
    decide(number);
    set_lane(undecided, count, number, 0);
  }
}

}  // namespace renyi::noise
