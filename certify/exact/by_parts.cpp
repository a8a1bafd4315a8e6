// The total variation of g = p/l', l' = share/s^2. ln g has the slope k(x)/s^2 with k = -x - 1 + (e+1) share(x).
#include "certify/exact/tilted.h"

namespace renyi::certify {
namespace {

constexpr int deepest = 80;
// A cell in which ln g surely moves by no more than this may hold a turning point.
constexpr double short_enough = 0.01;

class Variation {
 public:
  explicit Variation(const Tilted& law) : law_(law) {}

  // Lemma K9: beyond these ends g rises or falls throughout.
  Ball whole() const {
    const Ball e = law_.exponent;
    const bool remove = surely_less(0, e);
    const Ball low = remove ? Ball(-1) : (-2 + e).lower();
    const Ball high = remove ? e.upper() : Ball(0);
    return g(low) + g(high) + over(low, high, deepest);
  }

 private:
  Ball g(const Ball& x) const { return exp(law_.log_density(x)) * law_.variance / law_.share(x); }

  // k on [low, high]: the share increases.
  Ball slope(const Ball& low, const Ball& high) const {
    const Ball factor = law_.exponent + 1;
    const Ball shares = Ball::hull(law_.share(low), law_.share(high));
    return factor * shares - 1 - Ball::hull(low, high);
  }

  Ball over(const Ball& low, const Ball& high, int depth) const {
    const Ball k = slope(low, high);
    if (surely_less(0, k) || surely_less(k, 0)) return abs(g(high) - g(low));
    const Ball moved = ((high - low) * abs(k) / law_.variance).upper();
    // |g'| = g |k|/s^2, and g is at most exp(moved) times its value at an end.
    if (depth == 0 || surely_less(moved, short_enough)) return max(g(low), g(high)) * moved * exp(moved);
    const Ball middle = ((low + high) / 2).middle();
    return over(low, middle, depth - 1) + over(middle, high, depth - 1);
  }

  const Tilted& law_;
};

}  // namespace

Ball total_variation_by_parts(const Tilted& law) { return Variation(law).whole().upper(); }

}  // namespace renyi::certify
