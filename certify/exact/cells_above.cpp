#include "certify/exact/cells.h"

namespace renyi::certify {
namespace {

// Lemma L9 (connect the dots): the masses p and q of a cell [l, l+h] go to its ends so that both are kept.
void connect_dots(const Ball& p, const Ball& q, const Ball& ratio, const Ball& rise, Ball& low, Ball& high) {
  const Ball up = min(max((p - ratio * q) / rise, 0), p);
  low += p - up;
  high += up;
}

}  // namespace

Cut cut(const StepTails& tails, const Points& points) {
  Cut cut{points, {}, {}};
  for (std::int64_t j = 0; j <= points.last; ++j) {
    const Ball loss = points.at(j);
    const bool at_atom = points.atom_at_start && j == points.start;
    cut.above.push_back(at_atom ? tails.above_bottom() : tails.above(loss));
    cut.ratio.push_back(exp(loss));
  }
  return cut;
}

Rounded rounded_up(const StepTails& tails, const Cut& cut) {
  const Points& points = cut.points;
  const std::size_t last = static_cast<std::size_t>(points.last);
  const Ball rise = -expm1(-points.h), step = exp(points.h);
  // mass[j + 1] is at the point j: there is one more point at either end.
  Rounded result{points.offset, -1, std::vector<Ball>(last + 3), Ball()};
  std::vector<Ball>& mass = result.mass;
  const Tail& lowest = cut.above.front();
  const Tail& highest = cut.above.back();
  if (surely_at_most(points.at(-1), tails.bottom())) {
    connect_dots(1 - lowest.p, 1 - lowest.q, cut.ratio.front() / step, rise, mass[0], mass[1]);
  } else {
    mass[1] += 1 - lowest.p;  // Lemma L8: raising a loss at fixed P
  }
  for (std::size_t j = 0; j < last; ++j) {
    const Ball p = cut.above[j].p - cut.above[j + 1].p, q = cut.above[j].q - cut.above[j + 1].q;
    connect_dots(p, q, cut.ratio[j], rise, mass[j + 1], mass[j + 2]);
  }
  if (surely_at_most(tails.top(), points.at(points.last + 1))) {
    connect_dots(highest.p, highest.q, cut.ratio.back(), rise, mass[last + 1], mass[last + 2]);
  } else {
    result.infinite = highest.p;
  }
  return result;
}

}  // namespace renyi::certify
