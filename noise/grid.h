// Draws round(x + noise) for a continuous law, on a grid, block by block.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "certify/ball/ball.h"
#include "noise/bits/bits.h"
#include "noise/block.h"
#include "noise/exact/attempt.h"
#include "noise/exact/scale.h"
#include "noise/half_normal.h"
#include "noise/kernels/kernels.h"

namespace renyi::noise {

// Real numbers in units of the grid, of modulus at most 2^51.
class GridInput {
 public:
  GridInput() = default;
  GridInput(const GridInput&) = delete;
  GridInput& operator=(const GridInput&) = delete;
  virtual ~GridInput() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;
  // The numbers from `first` on in fixed point; count is a multiple of lanes_at_once, and what is beyond the end is 0.
  virtual void fixed(std::size_t first, std::size_t count, const FixedValues& values) const = 0;
  [[nodiscard]] virtual certify::Ball exact(std::size_t index) const = 0;
};

// round(x + noise) of one number, by the second tier: two's complement of 192 bits, as in the first.
struct Rounded {
  std::int64_t value;
  bool is_decided;
};
struct FineValue {
  std::uint64_t whole, negative;
  Wide fraction;
};
Rounded round_sum(const FineValue& x, std::uint64_t signed_cell, const Span128& place, const Scale& scale);

// The same by ball arithmetic.
template <WordSource Source>
std::int64_t round_sum_slowly(Source& source, const certify::Ball& x, std::uint64_t signed_cell,
                              Uniform<typename Source::Word>& place, const Scale& scale) {
  const auto k = static_cast<std::int64_t>(signed_cell >> 1U);
  const bool negative = (signed_cell & 1U) != 0;
  const certify::Ball turned = negative ? -x : x;
  const std::int64_t rounded = floor_slowly(source, place, [&](const certify::Ball& u) {
    return turned + scale.exact() * (certify::Ball(k) + u) + certify::Ball(0.5);
  });
  return negative ? -rounded : rounded;
}

// A lane of which the slow tier has read more words of the place.
struct LongPlace {
  std::uint64_t lane;
  Uniform<std::uint64_t> place;
};
// Those that were accepted, by their numbers among the accepted lanes.
std::vector<LongPlace> accepted_of(const std::vector<LongPlace>& all, const std::uint64_t* accepted);

// Gives round(x/grid + noise) to emit(number of the first, multiples of the grid), block by block.
template <class Law, class Emit>
void draw_on_grid(Bits& bits, const GridInput& x, const Scale& scale, const Emit& emit,
                  const Knowledge& knowledge = {}) {
  Columns block(10, block_lanes(x.size(), Law::acceptance_rate));
  const std::size_t count = block.lanes();
  std::uint64_t *cell = block.column(0), *place = block.column(1), *acceptance = block.column(2);
  std::uint64_t* signed_cell = block.column(3);
  const Marks marks{block.column(4), block.column(5)};
  const FixedValues values{block.column(6), block.column(7), block.column(8), block.column(9)};
  for (std::size_t done = 0; done < x.size();) {
    bits.fill(block.first(3));
    Law::attempts({cell, place, acceptance}, count, knowledge, signed_cell, marks);
    // Where the slow tier read more words of the place, the rounding goes on with them.
    std::vector<LongPlace> longer;
    pass_second_tier(marks.undecided, count, Law::first_miss, [&](std::uint64_t number) {
      const Attempt attempt =
          attempt_of(bits, lane(cell, count, number), lane(place, count, number), lane(acceptance, count, number));
      AttemptSpans spans = attempt.spans();
      spans.place = {wide(attempt.first[1], 0), Wide{1} << 64U};
      Candidate candidate = Law::second(spans);
      if (!revealed(candidate.is_decided | (number == count))) {
        BitsSource source(bits);
        AttemptNumbers<std::uint64_t> numbers = attempt.numbers();
        candidate = Law::slowly(source, numbers);
        longer.push_back({number, numbers.place});
      }
      set_lane(signed_cell, count, number, candidate.signed_cell);
      set_lane(marks.accepted, count, number, -static_cast<std::uint64_t>(candidate.is_accepted));
    });
    reveal(marks.accepted, count * sizeof marks.accepted[0]);
    longer = accepted_of(longer, marks.accepted);
    keep_marked(place, marks.accepted, count);
    const std::size_t accepted = keep_marked(signed_cell, marks.accepted, count);
    const std::size_t kept = std::min(accepted, x.size() - done);

    // From here on, the columns of the cell and of the marks hold the results.
    auto* value = reinterpret_cast<std::int64_t*>(cell);
    const std::size_t lanes = (kept + lanes_at_once - 1) / lanes_at_once * lanes_at_once;
    x.fixed(done, lanes, values);
    place_on_grid(values, signed_cell, place, lanes, scale.fixed(), knowledge, value, marks.undecided);
    pass_second_tier(marks.undecided, lanes, scale.first_miss(Law::mean_cell_plus_one), [&](std::uint64_t number) {
      std::uint64_t more = 0;
      bits.fill({&more, 1});
      const FineValue fine{lane(values.whole, lanes, number), lane(values.negative, lanes, number),
                           wide(lane(values.fraction, lanes, number), lane(values.rest, lanes, number))};
      const std::uint64_t which = lane(signed_cell, lanes, number), first = lane(place, lanes, number);
      Rounded rounded = round_sum(fine, which, {wide(first, more), 1}, scale);
      if (!revealed(rounded.is_decided | (number >= kept))) {
        BitsSource source(bits);
        Uniform<std::uint64_t> number_of_place(first, more);
        rounded.value = round_sum_slowly(source, x.exact(done + number), which, number_of_place, scale);
      }
      set_lane(cell, lanes, number, static_cast<std::uint64_t>(rounded.value));
    });
    for (LongPlace& known : longer) {
      if (known.lane >= kept) continue;
      BitsSource source(bits);
      value[known.lane] =
          round_sum_slowly(source, x.exact(done + known.lane), signed_cell[known.lane], known.place, scale);
    }
    emit(done, std::span<const std::int64_t>(value, kept));
    done += kept;
  }
}

template <class Law>
double slow_probability(const Scale& scale) {
  return Law::second_miss / Law::acceptance_rate + scale.second_miss(Law::mean_cell_plus_one) + 0x1p-63;
}

}  // namespace renyi::noise
