// Steps made of one-dimensional pairs, and their hockey-stick divergence straight from the definition.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "mechanism/monotone/pairs_curve.h"
#include "renyi/extras/custom.h"
#include "sampling/pairs/gaussian_pair.h"
#include "sampling/pairs/laplace_pair.h"

namespace renyi::test {

inline std::shared_ptr<const monotone::PairsCurve> pairs_curve(std::vector<monotone::WeightedPair> components) {
  return std::make_shared<monotone::PairsCurve>(std::move(components), Knowledge::loss);
}
inline Mechanism pairs_step(std::vector<monotone::WeightedPair> components) {
  return CustomMechanism("pairs", pairs_curve(std::move(components)));
}

// P = (1-q) B + q N against B, where N beside B has densities exp(u(x)) whose u rises; `above` gives the masses of B
// and N above x, `x_at` the place where u is this.
struct Sampled {
  long double rate;
  long double (*base_above)(long double x, long double width);
  long double (*moved_above)(long double x, long double width);
  long double (*x_at)(long double u, long double width);
  long double width;
};

namespace pairs_detail {

inline long double normal_above(long double x, long double s) { return std::erfc(x / (s * std::sqrt(2.0L))) / 2; }
inline long double laplace_above(long double x, long double b) {
  return x >= 0 ? std::exp(-x / b) / 2 : 1 - std::exp(x / b) / 2;
}

}  // namespace pairs_detail

inline Sampled sampled_normal(double q, double s) {
  using namespace pairs_detail;
  return {q, normal_above, [](long double x, long double w) { return normal_above(x - 1, w); },
          [](long double u, long double w) { return u * w * w + 0.5L; }, s};
}
// Beyond its largest loss nothing is left: the two ends of the line stand for the atoms.
inline Sampled sampled_laplace(double q, double b) {
  using namespace pairs_detail;
  const auto x_at = [](long double u, long double w) -> long double {
    if (u >= 1 / w) return INFINITY;
    return u < -1 / w ? -INFINITY : (u * w + 1) / 2;
  };
  return {q, laplace_above, [](long double x, long double w) { return laplace_above(x - 1, w); }, x_at, b};
}

// sup_S P(S) - e^epsilon B(S), or B(S) - e^epsilon P(S); the supremum is over half-lines.
inline long double one_sided_delta(const Sampled& pair, Direction direction, long double epsilon) {
  const bool removes = direction == Direction::remove;
  const long double q = pair.rate, ratio = std::exp(removes ? epsilon : -epsilon), v = (ratio - (1 - q)) / q;
  const long double x = v > 0 ? pair.x_at(std::log(v), pair.width) : -INFINITY;
  const auto above = [&](long double (*law)(long double, long double)) -> long double {
    if (std::isinf(x)) return x > 0 ? 0 : 1;
    return law(x, pair.width);
  };
  const long double base = above(pair.base_above), mixed = (1 - q) * base + q * above(pair.moved_above);
  const long double factor = std::exp(epsilon);
  return removes ? mixed - factor * base : (1 - base) - factor * (1 - mixed);
}

// The closure: the remove side for epsilon >= 0, and the same the other way round, H_t = 1 - t + t H_{1/t}.
inline long double symmetric_delta(const Sampled& pair, long double epsilon) {
  if (epsilon >= 0) return one_sided_delta(pair, Direction::remove, epsilon);
  return -std::expm1(epsilon) + std::exp(epsilon) * one_sided_delta(pair, Direction::remove, -epsilon);
}

// ((1-q) N(0) + q N(1), (1-q) N(0) + q N(-1)): the half-line by bisection.
inline long double opposite_delta(long double q, long double s, long double epsilon) {
  const auto density = [&](long double x) { return std::exp(-x * x / (2 * s * s)); };
  const auto loss = [&](long double x) {
    return std::log(((1 - q) * density(x) + q * density(x - 1)) / ((1 - q) * density(x) + q * density(x + 1)));
  };
  long double low = -20 * s - 1, high = 20 * s + 1;
  for (int i = 0; i < 200; ++i) {
    const long double middle = (low + high) / 2;
    (loss(middle) < epsilon ? low : high) = middle;
  }
  using pairs_detail::normal_above;
  const long double p = (1 - q) * normal_above(low, s) + q * normal_above(low - 1, s);
  return p - std::exp(epsilon) * ((1 - q) * normal_above(low, s) + q * normal_above(low + 1, s));
}

}  // namespace renyi::test
