#include "certify/sampled_gaussian/curve.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "certify/sampled_gaussian/integral.h"
#include "certify/sampled_gaussian/trapezoid.h"
#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::certify {
namespace curve_file {
namespace {

// E_P[exp(zL)] = E_Q[r^e], with e = 1+z in the direction remove and e = -z in the direction add. The result is exact if
// z is.
Ball exponent_of(Direction direction, const Ball& z) {
  if (direction == Direction::add) return -z;
  Ball exponent;
  arb_add_si(exponent.raw(), z.raw(), 1, ARF_PREC_EXACT);
  return exponent;
}

// Whole orders in the direction remove (Mironov, Talwar, Zhang 2019, arXiv:1908.10530v1, section 3.3; Lemma C3).

// A product of n^2 factors loses 2 log2(n) bits, and exp(2/(2s^2)) - 1 at s = 1e6 another 40.
long guard_bits(std::int64_t order) {
  return 64 + 2 * static_cast<long>(std::bit_width(static_cast<std::uint64_t>(order)));
}

// Lemma C3: A - 1 = sum over k >= 2 of C(a,k) (1-q)^(a-k) q^k (exp((k^2-k)/(2 s^2)) - 1), every term positive.
Ball moment_minus_one(const SampledGaussian& mechanism, std::int64_t order) {
  const Ball q = mechanism.sampling_rate;
  const Ball odds = q / (1 - q);
  const Ball ratio = exp(1 / square(Ball(mechanism.noise_multiplier)));
  Ball probability;  // C(a,k) (1-q)^(a-k) q^k
  arb_pow_ui(probability.raw(), (1 - q).raw(), static_cast<ulong>(order), Precision::bits());
  Ball growth = 1;       // exp((k^2-k)/(2 s^2))
  Ball next_growth = 1;  // exp(k/s^2)
  Ball sum;
  for (std::int64_t k = 0; k <= order; ++k) {
    stop_if_asked();
    if (k >= 2) sum += probability * (growth - 1);
    growth *= next_growth;
    next_growth *= ratio;
    probability *= odds * Ball(order - k) / Ball(k + 1);
  }
  return sum;
}

}  // namespace
}  // namespace curve_file

Ball finite_sum_log_moment(const SampledGaussian& mechanism, std::int64_t order) {
  const Precision guarded(Precision::bits() + curve_file::guard_bits(order));
  return log1p(curve_file::moment_minus_one(mechanism, order));
}

// Computes K by the trapezoidal rule (docs/math/certified-trapezoid.md).
Ball trapezoid_log_moment(const SampledGaussian& mechanism, Direction direction, const Ball& z, Effort effort) {
  const Ball exponent = curve_file::exponent_of(direction, z);
  const Nodes nodes = trapezoid_nodes(mechanism, exponent, 0, effort.rule);
  Ball sum;
  for (std::size_t i = 0; i < nodes.loss.size(); ++i) {
    stop_if_asked();
    sum += nodes.weight[i] * exp(exponent * nodes.loss[i]);
  }
  // |sum - A| <= error A, so the relative distance of A from the sum is at most error/(1 - error).
  sum.widen(nodes.error * sum / (1 - nodes.error));
  return log1p(sum - 1);
}

