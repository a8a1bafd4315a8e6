// Random pairs of densities with edges, jumps, poles and ripples, each with its divergences in closed form and
// extended precision.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "renyi/extras/divergence.h"
#include "support/random_inputs.h"

namespace renyi::test {

struct KnownPair {
  std::string name;
  LogDensities densities;
  // D of an order, and total variation; nothing where no closed form is known.
  std::function<std::optional<long double>(long double)> renyi;
  std::optional<long double> variation{};
};

using Density = std::function<double(double)>;
inline constexpr long double never = std::numeric_limits<long double>::infinity();
inline constexpr double no_density = -std::numeric_limits<double>::infinity();

inline Density normal_density(double mean, double wide) {
  return [=](double x) {
    const double t = (x - mean) / wide;
    return -t * t / 2 - std::log(wide) - 0.91893853320467274178;
  };
}

// P is Q given |x - m| < h: l = -ln Q(A) on A. One time in three the other way round.
inline KnownPair cut_normal(RandomInputs& random) {
  const double m = random.chance(0.3) ? 0 : random.uniform(-3, 3), wide = random.log_uniform(0.1, 10);
  const double h = wide * random.uniform(0.3, 6);
  const long double mass = std::erf(static_cast<long double>(h) / wide / std::numbers::sqrt2_v<long double>);
  const double log_mass = static_cast<double>(std::log(mass));
  const Density whole = normal_density(m, wide);
  const Density cut = [=](double x) { return std::abs(x - m) < h ? whole(x) - log_mass : no_density; };
  KnownPair pair{fmt::format("normal {} {} cut at {}", m, wide, h), {.log_p = cut, .log_q = whole}, {}, 1 - mass};
  pair.renyi = [=](long double) { return -std::log(mass); };
  if (!random.chance(0.33)) return pair;
  std::swap(pair.densities.log_p, pair.densities.log_q);
  pair.renyi = [=](long double a) { return a >= 1 ? never : a / (a - 1) * std::log(mass); };
  return pair;
}

inline KnownPair uniforms(RandomInputs& random) {
  double l1 = random.uniform(-10, 10), u1 = l1 + random.log_uniform(0.01, 10), l2 = 0, u2 = 0;
  const bool inside = random.chance(0.6);
  l2 = inside ? l1 - random.log_uniform(1e-3, 5) : random.uniform(-10, 10);
  u2 = inside ? u1 + random.log_uniform(1e-3, 5) : l2 + random.log_uniform(0.01, 10);
  const auto density = [](double l, double u) {
    return [=](double x) { return x >= l && x <= u ? -std::log(u - l) : no_density; };
  };
  KnownPair pair{fmt::format("uniform {} {}, {} {}", l1, u1, l2, u2), {density(l1, u1), density(l2, u2)}, {}};
  if (random.chance(0.5)) pair.densities.lower = std::min(l1, l2), pair.densities.upper = std::max(u1, u2);
  if (random.chance(0.3)) pair.densities.points = {l1, u1, l2, u2};
  const long double w1 = static_cast<long double>(u1) - l1, w2 = static_cast<long double>(u2) - l2;
  const long double shared = std::max(0.0L, static_cast<long double>(std::min(u1, u2)) - std::max(l1, l2));
  pair.variation = 1 - shared / std::max(w1, w2);
  pair.renyi = [=](long double a) {
    if (shared == 0 || (a >= 1 && shared < w1)) return never;
    if (a == 1) return std::log(w2 / w1);
    return (std::log(shared) - a * std::log(w1) + (a - 1) * std::log(w2)) / (a - 1);
  };
  return pair;
}

// Six cells of random lengths and masses, their borders not named.
inline KnownPair steps(RandomInputs& random) {
  constexpr std::size_t n = 6;
  std::array<double, n> p{}, q{};
  std::array<double, n + 1> at{};
  at[0] = random.chance(0.5) ? 0 : random.uniform(-5, 5);
  double p_sum = 0, q_sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    at[i + 1] = at[i] + random.uniform(0.05, 2);
    p_sum += p[i] = random.log_uniform(1e-3, 1);
    q_sum += q[i] = random.log_uniform(1e-3, 1);
  }
  const auto density = [&](const std::array<double, n>& masses, double sum) {
    return [=](double x) {
      if (x < at[0] || x >= at[n]) return no_density;
      std::size_t i = 0;
      while (x >= at[i + 1]) ++i;
      return std::log(masses[i] / sum / (at[i + 1] - at[i]));
    };
  };
  long double variation = 0, p_all = 0, q_all = 0;
  for (std::size_t i = 0; i < n; ++i) p_all += p[i], q_all += q[i];
  for (std::size_t i = 0; i < n; ++i) variation += std::max(0.0L, p[i] / p_all - q[i] / q_all);
  const auto renyi = [=](long double a) {
    long double sum = 0;
    for (std::size_t i = 0; i < n && a == 1; ++i) sum += p[i] / p_all * std::log(p[i] / p_all / (q[i] / q_all));
    if (a == 1) return sum;
    for (std::size_t i = 0; i < n; ++i) sum += std::pow(p[i] / p_all, a) * std::pow(q[i] / q_all, 1 - a);
    return std::log(sum) / (a - 1);
  };
  return {fmt::format("steps {}", fmt::join(at, " ")),
          {.log_p = density(p, p_sum), .log_q = density(q, q_sum), .lower = at[0], .upper = at[n]},
          renyi,
          variation};
}

