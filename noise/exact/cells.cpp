#include "noise/exact/cells.h"

#include <iterator>
#include <vector>

namespace renyi::noise {

using certify::Ball;
using certify::Precision;

namespace cells_file {
namespace {

// Returns the sum of exp(-j^2/2) over 0 <= j < count.
Ball weights_below(std::int64_t count) {
  Ball sum;
  for (std::int64_t j = 0; j < count; ++j) sum += exp(Ball(-j * j) / Ball(2));
  return sum;
}

// Returns the sum over all j >= 0. The terms from J on are at most exp(-J^2/2)/(1 - exp(-J)) <= 2 exp(-J^2/2).
Ball all_weights() {
  std::int64_t count = 2;
  while (static_cast<double>(count * count) / 2 < 0.7 * static_cast<double>(Precision::bits() + 8)) ++count;
  Ball sum = weights_below(count);
  const Ball rest = Ball(2) * exp(Ball(-count * count) / Ball(2));
  return Ball::hull(sum, sum + rest);
}

// The sums that every table of ends needs, at the precision of the second tier.
constexpr long known_bits = 192;
struct Weights {
  std::vector<Ball> below;
  Ball all;
};
const Weights& known_weights() {
  static const Weights weights = [] {
    const Precision precision(known_bits);
    Weights result;
    for (std::int64_t count = 0; count <= 16; ++count) result.below.push_back(weights_below(count));
    result.all = all_weights();
    return result;
  }();
  return weights;
}

// The whole part of a number in [0, 2^128), limited to it: rounded down.
Wide whole_part(const arf_t value) {
  fmpz_t whole;
  fmpz_init(whole);
  arf_get_fmpz(whole, value, ARF_RND_FLOOR);
  Wide result = 0;
  if (fmpz_sgn(whole) > 0) {
    if (fmpz_sizeinbase(whole, 2) > 128) {
      result = ~Wide{0};
    } else {
      ulong words[2] = {0, 0};
      fmpz_get_ui_array(words, 2, whole);
      result = wide(words[1], words[0]);
    }
  }
  fmpz_clear(whole);
  return result;
}

}  // namespace
}  // namespace cells_file

Fraction enclose(const Ball& value) {
  Ball scaled = value;
  arb_mul_2exp_si(scaled.raw(), scaled.raw(), 128);
  arf_t bound;
  arf_init(bound);
  arb_get_lbound_arf(bound, scaled.raw(), Precision::bits());
  const Wide lower = cells_file::whole_part(bound);
  arb_get_ubound_arf(bound, scaled.raw(), Precision::bits());
  const Wide upper = cells_file::whole_part(bound);
  arf_clear(bound);
  return {lower, upper};
}

Cells::Cells(std::optional<double> stddev) : stddev_(stddev) {
  const Precision precision(cells_file::known_bits);
  for (std::size_t i = 0; i < ends; ++i) {
    const Ball exact = end(static_cast<std::int64_t>(i) - 1);
    ends_[i] = enclose(exact);
  }
  for (std::size_t i = 0; i < cells_at_once; ++i) floors_.floor[i] = high_word(ends_[i].lower);
  // All further ends are above this one, or in the last of all words.
  floors_.floor.back() = ~std::uint64_t{0};
}

const Cells& Cells::plain() {
  static const Cells cells{std::nullopt};
  return cells;
}

Cells Cells::with_zero(double stddev) { return Cells{stddev}; }

Ball Cells::end(std::int64_t index) const {
  const cells_file::Weights& known = cells_file::known_weights();
  const bool is_known = Precision::bits() <= cells_file::known_bits && index + 1 < std::ssize(known.below);
  const Ball below = is_known ? known.below[static_cast<std::size_t>(index + 1)] : cells_file::weights_below(index + 1);
  const Ball all = is_known ? known.all : cells_file::all_weights();
  if (!stddev_) return below / all;
  // Zero has mass 1, and a cell the mass 2 stddev exp(-k^2/2): stddev numbers on each side, before the acceptance.
  const Ball twice = Ball(2) * Ball(*stddev_);
  return (Ball(1) + twice * below) / (Ball(1) + twice * all);
}

Cells::Found Cells::find(const Span128& v) const {
  std::int64_t above = 0, below = 0;
  const Wide most = v.lower + (v.width - 1);
  for (const Fraction& end : ends_) {
    above += static_cast<std::int64_t>(v.lower > end.upper);
    below += static_cast<std::int64_t>(most < end.lower);
  }
  return {above - 1, above + below == static_cast<std::int64_t>(ends)};
}

}  // namespace renyi::noise
