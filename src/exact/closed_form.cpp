// Which plans have a closed form (Gaussians alone, one step, binary responses of one kind), and epsilon from it.
#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <limits>

#include "exact/closed_form/profile.h"
#include "exact/engine.h"
#include "exact/memory.h"
#include "mechanism/bounded_range.h"
#include "mechanism/curve.h"
#include "numerics/rounding.h"
#include "renyi/account.h"

namespace renyi::exact {

namespace closed_form_file {
namespace {

// One Laplace step, e = sensitivity/scale: delta = 1 - exp((epsilon - e)/2) below e.
Profile laplace_profile(const Laplace& mechanism) {
  const Enclosure e = around(static_cast<long double>(mechanism.l1_sensitivity) / mechanism.scale, 1);
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
Profile bounded_range_profile(const mechanism::BoundedRangePair& pair) {
  const long double e = pair.epsilon();
  return [e](double epsilon) {
    if (!(e > epsilon)) return to_ends(exactly_nothing);
    const long double fall = std::expm1((epsilon - e) / 2);
    return to_ends(around(fall * fall / -std::expm1(-e), 12));
  };
}

// The hockey-stick divergence itself.
Profile discrete_profile(std::shared_ptr<const mechanism::AtomicCurve> pair, Direction direction) {
  return [pair = std::move(pair), direction](double epsilon) {
    const Bounded delta = pair->hockey_stick(epsilon, direction);
    return Ends{delta.lower(), std::min(1.0, delta.upper())};
  };
}

// Steps that reveal something.
std::vector<CountedMechanism> revealing(const std::vector<CountedMechanism>& steps) {
  std::vector<CountedMechanism> result;
  std::copy_if(steps.begin(), steps.end(), std::back_inserter(result),
               [](const CountedMechanism& step) { return step.mechanism.curve()->worst_max_loss().upper() > 0; });
  return result;
}

std::optional<Profile> one_step_profile(const Mechanism& mechanism, Direction direction) {
  if (const auto* m = mechanism.get_if<SampledGaussian>()) return sampled_gaussian_profile(*m, direction);
  if (const auto* m = mechanism.get_if<Laplace>()) return laplace_profile(*m);
  if (const auto* m = mechanism.get_if<RandomizedResponse>()) return response_profile(response_of(*m));
  if (const auto* m = mechanism.get_if<PureDp>()) return response_profile(response_of(*m));
  if (const auto pair = mechanism::bounded_range_pair_of(mechanism)) return bounded_range_profile(*pair);
  if (auto pairs = sampling::pairs_curve_of(mechanism)) return pairs_profile(std::move(pairs), direction);
  const auto atoms = mechanism::atomic_curve_of(mechanism);
  if (atoms && atoms->is_listed()) return discrete_profile(atoms, direction);
  return std::nullopt;
}

std::optional<Profile> repeated_profile(const CountedMechanism& step) {
  if (step.count > most_runs) return std::nullopt;
  if (const auto* m = step.mechanism.get_if<PureDp>()) {
    return repeated_response_profile(response_of(*m).loss, step.count);
  }
  const auto* m = step.mechanism.get_if<RandomizedResponse>();
  if (m == nullptr || m->categories != 2) return std::nullopt;
  return repeated_response_profile(response_of(*m).loss, step.count);
}

constexpr double infinity = std::numeric_limits<double>::infinity();
// Stands for the logarithm of 0: below that of any quotient of doubles.
constexpr double log_of_nothing = -2000;

// ln(value/delta), of the right sign also where the quotient rounds to 1.
double excess(double value, double delta) {
  if (value == delta) return 0;
  if (value == 0) return log_of_nothing;
  const double log = std::log(value / delta), least = std::numeric_limits<double>::min();
  return value > delta ? std::max(log, least) : std::min(log, -least);
}

// Neighbouring points around the sign change of a decreasing function on [0, high], where it is
// positive at 0 and not at `high`. Steps down from there grow until they cross it.
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

// Where the profile's upper end is at most delta, not far above `start` if possible.
double proved_above(const Profile& profile, double delta, double start) {
  double x = std::max(start, std::numeric_limits<double>::min());
  while (std::isfinite(x) && profile(x).upper > delta) x *= 2;
  return x;
}

}  // namespace
}  // namespace closed_form_file

std::optional<Profile> closed_form_profile(const std::vector<CountedMechanism>& steps, Direction direction) {
  const std::vector<CountedMechanism> live = closed_form_file::revealing(steps);
  if (live.empty()) return [](double) { return Ends{0, 0}; };
  if (auto gaussians = gaussian_profile(live)) return gaussians;
  if (live.size() != 1) return std::nullopt;
  return live[0].count == 1 ? closed_form_file::one_step_profile(live[0].mechanism, direction)
                            : closed_form_file::repeated_profile(live[0]);
}

Ends epsilon_of(const Profile& profile, double delta, double start) {
  const Ends at_zero = profile(0);
  if (at_zero.upper <= delta) return {0, 0};
  const auto upper_excess = [&](double x) { return closed_form_file::excess(profile(x).upper, delta); };
  const auto lower_excess = [&](double x) { return closed_form_file::excess(profile(x).lower, delta); };
  const double above = closed_form_file::proved_above(profile, delta, start);
  if (std::isinf(above)) return {0, closed_form_file::infinity};
  const double upper =
      closed_form_file::sign_change(upper_excess, closed_form_file::excess(at_zero.upper, delta), above, 0x1p-8 * above)
          .second;
  // The profile falls strictly until it is 0: where its lower end is still delta, epsilon is no smaller.
  if (at_zero.lower <= delta) return {0, upper};
  const double lower = closed_form_file::sign_change(lower_excess, closed_form_file::excess(at_zero.lower, delta),
                                                     upper, 0x1p-46 * upper)
                           .first;
  return {lower, upper};
}

Answer closed_form_delta(const Question& question, double epsilon) {
  const auto profile = question.memory.closed_form(question.steps, question.direction);
  if (!*profile) return std::nullopt;
  const Ends delta = (**profile)(epsilon);
  return ExactFigure{delta.lower, delta.upper, Engine::closed_form};
}

Answer closed_form_epsilon(const Question& question, double delta) {
  const auto profile = question.memory.closed_form(question.steps, question.direction);
  if (!*profile) return std::nullopt;
  const Ends epsilon = epsilon_of(**profile, delta, renyi_epsilon(question.curve, delta).epsilon);
  return ExactFigure{epsilon.lower, epsilon.upper, Engine::closed_form};
}

}  // namespace renyi::exact
