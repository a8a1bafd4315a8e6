// One randomized response: the most likely answer has probability `high` under P and
// high e^-l under Q, so delta = high (1 - exp(epsilon - l)) below l; the answers whose
// loss is 0 or -l never count.
#include <algorithm>
#include <cmath>

#include "exact/closed_form/profile.h"

namespace renyi::exact {

namespace {

using Real = long double;

// ln(high/low) of high = low + gap.
Real log_ratio(Real high, Real low, Real gap) {
  if (gap < low) return std::log1p(gap / low);
  const Real ratio = high / low;
  return std::isfinite(ratio) ? std::log(ratio) : std::log(high) - std::log(low);
}

}  // namespace

Response response_of(const RandomizedResponse& mechanism) {
  const Real p = mechanism.truth_probability, k = mechanism.categories;
  const Real r = (1 - p) / (k - 1);
  // p - r = (p k - 1)/(k - 1), rounded once where it counts.
  const Real gap = std::abs(std::fma(p, k, -1.0L)) / (k - 1);
  const Real high = std::max(p, r), low = std::min(p, r);
  return {around(log_ratio(high, low, gap), 8), around(high, 4)};
}

Response response_of(const PureDp& mechanism) {
  const Real e = mechanism.epsilon;
  return {{e, e}, around(1 / (1 + std::exp(-e)), 4)};
}

Profile response_profile(const Response& response) {
  return [response](double epsilon) {
    if (!(response.loss.upper > epsilon)) return to_ends(exactly_nothing);
    const auto delta = [&](Real loss, Real probability, Real rounding) {
      const Real gap = loss - epsilon;
      return gap > 0 ? -probability * std::expm1(-gap) * (1 + rounding) : 0;
    };
    return to_ends({delta(response.loss.lower, response.probability.lower, -8 * extended_roundoff),
                    delta(response.loss.upper, response.probability.upper, 8 * extended_roundoff)});
  };
}

}  // namespace renyi::exact