namespace curve_file {
namespace {

// K is computed by integration over windows, and bounds for the parts outside them.

// Lemma C9: r^e <= 2^(e-1) ((1-q)^e + q^e exp(e u)), the sum of two Gaussians around 0 and around e.
Ball remove_moment(const SampledGaussian& mechanism, const Ball& exponent, long bits) {
  const double powers = static_cast<double>(bits) + 8 + exponent.about();  // the powers of 2 to be compensated
  const Ball width = mechanism.noise_multiplier * std::sqrt(2 * std::numbers::ln2 * powers);
  const Ball q = mechanism.sampling_rate;
  const Ball bulk = exp(exponent * log1p(-q));
  const Ball shifted = exp(exponent * (log(q) + (exponent - 1) / (2 * square(Ball(mechanism.noise_multiplier)))));
  const Integrand integrand{.mechanism = mechanism, .exponent = exponent};
  Ball moment = integral_over_windows(integrand, {0, exponent}, width, max(1, shifted));
  const Ball outside =
      exp((exponent - 1) * log(Ball(2))) * (bulk + shifted) * 2 * normal_above(width / mechanism.noise_multiplier);
  return moment.widen(outside);
}

// In the direction add, ln of the integrand is G(x) = -x^2/(2 s^2) - z ln r, up to a constant.

// s^2 G'(x) = -x + e w(x), w = q exp(u)/r, e = -z.
Ball scaled_slope(const SampledGaussian& mechanism, const Ball& exponent, const Ball& x) {
  const Ball q = mechanism.sampling_rate;
  const Ball u = (2 * x - 1) / (2 * square(Ball(mechanism.noise_multiplier)));
  return exponent / (1 + (1 - q) / q * exp(-u)) - x;
}

// Estimates where the slope is 0.
double peak_about(const SampledGaussian& mechanism, const Ball& exponent) {
  const Precision rough(64);
  double low = exponent.about();
  double high = 0;
  for (int i = 0; i < 200; ++i) {
    stop_if_asked();
    const double x = (low + high) / 2;
    (scaled_slope(mechanism, exponent, x).about() > 0 ? low : high) = x;
  }
  return (low + high) / 2;
}

Ball integrand_at(const SampledGaussian& mechanism, const Ball& exponent, const Ball& x) {
  const Ball twice_variance = 2 * square(Ball(mechanism.noise_multiplier));
  const Ball log_ratio = log1p(Ball(mechanism.sampling_rate) * expm1((2 * x - 1) / twice_variance));
  return exp(exponent * log_ratio - square(x) / twice_variance) / sqrt(Ball::pi() * twice_variance);
}

// Lemma C8: beyond an endpoint where G slopes down, exp(G) falls at least like a Gaussian from its top, so that its
// integral there is at most its value at the endpoint times s sqrt(pi/2). `sign` is +1 at the right endpoint.
Ball beyond(const SampledGaussian& mechanism, const Ball& exponent, const Ball& end, int sign) {
  if (!surely_less(Ball(sign) * scaled_slope(mechanism, exponent, end), 0)) return Ball::infinity();
  return integrand_at(mechanism, exponent, end) * mechanism.noise_multiplier * sqrt(Ball::pi() / 2);
}

Ball add_moment(const SampledGaussian& mechanism, const Ball& exponent, long bits) {
  const double s = mechanism.noise_multiplier;
  const double peak = peak_about(mechanism, exponent);
  const double width = s * std::sqrt(2 * std::numbers::ln2 * (static_cast<double>(bits) + 8));
  const double left = peak - width;
  const double right = peak + width;
  const Ball scale = max(1, integrand_at(mechanism, exponent, peak) * s);
  const Integrand integrand{.mechanism = mechanism, .exponent = exponent};
  Ball moment = integral(integrand, left, peak, scale) + integral(integrand, peak, right, scale);
  return moment.widen(beyond(mechanism, exponent, left, -1)).widen(beyond(mechanism, exponent, right, 1));
}

}  // namespace
}  // namespace curve_file

Ball integral_log_moment(const SampledGaussian& mechanism, Direction direction, const Ball& z, Effort effort) {
  const Ball exponent = curve_file::exponent_of(direction, z);
  const Ball moment = direction == Direction::remove ? curve_file::remove_moment(mechanism, exponent, effort.window)
                                                     : curve_file::add_moment(mechanism, exponent, effort.window);
  return log1p(moment - 1);
}

namespace curve_file {
namespace {

Ball density(const Ball& x, const Ball& noise) { return exp(-square(x / noise) / 2) / (noise * sqrt(2 * Ball::pi())); }

Ball least_log(const SampledGaussian& mechanism) { return log1p(-Ball(mechanism.sampling_rate)); }

}  // namespace
}  // namespace curve_file

MeanLossWindows mean_loss_windows(const SampledGaussian& mechanism, Direction direction, long bits) {
  const double sigmas = std::sqrt(2 * std::numbers::ln2 * (static_cast<double>(bits) + 16));
  MeanLossWindows windows{.centres = {0}, .half_width = sigmas * mechanism.noise_multiplier};
  if (direction == Direction::remove) windows.centres.push_back(1);
  return windows;
}

// Lemma C5: 2 [ h phi_s(W) (W/s^2 + k) + phi_s(W) + k Pr(N(0,1) > W/s) ], for W >= s.
Ball mean_loss_outside(const SampledGaussian& mechanism, const MeanLossWindows& windows, const Ball& step) {
  const Ball noise = mechanism.noise_multiplier;
  const Ball width = windows.half_width;
  const Ball k = 1 / (2 * square(noise)) - curve_file::least_log(mechanism);
  if (!surely_at_most(noise, width)) return Ball::infinity();
  const Ball end = curve_file::density(width, noise);
  return 2 * (step * end * (width / square(noise) + k) + end + k * normal_above(width / noise));
}

// Lemma C6: exp(d^2/(2 s^2)) (1/s + 1/(2 s^2) - ln(1-q) + theta - ln cos(theta/2)), theta = d/s^2 < pi.
Ball mean_loss_on_edge(const SampledGaussian& mechanism, const Ball& strip) {
  const Ball noise = mechanism.noise_multiplier;
  const Ball theta = strip / square(noise);
  if (!surely_less(theta, Ball::pi())) return Ball::infinity();
  const Ball size =
      1 / noise + 1 / (2 * square(noise)) - curve_file::least_log(mechanism) + theta - log(cos(theta / 2));
  return exp(square(strip / noise) / 2) * size;
}

