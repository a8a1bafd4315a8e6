// The bounds engine, which always has an answer. The upper bound is the Renyi bound. The lower bound is the largest
// delta of parts of the plan: dropping steps is post-processing, so no part has a larger delta than the whole plan.
// Where delta is close to 1, Chernoff's bound on 1 - delta is closer.
#include <algorithm>
#include <cmath>

#include "conversion/renyi_bound.h"
#include "exact/closed_form/profile.h"
#include "exact/engine.h"
#include "mechanism/law.h"
#include "numerics/rounding.h"
#include "renyi/rdp.h"

namespace renyi::exact {

namespace bounds_file {
namespace {

// Returns the profiles of the parts of the plan that have a closed form: all Gaussians together, the responses of one
// kind, and each step alone.
std::vector<Profile> part_profiles(const EngineQuestion& question) {
  std::vector<Profile> parts;
  const auto consider = [&](const std::vector<CountedMechanism>& part) {
    if (auto profile = closed_form_profile(part, question.direction)) parts.push_back(std::move(*profile));
  };
  std::vector<CountedMechanism> gaussians;
  for (const CountedMechanism& step : question.steps) {
    if (mechanism::law_of<mechanism::NormalShift>(step.mechanism)) {
      gaussians.push_back(step);
      continue;
    }
    const std::size_t before = parts.size();
    consider({{step.mechanism, std::min(step.count, most_runs)}});
    if (parts.size() == before) consider({{step.mechanism, 1}});
  }
  if (!gaussians.empty()) consider(gaussians);
  return parts;
}

// The values of a at which 1 - delta is bounded where delta is close to 1.
constexpr double shares[] = {0.5, 0.25, 0.125, 0.0625};

// The Renyi bound is that of the larger direction. Where it is not known which one that is, some orders of one
// direction alone may bound it better: delta <= exp(K(z) - z epsilon) (z/(z+1))^z/(z+1).
double one_sided_epsilon(const EngineQuestion& question, double delta, double upper) {
  if (question.curve.larger_direction() || question.curve.knowledge() == Knowledge::orders) return upper;
  constexpr double orders[] = {0.5, 1, 2, 4, 8, 16, 32};
  for (const double z : orders) {
    if (z > question.curve.last_order() - 1) break;
    const LogMoment k = question.curve.log_moment(z, question.direction);
    const double top = k.value + k.error, terms = z * std::log1p(1 / z) + std::log1p(z) + std::log(delta);
    const double bound = (top - terms + 16 * numerics::unit_roundoff * (top + std::abs(terms) + 1)) / z;
    if (bound < upper) upper = std::max(0.0, bound);  // false for NaN
  }
  return upper;
}

}  // namespace
}  // namespace bounds_file

EngineAnswer bounds_delta(const EngineQuestion& question, double epsilon) {
  double lower = 0;
  for (const Profile& part : bounds_file::part_profiles(question)) lower = std::max(lower, part(epsilon).lower);
  return ExactInterval{{lower, renyi_delta(question.curve, epsilon).upper}, Engine::bounds};
}

EngineAnswer bounds_epsilon(const EngineQuestion& question, double delta) {
  const double upper = bounds_file::one_sided_epsilon(question, delta, renyi_epsilon(question.curve, delta).upper);
  double lower = 0;
  for (const Profile& part : bounds_file::part_profiles(question)) {
    // Only a part whose delta is still too large at the best bound so far improves it.
    if (part(lower).lower > delta) lower = std::max(lower, epsilon_of(part, delta, upper).lower);
  }
  return ExactInterval{{lower, std::max(lower, upper)}, Engine::bounds};
}

// 1 - delta = E_P[min(1, exp(epsilon - L))] <= exp(a epsilon) E_P[exp(-a L)] for every a in [0, 1], and
// E_P[exp(-a L)] = E_Q[(P/Q)^(1-a)] (docs/math/exact-accounting.md, "Next to 1").
double delta_lower_bound(const Curve& curve, Direction direction, double epsilon) {
  if (curve.knowledge() != Knowledge::loss) return 0;
  double log_rest = 0;
  for (const double a : bounds_file::shares) {
    const Bounded c = curve.chernoff(1 - a, direction);
    const double rounding = 4 * numerics::unit_roundoff * (a * epsilon + c.value);
    const double bound = a * epsilon - c.lower() + rounding;
    if (bound < log_rest) log_rest = bound;  // false for NaN
  }
  if (log_rest == 0) return 0;
  return std::max(0.0, numerics::next_down(1 - std::exp(log_rest) * (1 + 8 * numerics::unit_roundoff)));
}

// This is the bound above solved for epsilon: a epsilon >= ln(1 - delta) - ln E_P[exp(-a L)].
double epsilon_lower_bound(const Curve& curve, Direction direction, double delta) {
  if (curve.knowledge() != Knowledge::loss) return 0;
  const double log_rest = std::log1p(-delta);
  double least = 0;
  for (const double a : bounds_file::shares) {
    const Bounded c = curve.chernoff(1 - a, direction);
    const double rounding = 8 * numerics::unit_roundoff * (c.value - log_rest);
    const double bound = (c.lower() + log_rest - rounding) / a;
    if (bound > least) least = bound;  // false for NaN
  }
  return least;
}

}  // namespace renyi::exact
