// The loss of a law mixed with the one it is compared with, from the loss l of the law itself.
#pragma once

#include <algorithm>
#include <cmath>

namespace renyi::numerics {

namespace mixed_loss_detail {
// Beyond this exp(l) overflows; 1 - rate still counts beside it where the rate is tiny.
inline constexpr double large_loss = 700;
}  // namespace mixed_loss_detail

// ln((1-g) + g exp(l)), accurate relative to itself however small the rate g is.
inline double mixed_loss(double rate, double l) {
  if (l < mixed_loss_detail::large_loss) {
    const double moved = rate * std::expm1(l);
    // Near -1 nothing is left of the sum's accuracy; 1 - g is exact there, and both terms are positive.
    return moved < -0.5 ? std::log((1 - rate) + rate * std::exp(l)) : std::log1p(moved);
  }
  const double of_p = l + std::log(rate);
  return of_p + std::log1p((1 - rate) * std::exp(-of_p));
}

// d/dl of it, g exp(l) / ((1-g) + g exp(l)), which never falls with l; 1 where exp(l) overflows.
inline double mixed_loss_slope(double rate, double l) {
  if (l >= mixed_loss_detail::large_loss) return 1;
  const double of_p = rate * std::exp(l);
  return std::min(1.0, of_p / (1 - rate + of_p));
}

}  // namespace renyi::numerics
