// Draws whole numbers of a discrete law, block by block.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "noise/bits/bits.h"
#include "noise/block.h"
#include "noise/exact/attempt.h"
#include "noise/kernels/kernels.h"

namespace renyi::noise {

// Makes independent draws, and gives them to emit(number of the first, draws) block by block. Which attempts are
// accepted, and nothing else about them, decides how many blocks are needed, so that the time is independent of the
// draws but for the slow tier.
template <class Law, class Emit>
void draw_integers(Bits& bits, std::size_t draws, const Law& law, const Emit& emit, const Knowledge& knowledge = {}) {
  Columns block(6, block_lanes(draws, law.acceptance_rate()));
  std::uint64_t *cell = block.column(0), *place = block.column(1), *acceptance = block.column(2);
  std::uint64_t* value = block.column(3);
  const Marks marks{block.column(4), block.column(5)};
  const std::size_t count = block.lanes();
  for (std::size_t done = 0; done < draws;) {
    bits.fill(block.first(3));
    law.attempts({cell, place, acceptance}, count, knowledge, reinterpret_cast<std::int64_t*>(value), marks);
    pass_second_tier(marks.undecided, count, law.first_miss(), [&](std::uint64_t number) {
      const Attempt attempt =
          attempt_of(bits, lane(cell, count, number), lane(place, count, number), lane(acceptance, count, number));
      auto outcome = law.second(attempt.spans());
      if (!revealed(outcome.is_decided | (number == count))) {
        BitsSource source(bits);
        AttemptNumbers<std::uint64_t> numbers = attempt.numbers();
        outcome = law.slowly(source, numbers);
      }
      set_lane(value, count, number, static_cast<std::uint64_t>(outcome.value));
      set_lane(marks.accepted, count, number, -static_cast<std::uint64_t>(outcome.is_accepted));
    });
    reveal(marks.accepted, count * sizeof marks.accepted[0]);
    const std::size_t kept = std::min(keep_marked(value, marks.accepted, count), draws - done);
    emit(done, std::span<const std::int64_t>(reinterpret_cast<const std::int64_t*>(value), kept));
    done += kept;
  }
}

// An upper bound on the probability that a draw takes the slow tier, or that its block has too many undecided lanes.
template <class Law>
double slow_probability(const Law& law) {
  return law.second_miss() / law.acceptance_rate() + 0x1p-64;
}

}  // namespace renyi::noise
