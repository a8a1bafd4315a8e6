// The privacy loss of a plan: its moments, and its tails, which are computed by closed forms, by the contour integral,
// from the slope of delta, or by Chernoff's bound.
#include "renyi/extras/privacy_loss.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

#include "exact/slope_tails.h"
#include "loss/contour.h"
#include "loss/saddle.h"
#include "mechanism/curve.h"
#include "mechanism/law.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/plan.h"

namespace renyi {

namespace privacy_loss_file {
namespace {

using loss::Poles;
using loss::Saddle;
using mechanism::SampledNormal;

constexpr double u = numerics::unit_roundoff;

// Sums and complements of probabilities, rounded outwards; 0 and 1 are kept exactly.

double one_minus_up(double p) { return p == 0 || p == 1 ? 1 - p : std::min(1.0, numerics::next_up(1 - p)); }
double one_minus_down(double p) { return p == 0 || p == 1 ? 1 - p : std::max(0.0, numerics::next_down(1 - p)); }

// The sum of the probabilities of two exclusive events.
double sum_up(double p, double q) { return p == 0 || q == 0 ? p + q : std::min(1.0, numerics::next_up(p + q)); }
double sum_down(double p, double q) {
  return p == 0 || q == 0 ? p + q : std::clamp(numerics::next_down(p + q), 0.0, 1.0);
}

TailProbability complement(const TailProbability& p) {
  return {{one_minus_down(p.upper), one_minus_up(p.lower)}, p.method};
}

// Tails of losses that need no integral (docs/math/privacy-loss.md, "Closed forms").

// Relative rounding is not enough where doubles are subnormal.
TailProbability widened(double lower, double upper) {
  return {{std::max(0.0, numerics::next_down(lower)), std::min(1.0, numerics::next_up(upper))},
          LossMethod::closed_form};
}

// Pr[N(0,1) > x].
double normal_above(double x) { return 0.5 * std::erfc(x / std::numbers::sqrt2); }

// The bounds on Pr[N(0,1) > x] when x is known to within `error`.
TailProbability normal_above(double x, double error) {
  const double relative = 8 * u;
  return widened(normal_above(x + error) * (1 - relative), normal_above(x - error) * (1 + relative));
}

TailProbability certain(bool happens) {
  const double p = happens ? 1 : 0;
  return {{p, p}, LossMethod::closed_form};
}

// weight p + (1 - weight) q
TailProbability mixture(double weight, const TailProbability& p, const TailProbability& q) {
  const double other = 1 - weight, relative = 4 * u;
  return widened((weight * p.lower + other * q.lower) * (1 - relative),
                 (weight * p.upper + other * q.upper) * (1 + relative));
}

// Gaussians: the loss is normal with mean rho and variance 2 rho.

struct Rho {
  double value = 0;
  double relative_error = 0;
};

std::optional<Rho> gaussian_rho(const std::vector<CountedMechanism>& steps) {
  double rho = 0;
  for (const CountedMechanism& step : steps) {
    const auto normal = mechanism::law_of<mechanism::NormalShift>(step.mechanism);
    if (!normal) return std::nullopt;
    rho += 0.5 * static_cast<double>(step.count) * normal->mu() * normal->mu();
  }
  return Rho{rho, (8 + static_cast<double>(steps.size())) * u};
}

// Pr[N(mean, 2 rho) > t] for mean = +-rho.
TailProbability gaussian_above(const Rho& rho, double mean, double t) {
  const double spread = std::sqrt(2 * rho.value), x = (t - mean) / spread;
  const double roundings = 4 * u + rho.relative_error;
  return normal_above(x, roundings * ((std::abs(t) + rho.value) / spread + std::abs(x)));
}

// One sampled Gaussian: the loss l(x) = ln(1 - q + q exp((2x-1)/(2 s^2))) rises with x.

constexpr double infinity = std::numeric_limits<double>::infinity();

// The x at which exp(loss) - (1-q) is `excess`; -inf where no loss is that small.
double place_of_excess(const SampledNormal& m, double excess) {
  if (!(excess > 0)) return -infinity;
  return 0.5 + m.noise_multiplier * m.noise_multiplier * (std::log(excess) - std::log(m.rate));
}

// The interval of the x at which the loss is t, up to rounding: exp(t) - (1-q) = expm1(t) + q loses digits where t is
// close to the smallest loss.
struct Place {
  double lower, upper;
};
Place place_of_loss(const SampledNormal& m, double t) {
  const double q = m.rate, s2 = m.noise_multiplier * m.noise_multiplier;
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

// Pr[N(mean, s^2) > x] for any x in its interval.
TailProbability normal_above(const Place& x, double mean, double s) {
  const auto from = [&](double at) { return std::isinf(at) ? at : (at - mean) / s; };
  const double low = from(x.lower), high = from(x.upper);
  return {{normal_above(high, 2 * u * std::abs(high)).lower, normal_above(low, 2 * u * std::abs(low)).upper},
          LossMethod::closed_form};
}

// Pr[l(x) >= t] under the neighbour with the record (remove) or without it (add).
TailProbability sampled_loss_above(const SampledNormal& m, bool with_record, double t) {
  const Place x = place_of_loss(m, t);
  if (std::isinf(x.upper)) return certain(true);
  const TailProbability without = normal_above(x, 0, m.noise_multiplier);
  if (!with_record) return without;
  return mixture(m.rate, normal_above(x, 1, m.noise_multiplier), without);
}

// One Laplace step: atoms at +-e, and between them L = e - 2t', t' with density exp(-t')/2.

// Pr[L >= t] for t within [-e, e], where e is known up to its rounding.
TailProbability laplace_above(const Bounded& e, double t) {
  const double below = 0.5 * std::exp(-0.5 * (e.value - t)), error = below * 8 * u * (1 + e.value + std::abs(t));
  const double least = t > e.lower() ? 0 : one_minus_down(std::min(below + error, 0.5));  // an atom may lie at t
  const double most = -t >= e.lower() ? 1 : one_minus_up(std::max(below - error, 0.0));
  return {{least, most}, LossMethod::closed_form};
}

// The probability that every step has its largest loss: the product of the atoms there, if each step has one.
std::optional<TailProbability> all_at_largest(const std::vector<CountedMechanism>& steps, Direction direction) {
  double log_mass = 0, size = 0;
  for (const CountedMechanism& step : steps) {
    const auto n = static_cast<double>(step.count);
    double log_one = -std::numbers::ln2;  // Laplace: the atom has probability 1/2
    const auto curve = step.mechanism.curve();
    if (!curve->law().is<mechanism::DoubleExponential>()) {
      const auto atoms = mechanism::atomic_curve_of(curve);
      if (!atoms || !atoms->is_listed() || !atoms->is_complete()) return std::nullopt;
      log_one = atoms->atoms(direction).back().p.log;
    }
    log_mass += n * log_one;
    size += n * (8 + std::abs(log_one));
  }
  const double mass = std::exp(log_mass), relative = 8 * u * (size + static_cast<double>(steps.size()));
  return widened(mass * (1 - relative), mass * (1 + relative));
}

// n runs of binary randomized response: L = (2X - n) e with X ~ Bin(n, high).

// Pr[X >= k] by the incomplete beta function.
double binomial_at_least(double n, double high, double low, double k) {
  if (k <= 0) return 1;
  if (k > n) return 0;
  // I_high(k, n-k+1), expressed by `low` where that is the smaller argument.
  return high < low ? boost::math::ibeta(k, n - k + 1, high) : boost::math::ibetac(n - k + 1, k, low);
}

TailProbability binary_response_above(double p, double n, double t) {
  const double high = std::max(p, 1 - p), low = std::min(p, 1 - p);
  const double e = std::log1p((high - low) / low);
  // Where rounding cannot decide whether an atom is reached, it counts for the upper bound and not for the lower bound.
  const double atom = 0.5 * (t / e + n), blur = 16 * u * (std::abs(t / e) + n);
  const double missed = std::ceil(atom + blur), reached = std::ceil(atom - blur);
  // The error of the incomplete beta function, and the rounding of the probability, which counts n times.
  const double relative = 1e-12 + 4 * u * n;
  const TailProbability within = widened(binomial_at_least(n, high, low, missed) * (1 - relative),
                                         binomial_at_least(n, high, low, reached) * (1 + relative));
  return {{missed <= 0 ? 1 : within.lower, reached > n ? 0 : within.upper}, LossMethod::closed_form};
}

// The incomplete beta function is only used up to this number of runs.
constexpr double most_runs = 1e9;

std::optional<TailProbability> one_kind_above(const CountedMechanism& step, Direction direction, double t) {
  const bool remove = direction == Direction::remove;
  const auto curve = step.mechanism.curve();
  const mechanism::Law law = curve->law();
  if (const auto* m = law.get_if<mechanism::CategoricalResponse>()) {
    const auto n = static_cast<double>(step.count);
    if (m->categories != 2 || m->truth_probability == 0.5 || n > most_runs) return std::nullopt;
    return binary_response_above(m->truth_probability, n, t);
  }
  if (step.count != 1) return std::nullopt;
  if (law.is<mechanism::DoubleExponential>()) return laplace_above(curve->max_loss(direction), t);
  if (const auto* m = law.get_if<SampledNormal>()) {
    // Direction add: L = -l(x), so L >= t where l(x) <= -t.
    return remove ? sampled_loss_above(*m, true, t) : complement(sampled_loss_above(*m, false, -t));
  }
  return std::nullopt;
}

// Pr[L >= t] of one loss, or std::nullopt where there is no closed form.
std::optional<TailProbability> closed_form_above(const std::vector<CountedMechanism>& steps, Direction direction,
                                                 double t) {
  if (steps.empty()) return certain(t <= 0);
  if (const auto rho = gaussian_rho(steps)) return gaussian_above(*rho, rho->value, t);
  return steps.size() == 1 ? one_kind_above(steps.front(), direction, t) : std::nullopt;
}

// Pr[L < -s], or std::nullopt where there is no closed form.
std::optional<TailProbability> closed_form_below(const std::vector<CountedMechanism>& steps, Direction direction,
                                                 double s) {
  if (steps.empty()) return certain(s < 0);
  // -L is normal with mean -rho.
  if (const auto rho = gaussian_rho(steps)) return gaussian_above(*rho, -rho->value, s);
  if (steps.size() == 1 && steps.front().count == 1 && direction == Direction::add) {
    const auto sampled = mechanism::law_of<SampledNormal>(steps.front().mechanism);
    if (sampled) return sampled_loss_above(*sampled, false, s);  // -L = l(x)
  }
  const auto above = closed_form_above(steps, direction, -s);
  return above ? std::optional(complement(*above)) : std::nullopt;
}

// Bounds on the tails of the loss from its curve alone (docs/math/privacy-loss.md, "Chernoff").

constexpr double rounding = 8 * numerics::unit_roundoff;

// Returns K(c) - c t, rounded up, or 0, which gives no bound, where it is positive or its computation failed.
double log_bound(const Saddle& at, double t) {
  const double value = at.k.value + at.k.error - at.c * t;
  const double rounded = value + rounding * (at.k.value + std::abs(at.c * t));
  return rounded < 0 ? rounded : 0;  // also for NaN
}

// ln Pr_P[L >= t] <= K(c) - c t for every c >= 0: returns the smallest of these bounds, or 0 if that is smaller.
double log_chernoff_above(const Curve& curve, Direction direction, double t) {
  // No loss exceeds the largest one.
  if (t > curve.max_loss(direction).upper()) return -std::numeric_limits<double>::infinity();
  return log_bound(loss::saddle_point(curve, direction, t, Poles{}), t);
}

// Bounds ln Pr_P[L <= -s]. With L' = -L the loss of the other direction, whose distribution is Q,
// Pr_P[L' >= s] = E_Q[exp(-L'); L' >= s] <= exp(-s) Pr_Q[L' >= s]. The result is at most 0.
double log_chernoff_below(const Curve& curve, Direction direction, double s) {
  const double above = log_chernoff_above(curve, opposite(direction), s);
  return std::min(0.0, above - s + rounding * std::abs(s));
}

// exp, rounded up.
double upper_exp(double log_value) {
  if (log_value >= 0) return 1;
  if (std::isinf(log_value)) return 0;
  return std::min(1.0, std::max(std::exp(log_value) * (1 + rounding), std::numeric_limits<double>::denorm_min()));
}

void check_finite(const char* field, double value, double least, const char* allowed) {
  if (std::isfinite(value) && value >= least) return;
  throw InvalidArgument(field, fmt::format("{}", value), allowed);
}

Unsupported may_be_infinite(const Curve& curve) {
  const double most =
      std::max(curve.infinite_mass(Direction::remove).upper(), curve.infinite_mass(Direction::add).upper());
  return {"steps", fmt::format("the loss is infinite with probability {:.6g}, so that it has no moments", most),
          "ask for delta, epsilon, a profile or a trade-off curve, which count such outcomes"};
}

// A dominating pair bounds the divergences of the steps, and determines nothing about the distribution of their loss.
Unsupported only_dominated() {
  return {"steps", "the law of the loss is not known: the steps are bounded by a pair of laws that dominates them",
          "ask for moments, which are bounds then"};
}

// Where no loss exceeds t, or all losses reach it, the distribution is not needed; returns std::nullopt where t is
// between.
std::optional<TailProbability> beyond_all(const Curve& curve, Direction direction, double t) {
  if (t > curve.max_loss(direction).upper()) return certain(false);
  if (-t >= curve.max_loss(opposite(direction)).upper()) return certain(true);
  return std::nullopt;
}

// For tails thinner than this Chernoff's bound is enough.
constexpr double negligible = 1e-300;

// Returns the intersection of two intervals, both of which contain the exact value.
TailProbability narrowed(const TailProbability& found, const TailProbability& chernoff) {
  const double upper = std::min(found.upper, chernoff.upper);
  return {{std::min(upper, std::max(found.lower, chernoff.lower)), upper}, found.method};
}

TailProbability by_contour(const Interval& interval) { return {{interval.lower, interval.upper}, LossMethod::contour}; }

// A plan without exact answers has no slopes either.
std::shared_ptr<const exact::SlopeTails> slopes_of(const std::vector<CountedMechanism>& steps,
                                                   const std::shared_ptr<const Curve>& curve) {
  try {
    return std::make_shared<const exact::SlopeTails>(steps, curve);
  } catch (const Unsupported&) {
    return nullptr;
  }
}

}  // namespace
}  // namespace privacy_loss_file

std::string_view to_string(LossMethod method) noexcept {
  switch (method) {
    case LossMethod::closed_form: return "closed-form";
    case LossMethod::contour: return "contour";
    case LossMethod::lattice: return "lattice";
    case LossMethod::chernoff: return "chernoff";
  }
  return "unknown";
}

PrivacyLoss::PrivacyLoss(const Analysis& analysis, Direction direction, bool by_slope)
    : steps_(analysis.steps()),
      curve_(analysis.curve()),
      direction_(direction),
      known_(curve_->knowledge() == Knowledge::loss && analysis.standing() == Standing::attained) {
  if (curve_->finite_part()) throw privacy_loss_file::may_be_infinite(*curve_);
  if (known_ && by_slope) slopes_ = privacy_loss_file::slopes_of(steps_, curve_);
}

Bounded PrivacyLoss::mean() const { return divergence(*curve_, 1, direction_); }

Cumulants PrivacyLoss::cumulants() const {
  if (!known_ && curve_->knowledge() == Knowledge::loss) throw privacy_loss_file::only_dominated();
  return curve_->cumulants(direction_);
}

std::optional<Interval> PrivacyLoss::skewness() const {
  const Cumulants c = cumulants();
  const double least = c.variance - c.variance_error, most = c.variance + c.variance_error;
  if (!(least > 0)) return std::nullopt;
  const double low = c.third - c.third_error, high = c.third + c.third_error;
  constexpr double up = 1 + 8 * numerics::unit_roundoff, down = 1 - 8 * numerics::unit_roundoff;
  // The power 3/2 of a variance below 1e-205 underflows: then two quotients are taken.
  const auto over = [](double third, double variance) {
    const double power = std::pow(variance, 1.5);
    return std::isnormal(power) ? third / power : third / variance / std::sqrt(variance);
  };
  const Interval ends{over(low, low < 0 ? least : most) * (low < 0 ? up : down),
                      over(high, high > 0 ? least : most) * (high > 0 ? up : down)};
  return std::isfinite(ends.lower) && std::isfinite(ends.upper) ? std::optional(ends) : std::nullopt;
}

Bounded PrivacyLoss::log_moment(double s) const {
  privacy_loss_file::check_finite("orders", s, 0, "a number of at least 0");
  const LogMoment k = curve_->log_moment(s, direction_);
  return {k.value, k.error};
}

TailProbability PrivacyLoss::at_least(double t) const {
  privacy_loss_file::check_finite("at_least", t, -std::numeric_limits<double>::max(), "a finite number");
  if (const auto beyond = privacy_loss_file::beyond_all(*curve_, direction_, t)) return *beyond;
  if (known()) {
    if (const auto exact = privacy_loss_file::closed_form_above(steps_, direction_, t)) return *exact;
    const Bounded largest = curve_->max_loss(direction_);
    if (largest.error == 0 && t == largest.value) {
      if (const auto top = privacy_loss_file::all_at_largest(steps_, direction_)) return *top;
    }
  }
  const TailProbability chernoff{
      {privacy_loss_file::one_minus_down(
           privacy_loss_file::upper_exp(privacy_loss_file::log_chernoff_below(*curve_, direction_, -t))),
       privacy_loss_file::upper_exp(privacy_loss_file::log_chernoff_above(*curve_, direction_, t))},
      LossMethod::chernoff};
  if (!known() || chernoff.upper < privacy_loss_file::negligible || chernoff.lower == 1 || mean().upper() == 0)
    return chernoff;
  const auto interval = loss::contour_integral(*curve_, direction_, t, loss::Kernel::tail);
  if (interval) return privacy_loss_file::narrowed(privacy_loss_file::by_contour(*interval), chernoff);
  const auto by_slope = slopes_ ? slopes_->at_least(t, direction_) : std::nullopt;
  return by_slope ? privacy_loss_file::narrowed(*by_slope, chernoff) : chernoff;
}

TailProbability PrivacyLoss::below(double s) const {
  if (s >= curve_->max_loss(opposite(direction_)).upper()) return privacy_loss_file::certain(false);
  if (known()) {
    if (const auto exact = privacy_loss_file::closed_form_below(steps_, direction_, s)) return *exact;
  }
  const Direction other = opposite(direction_);
  const TailProbability chernoff{
      {0, privacy_loss_file::upper_exp(privacy_loss_file::log_chernoff_below(*curve_, direction_, s))},
      LossMethod::chernoff};
  if (!known() || chernoff.upper < privacy_loss_file::negligible || mean().upper() == 0) return chernoff;
  // Pr_P[L < -s] = Pr_P[L' > s] with L' = -L the loss of the other direction, whose Q is our P. The integral is small
  // compared with its terms unless s exceeds the mean of L'; below that mean the complement of the upper tail is as
  // accurate.
  if (s < divergence(*curve_, 1, other).value) return privacy_loss_file::complement(at_least(-s));
  const auto interval = loss::contour_integral(*curve_, other, s, loss::Kernel::other_tail);
  if (!interval) {
    const auto by_slope = slopes_ ? slopes_->below(s, direction_) : std::nullopt;
    return by_slope ? privacy_loss_file::narrowed(*by_slope, chernoff) : chernoff;
  }
  const double scale = std::exp(-s), up = 1 + 4 * numerics::unit_roundoff;
  return privacy_loss_file::narrowed(
      privacy_loss_file::by_contour({interval->lower * scale / up, interval->upper * scale * up}), chernoff);
}

TailProbability PrivacyLoss::within(double epsilon) const {
  privacy_loss_file::check_finite("within", epsilon, 0, "a finite number of at least 0");
  // 1 - Pr[L > epsilon] - Pr[L < -epsilon]. An atom at epsilon lies inside, so the lower bound takes Pr[L >= ...] from
  // the next double up.
  const TailProbability above = at_least(numerics::next_up(epsilon)), beneath = below(epsilon);
  return {{privacy_loss_file::one_minus_down(privacy_loss_file::sum_up(above.upper, beneath.upper)),
           privacy_loss_file::one_minus_up(privacy_loss_file::sum_down(above.lower, beneath.lower))},
          std::max(above.method, beneath.method)};
}

}  // namespace renyi
