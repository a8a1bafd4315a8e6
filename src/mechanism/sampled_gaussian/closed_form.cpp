// RDP <= 2 q^2 a / s^2 under the conditions of Theorem 11 (Mironov, Talwar, Zhang
// 2019, arXiv:1908.10530v1), with L = ln(1 + 1/(q (a-1))).
#include <fmt/format.h>

#include <cmath>

#include "mechanism/sampled_gaussian/methods.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/sampled_gaussian.h"

namespace renyi {

std::string closed_form_obstacle(const SampledGaussian& mechanism, double order) {
  const double q = mechanism.sampling_rate, s = mechanism.noise_multiplier, a = order;
  if (!(a > 1) || std::isinf(a)) return fmt::format("1 < order < inf fails: order = {}", a);
  if (!(q <= 0.2)) return fmt::format("sampling_rate <= 1/5 fails: sampling_rate = {}", q);
  if (!(s >= 4)) return fmt::format("noise_multiplier >= 4 fails: noise_multiplier = {}", s);
  if (q == 0) return "";
  const double big_l = std::log1p(1 / (q * (a - 1)));
  // The limits are rounded down, so that a condition is never granted by rounding.
  const double shrink = 1 - 16 * numerics::unit_roundoff;
  const double first = (s * s * big_l / 2 - 2 * std::log(s)) * shrink;
  if (!(a <= first)) {
    return fmt::format("order <= s^2 L/2 - 2 ln s fails: order = {}, s^2 L/2 - 2 ln s = {}", a, first);
  }
  // L + ln(q a) >= ln(a/(a-1)) > 0, so the divisor is positive.
  const double numerator = s * s * big_l * big_l / 2 - std::log(5.0) - 2 * std::log(s);
  const double divisor = big_l + std::log(q * a) + 1 / (2 * s * s);
  const double second = numerator / divisor * shrink;
  if (!(a <= second)) {
    return fmt::format(
        "order <= (s^2 L^2/2 - ln 5 - 2 ln s)/(L + ln(q order) + 1/(2 s^2)) fails: order = {}, the right side = {}", a,
        second);
  }
  return "";
}

namespace sampled_gaussian {

Bounded by_closed_form(const SampledGaussian& mechanism, double order) {
  const std::string obstacle = closed_form_obstacle(mechanism, order);
  if (!obstacle.empty()) {
    throw Unsupported("order", "the closed-form bound of Theorem 11 does not apply: " + obstacle,
                      "use method quadrature, which has no conditions");
  }
  const double ratio = mechanism.sampling_rate / mechanism.noise_multiplier;
  const double value = 2 * ratio * ratio * order;
  return {value, 4 * numerics::unit_roundoff * value};
}

}  // namespace sampled_gaussian
}  // namespace renyi
