// Decides which plans have a closed form (Gaussians alone, one step, binary responses of one kind), and computes
// epsilon from it.
#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <variant>

#include "conversion/renyi_bound.h"
#include "exact/closed_form/profile.h"
#include "exact/engine.h"
#include "exact/profile_cache.h"
#include "mechanism/curve.h"
#include "mechanism/law.h"
#include "numerics/rounding.h"
#include "renyi/rdp.h"

namespace renyi::exact {

namespace closed_form_file {
namespace {

// One Laplace step, e = shift/scale: delta = 1 - exp((epsilon - e)/2) below e.
Profile profile_of(const mechanism::DoubleExponential& law) {
  const Enclosure e = around(static_cast<long double>(law.shift) / law.scale, 1);
  return [e](double epsilon) {
    if (!(e.upper > epsilon)) return to_ends(exactly_nothing);
    const auto delta = [&](long double loss, long double rounding) {
      const long double gap = loss - epsilon;
      return gap > 0 ? -std::expm1(-gap / 2) * (1 + rounding) : 0;
    };
    return to_ends({delta(e.lower, -4 * extended_roundoff), delta(e.upper, 4 * extended_roundoff)});
  };
}

// One step of bounded range e: delta = (exp(e/2) - exp(epsilon/2))^2 / (exp(e) - 1) below e (docs/math/selection.md).
Profile profile_of(const mechanism::ExponentialOnInterval& law) {
  const long double e = law.epsilon;
  return [e](double epsilon) {
    if (!(e > epsilon)) return to_ends(exactly_nothing);
    const long double fall = std::expm1((epsilon - e) / 2);
    return to_ends(around(fall * fall / -std::expm1(-e), 12));
  };
}

// The profile is the hockey-stick divergence of the discrete pair itself.
Profile discrete_profile(std::shared_ptr<const mechanism::AtomicCurve> pair, Direction direction) {
  return [pair = std::move(pair), direction](double epsilon) {
    const Bounded delta = pair->hockey_stick(epsilon, direction);
    return Interval{delta.lower(), std::min(1.0, delta.upper())};
  };
}

// The profile of one step, chosen by the type of its distribution; there is none for a distribution without a closed
// form. The distributions live as long as the curve.
class OneStep {
 public:
  OneStep(std::shared_ptr<const Curve> curve, Direction direction) : curve_(std::move(curve)), direction_(direction) {}

  std::optional<Profile> operator()(const mechanism::SampledNormal& law) const {
    return sampled_gaussian_profile(law, direction_);
  }
  std::optional<Profile> operator()(const mechanism::DoubleExponential& law) const { return profile_of(law); }
  std::optional<Profile> operator()(const mechanism::ExponentialOnInterval& law) const { return profile_of(law); }
  std::optional<Profile> operator()(const mechanism::CategoricalResponse& law) const {
    return response_profile(response_of(law));
  }
  std::optional<Profile> operator()(const mechanism::TwoLosses& law) const {
    return response_profile(response_of(law));
  }
  std::optional<Profile> operator()(const mechanism::RevealedPairs& law) const {
    return pairs_profile({curve_, law.curve}, direction_);
  }
  std::optional<Profile> operator()(const mechanism::AtomicLoss& law) const {
    if (!law.curve->is_listed()) return std::nullopt;
    return discrete_profile({curve_, law.curve}, direction_);
  }
  template <class Other>
  std::optional<Profile> operator()(const Other&) const {
    return std::nullopt;
  }