// One centre, half-widths h <= w: at order 2, with u = w - x, the integral of (u - c)^2/u, c = w - h.
inline KnownPair triangles(RandomInputs& random) {
  const double m = random.chance(0.5) ? 0 : random.uniform(-3, 3), h = random.uniform(0.3, 3);
  const double w = random.chance(0.4) ? h : h * random.uniform(1.1, 3);
  const auto density = [m](double wide) {
    return [=](double x) {
      const double height = 1 - std::abs(x - m) / wide;
      return height > 0 ? std::log(height / wide) : no_density;
    };
  };
  KnownPair pair{fmt::format("triangles at {}, {} and {}", m, h, w), {density(h), density(w)}, {}};
  if (w == h) {
    pair.variation = 0;
    pair.renyi = [](long double) { return 0.0L; };
    return pair;
  }
  if (random.chance(0.3)) {
    std::swap(pair.densities.log_p, pair.densities.log_q);
    pair.renyi = [](long double a) { return a >= 1 ? std::optional(never) : std::nullopt; };
    return pair;
  }
  pair.renyi = [=](long double a) -> std::optional<long double> {
    if (a != 2) return std::nullopt;
    const long double c = static_cast<long double>(w) - h, big = w, h4 = std::pow(static_cast<long double>(h), 4);
    const long double integral = (big * big - c * c) / 2 - 2 * c * (big - c) + c * c * std::log(big / c);
    return std::log(2 * big * big / h4 * integral);
  };
  return pair;
}

// Order a of Gamma(k, 1) and Gamma(k', t): Gamma(K) of K = a k + (1-a) k', infinite unless K > 0 and the rate is.
inline KnownPair gammas(RandomInputs& random, double least_shape) {
  const double k1 = random.log_uniform(least_shape, 20), k2 = random.log_uniform(least_shape, 20);
  const double t1 = random.log_uniform(1e-2, 1e2), t2 = random.chance(0.3) ? t1 : t1 * random.log_uniform(0.3, 3);
  const auto norm = [](long double k, long double t) { return std::lgamma(k) + k * std::log(t); };
  const auto density = [&](double k, double t) {
    return [k, t, scale = static_cast<double>(norm(k, t))](double x) { return (k - 1) * std::log(x) - x / t - scale; };
  };
  const auto renyi = [=](long double a) -> std::optional<long double> {
    if (a == 1) return std::nullopt;
    const long double k = a * k1 + (1 - a) * k2, rate = a / t1 + (1 - a) / t2;
    if (!(k > 0 && rate > 0)) return never;
    return (norm(k, 1 / rate) - a * norm(k1, t1) - (1 - a) * norm(k2, t2)) / (a - 1);
  };
  return {
      fmt::format("gamma {} {}, {} {}", k1, t1, k2, t2), {density(k1, t1), density(k2, t2), 0, infinity}, renyi, {}};
}