namespace curve_file {
namespace {

// D_1 is computed by the trapezoidal rule: Lemma C7.

constexpr double most_nodes = 4e6;
constexpr double widest_angle = 3;  // below pi, where the logarithm has its singularities

struct Rule {
  double step = 0;
  double strip = 0;
};

// Chooses the longest step for an error of 2^-bits, without proof.
Rule choose_rule(const SampledGaussian& mechanism, long bits) {
  const double s = mechanism.noise_multiplier;
  const double wanted = static_cast<double>(bits + 16) * std::numbers::ln2;
  const double strip = std::min(widest_angle * s * s, s * std::sqrt(2 * wanted));
  const double step = 2 * std::numbers::pi * strip / (wanted + strip * strip / (2 * s * s));
  // The step has few bits, so that every multiple of it is exact.
  return {.step = static_cast<double>(static_cast<float>(step)), .strip = strip};
}

class Sum {
 public:
  Sum(const SampledGaussian& mechanism, Direction direction, const Rule& rule)
      : q_(mechanism.sampling_rate),
        variance_(square(Ball(mechanism.noise_multiplier))),
        step_(rule.step),
        direction_(direction) {}

  void add(std::int64_t index) {
    const Ball x = step_ * Ball(index);
    const Ball grown = q_ * expm1((2 * x - 1) / (2 * variance_));  // r - 1
    const Ball term = exp(-square(x) / (2 * variance_)) * log1p(grown);
    sum_ += direction_ == Direction::remove ? term * (grown + 1) : -term;
  }
  Ball value() const { return sum_ * step_ / sqrt(2 * Ball::pi() * variance_); }

 private:
  Ball q_;
  Ball variance_;
  Ball step_;
  Direction direction_;
  Ball sum_;
};

// Sums over the multiples of the step in the windows, each once.
Ball sum_over(const MeanLossWindows& windows, const Rule& rule, Sum sum) {
  if (!(2 * windows.half_width / rule.step <= most_nodes / 2)) {
    throw NotConverged("trapezoidal rule: more than 4e6 points needed");
  }
  std::int64_t next = std::numeric_limits<std::int64_t>::min();
  for (const double centre : windows.centres) {
    const auto first = static_cast<std::int64_t>(std::floor((centre - windows.half_width) / rule.step)) - 1;
    const auto last = static_cast<std::int64_t>(std::ceil((centre + windows.half_width) / rule.step)) + 1;
    for (std::int64_t i = std::max(first, next); i <= last; ++i) {
      stop_if_asked();
      sum.add(i);
    }
    next = std::max(next, last + 1);
  }
  return sum.value();
}

}  // namespace
}  // namespace curve_file

Ball trapezoid_mean_loss(const SampledGaussian& mechanism, Direction direction, Effort effort) {
  const curve_file::Rule rule = curve_file::choose_rule(mechanism, effort.rule);
  const MeanLossWindows windows = mean_loss_windows(mechanism, direction, effort.window);
  const Precision guarded(Precision::bits() + 32);
  Ball result = curve_file::sum_over(windows, rule, curve_file::Sum(mechanism, direction, rule));
  // Lemma T1: the integrals along the two edges divided by exp(2 pi d/h) - 1.
  result.widen(2 * mean_loss_on_edge(mechanism, rule.strip) / expm1(2 * Ball::pi() * rule.strip / rule.step));
  result.widen(mean_loss_outside(mechanism, windows, rule.step));
  return result;
}

Ball max_loss(const SampledGaussian& mechanism, Direction direction) {
  // r = (1-q) + q exp(u) takes values from 1-q to infinity.
  if (direction == Direction::remove) return Ball::infinity();
  return -log1p(-Ball(mechanism.sampling_rate));
}

// Computes D_1 by integration over windows, and bounds for the parts outside them.
Ball integral_mean_loss(const SampledGaussian& mechanism, Direction direction, Effort effort) {
  const MeanLossWindows windows = mean_loss_windows(mechanism, direction, effort.window);
  const bool remove = direction == Direction::remove;
  const Integrand integrand{.mechanism = mechanism, .exponent = remove ? 1 : 0, .times_log = true};
  const std::vector<Ball> centres(windows.centres.begin(), windows.centres.end());
  Ball sum = integral_over_windows(integrand, centres, windows.half_width, 1);
  if (!remove) sum = -sum;
  return sum.widen(mean_loss_outside(mechanism, windows, 0));
}

}  // namespace renyi::certify
