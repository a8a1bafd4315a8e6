#include "noise/grid.h"

namespace renyi::noise {

Rounded round_sum(const FineValue& x, std::uint64_t signed_cell, const Span128& place, const Scale& scale) {
  const std::uint64_t negative = -(signed_cell & 1U), turned = negative ^ x.negative;
  const std::uint64_t whole = x.whole ^ turned;
  const Wide fraction = x.fraction ^ wide(turned, turned);
  const Scale::Multiple t = scale.times(signed_cell >> 1U, place);
  const Wide sum = fraction + t.fraction, rounded = sum + (Wide{1} << 127U);
  const std::uint64_t carries = static_cast<std::uint64_t>(sum < fraction) + static_cast<std::uint64_t>(rounded < sum);
  const std::uint64_t n = whole + t.whole + carries;
  // x is at most 2^-128 above its enclosure.
  return {static_cast<std::int64_t>((n ^ negative) - negative), !(rounded > ~(t.width + 1))};
}

std::vector<LongPlace> accepted_of(const std::vector<LongPlace>& all, const std::uint64_t* accepted) {
  std::vector<LongPlace> result;
  for (const LongPlace& known : all) {
    if (accepted[known.lane] == 0) continue;
    const auto before = std::count(accepted, accepted + known.lane, ~std::uint64_t{0});
    result.push_back({static_cast<std::uint64_t>(before), known.place});
  }
  return result;
}

}  // namespace renyi::noise