inline KnownPair betas(RandomInputs& random, double least_shape) {
  const auto shape = [&] { return random.log_uniform(least_shape, 20); };
  const double a1 = shape(), b1 = shape(), a2 = shape(), b2 = shape();
  const auto norm = [](long double a, long double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); };
  const auto density = [&](double a, double b) {
    return [a, b, scale = static_cast<double>(norm(a, b))](double x) {
      return (a - 1) * std::log(x) + (b - 1) * std::log1p(-x) - scale;
    };
  };
  const auto renyi = [=](long double o) -> std::optional<long double> {
    if (o == 1) return std::nullopt;
    const long double a = o * a1 + (1 - o) * a2, b = o * b1 + (1 - o) * b2;
    return a > 0 && b > 0 ? (norm(a, b) - o * norm(a1, b1) - (1 - o) * norm(a2, b2)) / (o - 1) : never;
  };
  return {fmt::format("beta {} {}, {} {}", a1, b1, a2, b2), {density(a1, b1), density(a2, b2), 0, 1}, renyi, {}};
}

// Rates r, starts s: on the half lines from there.
inline KnownPair exponentials(RandomInputs& random) {
  const double s1 = random.uniform(-5, 5), r1 = random.log_uniform(0.1, 10), r2 = random.log_uniform(0.1, 10);
  const double s2 = s1 + (random.chance(0.6) ? -1 : 1) * random.log_uniform(1e-4, 5);
  const auto density = [](double s, double r) {
    return [=](double x) { return x >= s ? std::log(r) - r * (x - s) : no_density; };
  };
  const auto renyi = [=](long double a) {
    const long double rate = a * r1 + (1 - a) * r2, gap = static_cast<long double>(s2) - s1;
    if ((a >= 1 && gap > 0) || !(rate > 0)) return never;
    if (a == 1) return std::log(static_cast<long double>(r1) / r2) - 1 + r2 * (1 / static_cast<long double>(r1) - gap);
    // From the later start on: there P has fallen by r1 gap, or Q by -r2 gap.
    const long double fallen = gap > 0 ? a * r1 * gap : (a - 1) * r2 * gap;
    return (a * std::log(static_cast<long double>(r1)) + (1 - a) * std::log(static_cast<long double>(r2)) - fallen -
            std::log(rate)) /
           (a - 1);
  };
  return {fmt::format("exponential {} {}, {} {}", s1, r1, s2, r2), {density(s1, r1), density(s2, r2)}, renyi, {}};
}

// 1 + c cos(2 pi m x) against the uniform law.
inline KnownPair ripples(RandomInputs& random) {
  const double c = random.uniform(0.1, 0.95);
  const auto m = static_cast<int>(random.log_uniform(1, 300));
  const auto renyi = [=](long double a) {
    constexpr int n = 2000;  // the trapezoidal rule: the integrand is periodic and analytic
    long double sum = 0;
    for (int i = 0; i < n; ++i) {
      const long double p = 1 + c * std::cos(2 * std::numbers::pi_v<long double> * i / n);
      sum += a == 1 ? p * std::log(p) : std::pow(p, a);
    }
    return a == 1 ? sum / n : std::log(sum / n) / (a - 1);
  };
  return {fmt::format("ripples {} {}", c, m),
          {[=](double x) { return std::log1p(c * std::cos(2 * M_PI * m * x)); }, [](double) { return 0.0; }, 0, 1},
          renyi,
          c / std::numbers::pi_v<long double>};
}

}  // namespace renyi::test
