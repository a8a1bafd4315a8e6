#include "divergence/normal_mass.h"

#include <cmath>

#include "divergence/extended.h"

namespace renyi::divergence_detail {
namespace {

constexpr long double half_log_two_pi = 0.91893853320467274178032973640562L;
// Beyond this erfc comes close to underflow; the asymptotic series is exact to rounding long before.
constexpr long double far = 60;

// ln Pr[X > t], t > far: -t^2/2 - ln(t sqrt(2 pi)) + ln(1 - 1/t^2 + 3/t^4 - 15/t^6 + ...).
long double log_far_tail(long double t) {
  const long double u = 1 / (t * t);
  return -t * t / 2 - std::log(t) - half_log_two_pi + std::log1p(-u * (1 - 3 * u * (1 - 5 * u * (1 - 7 * u))));
}

// exp(shift) Pr[X > t], t >= 0.
Mass upper_tail(long double t, long double shift) {
  if (std::isinf(t)) return {};
  // The exponents carry rounding errors of their own size.
  const long double rounding = long_epsilon * (16 + 2 * t * t + 2 * std::abs(shift));
  const long double value =
      t > far ? std::exp(shift + log_far_tail(t)) : std::exp(shift) * std::erfc(t / std::sqrt(2.0L)) / 2;
  if (std::isfinite(value)) return {value, value * rounding};
  const long double other = std::exp(shift + std::log(std::erfc(t / std::sqrt(2.0L)) / 2));
  return {other, other * rounding};
}

}  // namespace

Mass normal_mass(long double low, long double high, long double shift) {
  if (!(low < high)) return {};
  if (low < 0 && high > 0) {
    // Two halves less two tails would cancel for short intervals; erf does not.
    const long double scale = std::exp(shift) / 2, root = std::sqrt(2.0L);
    const long double value = scale * (std::erf(high / root) + std::erf(-low / root));
    return {value, value * long_epsilon * (16 + 2 * std::abs(shift))};
  }
  const bool right = low >= 0;
  const Mass outer = upper_tail(right ? high : -low, shift);
  const Mass inner = upper_tail(right ? low : -high, shift);
  return {inner.value - outer.value, inner.error + outer.error};
}

}  // namespace renyi::divergence_detail