 private:
  std::shared_ptr<const Curve> curve_;
  Direction direction_;
};

std::optional<Profile> repeated_profile(const CountedLaw& step) {
  if (step.count > most_runs || !mechanism::is_binary(step.law)) return std::nullopt;
  const auto* two = step.law.get_if<mechanism::TwoLosses>();
  const Response response =
      two != nullptr ? response_of(*two) : response_of(*step.law.get_if<mechanism::CategoricalResponse>());
  return repeated_response_profile(response.loss, step.count);
}

constexpr double infinity = std::numeric_limits<double>::infinity();
// Represents the logarithm of 0: it is below the logarithm of any quotient of doubles.
constexpr double log_of_nothing = -2000;

// Returns ln(value/delta), with the right sign also where the quotient rounds to 1, and finite where it overflows.
double excess(double value, double delta) {
  if (value == delta) return 0;
  if (value == 0) return log_of_nothing;
  const double quotient = value / delta;
  const double log = std::isnormal(quotient) ? std::log(quotient) : std::log(value) - std::log(delta);
  const double least = std::numeric_limits<double>::min();
  return value > delta ? std::max(log, least) : std::min(log, -least);
}

// Returns neighbouring points around the sign change of a decreasing function on [0, high], where it is positive at 0
// and not at `high`. The search steps down from `high`, by steps that grow until they cross the sign change.
template <class F>
std::pair<double, double> sign_change(const F& f, double at_zero, double high, double step) {
  double at_high = f(high), low = 0, at_low = at_zero;
  for (; at_high < 0 && step < high; step *= 8) {
    const double x = high - step, at_x = f(x);
    if (at_x > 0) {
      low = x;
      at_low = at_x;
      break;
    }
    high = x;
    at_high = at_x;
  }
  if (!(at_high < 0)) return {high, high};
  std::uintmax_t evaluations = 200;
  const auto near = [](double a, double b) { return b - a <= 4 * numerics::unit_roundoff * std::abs(b); };
  return boost::math::tools::toms748_solve(f, low, high, at_low, at_high, near, evaluations);
}

// Returns a point where the profile's upper bound is at most delta, not far above `start` if possible.
double proved_above(const Profile& profile, double delta, double start) {
  double x = std::max(start, std::numeric_limits<double>::min());
  while (std::isfinite(x) && profile(x).upper > delta) x *= 2;
  return x;
}

}  // namespace
}  // namespace closed_form_file

std::optional<Profile> closed_form_profile(const std::vector<CountedMechanism>& steps, Direction direction) {
  std::vector<CountedLaw> live;  // steps that reveal something
  std::shared_ptr<const Curve> last;
  for (const CountedMechanism& step : steps) {
    auto curve = step.mechanism.curve();
    if (!(curve->worst_max_loss().upper() > 0)) continue;
    live.push_back({curve->law(), step.count});
    last = std::move(curve);
  }
  if (live.empty()) return [](double) { return Interval{0, 0}; };
  if (auto gaussians = gaussian_profile(live)) return gaussians;
  if (live.size() != 1) return std::nullopt;
  return live[0].count == 1 ? std::visit(closed_form_file::OneStep(std::move(last), direction), live[0].law)
                            : closed_form_file::repeated_profile(live[0]);
}

Interval epsilon_of(const Profile& profile, double delta, double start) {
  const Interval at_zero = profile(0);
  if (at_zero.upper <= delta) return {0, 0};
  const auto upper_excess = [&](double x) { return closed_form_file::excess(profile(x).upper, delta); };
  const auto lower_excess = [&](double x) { return closed_form_file::excess(profile(x).lower, delta); };
  const double above = closed_form_file::proved_above(profile, delta, start);
  if (std::isinf(above)) return {0, closed_form_file::infinity};
  const double upper =
      closed_form_file::sign_change(upper_excess, closed_form_file::excess(at_zero.upper, delta), above, 0x1p-8 * above)
          .second;
  // The profile falls strictly until it is 0, so where its lower bound is still delta, epsilon is no smaller.
  if (at_zero.lower <= delta) return {0, upper};
  const double lower = closed_form_file::sign_change(lower_excess, closed_form_file::excess(at_zero.lower, delta),
                                                     upper, 0x1p-46 * upper)
                           .first;
  return {lower, upper};
}

EngineAnswer closed_form_delta(const EngineQuestion& question, double epsilon) {
  const auto profile = question.memory.closed_form(question.steps, question.direction);
  if (!*profile) return std::nullopt;
  const Interval delta = (**profile)(epsilon);
  return ExactInterval{{delta.lower, delta.upper}, Engine::closed_form};
}

EngineAnswer closed_form_epsilon(const EngineQuestion& question, double delta) {
  const auto profile = question.memory.closed_form(question.steps, question.direction);
  if (!*profile) return std::nullopt;
  const Interval epsilon = epsilon_of(**profile, delta, renyi_epsilon(question.curve, delta).upper);
  return ExactInterval{{epsilon.lower, epsilon.upper}, Engine::closed_form};
}

}  // namespace renyi::exact
