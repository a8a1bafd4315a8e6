#include "account/conversion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi {

std::string_view to_string(Conversion conversion) noexcept {
  switch (conversion) {
    case Conversion::tight: return "tight";
    case Conversion::classical: return "classical";
    case Conversion::pure: return "pure";
    case Conversion::total_variation: return "total-variation";
  }
  return "unknown";
}

namespace account {

namespace {

// Each term of a formula carries a few roundings; so does their sum.
constexpr double formula_rounding = 8 * numerics::unit_roundoff;

// A comparison with NaN would turn a failure into perfect privacy.
double not_nan(double bound, double z) {
  if (std::isnan(bound)) throw NotConverged(fmt::format("conversion at order {}: the curve has no value", 1 + z));
  return bound;
}

bool is_tight(Conversion conversion) { return conversion == Conversion::tight; }

// Far above the best order curves are parabolas (logarithmic slope 2 at most, where
// the steep part below has more), and Newton's method in ln z would overshoot.
bool is_far_above(double value, double slope) { return value > 1 && slope < 4; }

}  // namespace

// classical: (K + ln(1/delta)) / z                     Mironov 2017, Proposition 3
// tight:     ... - ln(1+z)/z - ln(1 + 1/z)             Canonne, Kamath, Steinke 2020, Proposition 12
double epsilon_at(Conversion conversion, double z, const LogMoment& k, double delta) {
  const double log_term = -std::log(delta) / z;
  const double tightening = is_tight(conversion) ? std::log1p(z) / z + std::log1p(1 / z) : 0;
  const double divergence = k.value / z;
  const double rounding = formula_rounding * (divergence + log_term + tightening) + k.error / z;
  return std::max(0.0, not_nan(divergence + log_term - tightening + rounding, z));
}

// ln delta = K - z epsilon [- z ln(1 + 1/z) - ln(1+z)]
double log_delta_at(Conversion conversion, double z, const LogMoment& k, double epsilon) {
  const double tightening = is_tight(conversion) ? z * std::log1p(1 / z) + std::log1p(z) : 0;
  const double rounding = formula_rounding * (k.value + z * epsilon + tightening) + k.error;
  return not_nan(k.value - z * epsilon - tightening + rounding, z);
}

double delta_from_log(double log_delta) {
  if (log_delta >= 0) return 1;
  return numerics::next_up(std::exp(log_delta) *
                           (1 + formula_rounding));  // never 0, and above also where it is subnormal
}

// d epsilon/dz = 0  <=>  W(z) = z K' - K = ln(1/delta) [- ln(1+z)]. The left side
// increases because K is convex, the right side decreases. Taken as the
// difference of logarithms: W is a power of z for small z, and where sampling
// stops helping it rises like an exponential.
Condition epsilon_condition(Conversion conversion, double z, const LogMoment& k, double delta) {
  const double log_term = -std::log(delta);
  const double right = log_term - (is_tight(conversion) ? std::log1p(z) : 0);
  const double right_slope = is_tight(conversion) ? z / (1 + z) : 0;
  if (!(right > 0)) return {1, 1, std::expm1(log_term)};
  // Where the curve is nearly a line W cancels, to within `noise`. If that exceeds
  // the right side nothing is known here: back to where it does not. If W is lost in
  // less noise than that, the root is further right.
  const double w = z * k.slope - k.value, noise = formula_rounding * (z * k.slope + k.value);
  if (noise > right) return {1, 1, 0.5 * z * right / noise};
  if (!(w > noise)) return {-1, 1, is_tight(conversion) ? std::expm1(log_term) : 1e3 * z};
  const double value = std::log(w / right), slope = z * z * k.curvature / w + right_slope / right;
  if (!is_far_above(value, slope)) return {value, slope};
  // K + K' d + K'' d^2/2 = ln(1/delta), or its lowest point.
  const double reach = std::max(0.0, k.slope * k.slope - 2 * k.curvature * (k.value - log_term));
  return {value, slope, z + (std::sqrt(reach) - k.slope) / k.curvature};
}

// d ln(delta)/dz = 0  <=>  K'(z) = epsilon [+ ln(1 + 1/z)]; the left side increases,
// the right side decreases.
Condition delta_condition(Conversion conversion, double z, const LogMoment& k, double epsilon) {
  const double right = epsilon + (is_tight(conversion) ? std::log1p(1 / z) : 0);
  const double right_slope = is_tight(conversion) ? 1 / (1 + z) : 0;
  if (!(right > 0)) return {1, 1};
  // Beyond the order where ln(1 + 1/z) is lost in rounding the two sides of a line look equal: back to there.
  const double noise = formula_rounding * right;
  if (is_tight(conversion) && 1 / z < noise && std::abs(k.slope - right) < noise) return {1, 1, 0.5 / noise};
  const double value = std::log(k.slope / right), slope = z * k.curvature / k.slope + right_slope / right;
  if (!is_far_above(value, slope)) return {value, slope};
  return {value, slope, z + (right - k.slope) / k.curvature};
}

double divergence_upper(double z, const LogMoment& k) { return (k.value + k.error) / z * (1 + formula_rounding); }

double delta_by_total_variation(double divergence) {
  const double square = -std::expm1(-divergence);
  return std::min(1.0, std::sqrt(square) * (1 + formula_rounding));
}

}  // namespace account
}  // namespace renyi
