#include "certify/exact/search.h"

#include <algorithm>
#include <cmath>

#include "renyi/error.h"

namespace renyi::certify {
namespace {

constexpr int most_steps = 80, most_doublings = 52;

// ln delta(x) minus what is wanted, about.
double excess(const Law& law, double x, double wanted) {
  const Ball delta = law.delta(x).middle();
  return surely_less(0, delta) ? log(delta).about() - wanted : -HUGE_VAL;
}

}  // namespace

// Secants on ln delta, inside what is known to hold the root.
Root find_root(const Law& law, double delta, const Place& place) {
  const double wanted = std::log(delta);
  double low = 0;
  double high = HUGE_VAL;
  double slope = -place.saddle;
  double x = std::max(0.0, place.epsilon);
  double before = x;
  double at_before = 0;
  for (int i = 0; i < most_steps; ++i) {
    const double at = excess(law, x, wanted);
    (at > 0 ? low : high) = x;
    if (i > 0 && x != before) slope = (at - at_before) / (x - before);
    if (!(slope < 0 && std::isfinite(slope))) slope = -place.saddle;
    before = x;
    at_before = at;
    x -= at / slope;
    if (!(x >= low && x <= high)) x = std::isfinite(high) ? (low + high) / 2 : 2 * low + 1 / place.saddle;
    if (std::abs(x - before) <= 1e-15 * x) break;
  }
  return {x, -slope};
}

// Lemma K11: delta falls as epsilon grows.
Interval proven_interval(const Law& law, double delta, double root, double step, double largest) {
  Interval proven{0, largest};
  double down = step;
  for (int i = 0; i < most_doublings && root - down > 0; ++i, down *= 2) {
    if (!surely_less(delta, law.delta(root - down))) continue;
    proven.low = root - down;
    break;
  }
  double up = step;
  for (int i = 0; i < most_doublings && root + up < largest; ++i, up *= 2) {
    if (!surely_less(law.delta(root + up), delta)) continue;
    proven.high = root + up;
    break;
  }
  if (std::isinf(proven.high)) throw NotConverged("certified epsilon: no upper end can be proven");
  return proven;
}

}  // namespace renyi::certify
