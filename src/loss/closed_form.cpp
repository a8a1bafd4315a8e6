#include "loss/closed_form.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "loss/probability.h"
#include "numerics/rounding.h"

namespace renyi::loss {

namespace {

constexpr double u = numerics::unit_roundoff;

// Where doubles thin out near 0, relative rounding is not enough.
Probability widened(double lower, double upper) {
  return {std::max(0.0, numerics::next_down(lower)), std::min(1.0, numerics::next_up(upper)), LossMethod::closed_form};
}

// Pr[N(0,1) > x].
double normal_above(double x) { return 0.5 * std::erfc(x / std::numbers::sqrt2); }

// Its ends when x is known to within `error`.
Probability normal_above(double x, double error) {
  const double relative = 8 * u;
  return widened(normal_above(x + error) * (1 - relative), normal_above(x - error) * (1 + relative));
}

Probability certain(bool happens) {
  const double p = happens ? 1 : 0;
  return {p, p, LossMethod::closed_form};
}

// weight p + (1 - weight) q
Probability mixture(double weight, const Probability& p, const Probability& q) {
  const double other = 1 - weight, relative = 4 * u;
  return widened((weight * p.lower + other * q.lower) * (1 - relative),
                 (weight * p.upper + other * q.upper) * (1 + relative));
}

// ---- Gaussians: the loss is normal with mean rho and variance 2 rho.

struct Rho {
  double value = 0;
  double relative_error = 0;
};

std::optional<Rho> gaussian_rho(const std::vector<CountedMechanism>& steps) {
  double rho = 0;
  for (const CountedMechanism& step : steps) {
    if (const auto* g = step.mechanism.get_if<Gaussian>()) {
      const double ratio = g->l2_sensitivity / g->stddev;
      rho += 0.5 * static_cast<double>(step.count) * ratio * ratio;
    } else {
      return std::nullopt;
    }
  }
  return Rho{rho, (8 + static_cast<double>(steps.size())) * u};
}

// Pr[N(mean, 2 rho) > t] for mean = +-rho.
Probability gaussian_above(const Rho& rho, double mean, double t) {
  const double spread = std::sqrt(2 * rho.value), x = (t - mean) / spread;
  const double roundings = 4 * u + rho.relative_error;
  return normal_above(x, roundings * ((std::abs(t) + rho.value) / spread + std::abs(x)));
}

// ---- One sampled Gaussian: the loss l(x) = ln(1 - q + q exp((2x-1)/(2 s^2))) rises with x.

constexpr double infinity = std::numeric_limits<double>::infinity();

// The x where exp(loss) - (1-q) is `excess`; -inf where no loss is so small.
double place_of_excess(const SampledGaussian& m, double excess) {
  if (!(excess > 0)) return -infinity;
  return 0.5 + m.noise_multiplier * m.noise_multiplier * (std::log(excess) - std::log(m.sampling_rate));
}

// Where the loss is t, as the ends of what rounding leaves: exp(t) - (1-q) = expm1(t) + q loses
// digits where no loss is much smaller.
struct Place {
  double lower, upper;
};
Place place_of_loss(const SampledGaussian& m, double t) {
  const double q = m.sampling_rate, s2 = m.noise_multiplier * m.noise_multiplier;
  Place x{};
  if (t > 30) {
    x.lower = x.upper = 0.5 + s2 * (t + std::log1p(-(1 - q) * std::exp(-t)) - std::log(q));
  } else {
    const double grown = std::expm1(t), error = 4 * u * (std::abs(grown) + q);
    x = {place_of_excess(m, grown + q - error), place_of_excess(m, grown + q + error)};
  }
  const auto rounding = [&](double at) { return 8 * u * (std::abs(at) + 1 + s2 * (1 + std::abs(t) - std::log(q))); };
  if (std::isfinite(x.lower)) x.lower -= rounding(x.lower);
  if (std::isfinite(x.upper)) x.upper += rounding(x.upper);
  return x;
}

// Pr[N(mean, s^2) > x] for x anywhere in its ends.
Probability normal_above(const Place& x, double mean, double s) {
  const auto from = [&](double at) { return std::isinf(at) ? at : (at - mean) / s; };
  const double low = from(x.lower), high = from(x.upper);
  return {normal_above(high, 2 * u * std::abs(high)).lower, normal_above(low, 2 * u * std::abs(low)).upper,
          LossMethod::closed_form};
}

// Pr[l(x) >= t] under the neighbour with the record (remove) or without it (add).
Probability sampled_loss_above(const SampledGaussian& m, bool with_record, double t) {
  const Place x = place_of_loss(m, t);
  if (std::isinf(x.upper)) return certain(true);
  const Probability without = normal_above(x, 0, m.noise_multiplier);
  if (!with_record) return without;
  return mixture(m.sampling_rate, normal_above(x, 1, m.noise_multiplier), without);
}

// ---- One Laplace step: atoms at +-e, and between them L = e - 2t', t' with density exp(-t')/2.

Probability laplace_above(double e, double t) {
  if (t > e * (1 + 4 * u)) return certain(false);
  if (t <= -e * (1 + 4 * u)) return certain(true);
  const double below = 0.5 * std::exp(-0.5 * (e - t)), error = below * 8 * u * (1 + e + std::abs(t));
  const double least = t > e * (1 - 4 * u) ? 0 : one_minus_down(below + error);  // at the atom itself
  const double most = t <= -e * (1 - 4 * u) ? 1 : one_minus_up(below - error);
  return {least, most, LossMethod::closed_form};
}

// ---- n runs of binary randomized response: L = (2X - n) e with X ~ Bin(n, high).

// Pr[X >= k] by the incomplete beta function.
double binomial_at_least(double n, double high, double low, double k) {
  if (k <= 0) return 1;
  if (k > n) return 0;
  // I_high(k, n-k+1); written by `low` where that is the smaller argument.
  return high < low ? boost::math::ibeta(k, n - k + 1, high) : boost::math::ibetac(n - k + 1, k, low);
}

Probability binary_response_above(double p, double n, double t) {
  const double high = std::max(p, 1 - p), low = std::min(p, 1 - p);
  const double e = std::log1p((high - low) / low);
  // An atom counts as reached for the upper end and as missed for the lower one where
  // rounding cannot tell.
  const double atom = 0.5 * (t / e + n), blur = 16 * u * (std::abs(t / e) + n);
  const double missed = std::ceil(atom + blur), reached = std::ceil(atom - blur);
  // What the incomplete beta function leaves, and the rounding of the probability, which counts n times.
  const double relative = 1e-12 + 4 * u * n;
  const Probability within = widened(binomial_at_least(n, high, low, missed) * (1 - relative),
                                     binomial_at_least(n, high, low, reached) * (1 + relative));
  return {missed <= 0 ? 1 : within.lower, reached > n ? 0 : within.upper, LossMethod::closed_form};
}

// The incomplete beta function is trusted up to here.
constexpr double most_runs = 1e9;

std::optional<Probability> one_kind_above(const CountedMechanism& step, Direction direction, double t) {
  const bool remove = direction == Direction::remove;
  if (const auto* m = step.mechanism.get_if<RandomizedResponse>()) {
    const auto n = static_cast<double>(step.count);
    if (m->categories != 2 || m->truth_probability == 0.5 || n > most_runs) return std::nullopt;
    return binary_response_above(m->truth_probability, n, t);
  }
  if (step.count != 1) return std::nullopt;
  if (const auto* m = step.mechanism.get_if<Laplace>()) return laplace_above(m->l1_sensitivity / m->scale, t);
  if (const auto* m = step.mechanism.get_if<SampledGaussian>(); m && m->sampling_rate > 0 && m->sampling_rate < 1) {
    // Direction add: L = -l(x), so L >= t where l(x) <= -t.
    return remove ? sampled_loss_above(*m, true, t) : complement(sampled_loss_above(*m, false, -t));
  }
  return std::nullopt;
}

}  // namespace

std::optional<Probability> closed_form_above(const std::vector<CountedMechanism>& steps, Direction direction,
                                             double t) {
  if (steps.empty()) return certain(t <= 0);
  if (const auto rho = gaussian_rho(steps)) return gaussian_above(*rho, rho->value, t);
  return steps.size() == 1 ? one_kind_above(steps.front(), direction, t) : std::nullopt;
}

std::optional<Probability> closed_form_below(const std::vector<CountedMechanism>& steps, Direction direction,
                                             double s) {
  if (steps.empty()) return certain(s < 0);
  // The mirror image, -L with mean -rho.
  if (const auto rho = gaussian_rho(steps)) return gaussian_above(*rho, -rho->value, s);
  const auto* m =
      steps.size() == 1 && steps.front().count == 1 ? steps.front().mechanism.get_if<SampledGaussian>() : nullptr;
  if (m && m->sampling_rate > 0 && m->sampling_rate < 1 && direction == Direction::add) {
    return sampled_loss_above(*m, false, s);  // -L = l(x)
  }
  const auto above = closed_form_above(steps, direction, -s);
  return above ? std::optional(complement(*above)) : std::nullopt;
}

}  // namespace renyi::loss
