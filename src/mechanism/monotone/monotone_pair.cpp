#include "mechanism/monotone/monotone_pair.h"

#include <algorithm>
#include <cmath>

namespace renyi::monotone {

namespace monotone_pair_file {
namespace {

constexpr int most_steps = 400;

// Returns an end of the line, or a point beyond which the loss lies on the other side of the target.
double outwards(const MonotonePair& pair, double target, double way) {
  double reach = pair.scale();
  for (int i = 0; i < 1000; ++i, reach *= 2) {
    const double x = pair.zero() + way * reach;
    if (!std::isfinite(x)) break;
    if (way > 0 ? pair.loss(x) >= target : pair.loss(x) <= target) return x;
  }
  return way * std::numeric_limits<double>::infinity();
}

}  // namespace
}  // namespace monotone_pair_file

// Newton's method is kept inside a shrinking bracket.
double MonotonePair::x_at(double target) const {
  if (target >= largest_loss().value) return last();
  if (-target >= largest_fall().value) return first();
  double low = std::isfinite(first()) ? first() : target < 0 ? monotone_pair_file::outwards(*this, target, -1) : zero();
  double high = std::isfinite(last()) ? last() : target > 0 ? monotone_pair_file::outwards(*this, target, 1) : zero();
  if (!std::isfinite(low) || !std::isfinite(high)) return std::isfinite(low) ? high : low;
  double x = 0.5 * (low + high);
  for (int i = 0; i < monotone_pair_file::most_steps && low < high; ++i) {
    const PairPoint point = at(x);
    const double off = point.loss - target;
    if (off == 0) return x;
    (off < 0 ? low : high) = x;
    const double width = high - low;
    double next = x - off / point.slope();
    // Every third step halves the bracket, because Newton's method may converge slowly.
    if (!(next > low && next < high) || i % 3 == 2) next = low + 0.5 * width;
    if (next == x || !(next > low && next < high)) break;
    x = next;
  }
  return std::clamp(x, first(), last());
}

}  // namespace renyi::monotone
