// RDP <= 2 q^2 a / s^2 under the conditions of Theorem 11 (Mironov, Talwar, Zhang
// 2019, arXiv:1908.10530v1), with L = ln(1 + 1/(q (a-1))).
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "mechanism/sampled_gaussian/methods.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/sampled_gaussian.h"

namespace renyi {

namespace {

// A condition that fails, in words and with numbers.
struct Failure {
  std::string condition;
  std::string numbers;
};

// The conditions in the order of the theorem; nothing when all hold.
std::optional<Failure> first_failure(const SampledGaussian& mechanism, double order) {
  const double q = mechanism.sampling_rate, s = mechanism.noise_multiplier, a = order;
  if (!(a > 1) || std::isinf(a)) return Failure{"1 < order < inf", fmt::format("order = {}", a)};
  if (!(q <= 0.2)) return Failure{"sampling_rate <= 1/5", fmt::format("sampling_rate = {}", q)};
  if (!(s >= 4)) return Failure{"noise_multiplier >= 4", fmt::format("noise_multiplier = {}", s)};
  if (q == 0) return std::nullopt;
  const double big_l = std::log1p(1 / (q * (a - 1)));
  // The limits are rounded down, so that a condition is never granted by rounding.
  const double shrink = 1 - 16 * numerics::unit_roundoff;
  const double first = (s * s * big_l / 2 - 2 * std::log(s)) * shrink;
  if (!(a <= first)) {
    return Failure{"order <= s^2 L/2 - 2 ln s", fmt::format("order = {}, s^2 L/2 - 2 ln s = {}", a, first)};
  }
  // L + ln(q a) >= ln(a/(a-1)) > 0, so the divisor is positive.
  const double numerator = s * s * big_l * big_l / 2 - std::log(5.0) - 2 * std::log(s);
  const double divisor = big_l + std::log(q * a) + 1 / (2 * s * s);
  const double second = numerator / divisor * shrink;
  if (!(a <= second)) {
    return Failure{"order <= (s^2 L^2/2 - ln 5 - 2 ln s)/(L + ln(q order) + 1/(2 s^2))",
                   fmt::format("order = {}, the right side = {}", a, second)};
  }
  return std::nullopt;
}

}  // namespace

std::string closed_form_obstacle(const SampledGaussian& mechanism, double order) {
  const auto failure = first_failure(mechanism, order);
  return failure ? fmt::format("{} fails: {}", failure->condition, failure->numbers) : "";
}

// The orders served are an interval (1, end]: docs/math/sampled-gaussian.md, "Closed form".
ClosedFormEnd closed_form_end(const SampledGaussian& mechanism) {
  const Mechanism checked = mechanism;  // throws on parameters out of range
  if (mechanism.sampling_rate == 0) return {std::numeric_limits<double>::infinity(), "none: nothing is sampled"};
  double good = std::nextafter(1.0, 2.0), bad = 2;
  if (const auto failure = first_failure(mechanism, good)) return {1, failure->condition};
  while (!first_failure(mechanism, bad)) {
    good = bad;
    bad *= 2;
  }
  for (double middle = good + (bad - good) / 2; good < middle && middle < bad; middle = good + (bad - good) / 2) {
    (first_failure(mechanism, middle) ? bad : good) = middle;
  }
  return {good, first_failure(mechanism, bad)->condition};
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
