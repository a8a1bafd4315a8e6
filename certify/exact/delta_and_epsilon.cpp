// Certified exact delta and epsilon of a plan: chooses the method, and states its results with margins.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "certify/exact/contour.h"
#include "certify/exact/law.h"
#include "certify/log_moment.h"
#include "certify/mechanism/closed_form.h"
#include "certify/mechanism/proof.h"
#include "certify/random_allocation/moment.h"
#include "certify/text.h"
#include "renyi/error.h"

namespace renyi {
namespace certify {
namespace delta_and_epsilon_file {
namespace {

// The chosen method for a plan, and how much its results are widened when they are stated, so that a verifier's
// enclosure fits inside.
struct Chosen {
  std::unique_ptr<Law> law;
  double retry = HUGE_VAL;  // a larger relative radius requires another operating point
  double slack = 0;         // added to either side, relative to delta
  double share = 0;         // added to either side, relative to the width
  double ulps = 0;          // added to either side of an epsilon
};

constexpr long stated_bits = 80;
// An enclosure with a larger radius is hardly better than Chernoff's bound.
constexpr double useful_radius = 0.5;

bool has_known_law(const Mechanism& mechanism) {
  return gaussian_rate(mechanism) || two_sided(mechanism) || mechanism.get_if<Laplace>().has_value() ||
         mechanism.get_if<SampledGaussian>().has_value() || allocated_gaussian(mechanism);
}

// The following results are stated with a margin for a verifier, whose enclosure has another midpoint and another
// radius.
Chosen closed_form(const Steps& steps, Direction direction, Route route) {
  return {.law = closed_form_law(steps, direction, route), .slack = 3e-13, .share = 1};
}
Chosen contour(double work, const Steps& steps, Direction direction, const OperatingPoint& operating_point, Route route,
               double tolerance) {
  return {.law = contour_law_within(work, steps, direction, operating_point, tolerance, route),
          .retry = tolerance,
          .slack = 1e-10,
          .share = 1};
}
Chosen lattice(const Steps& steps, Direction direction, const OperatingPoint& operating_point, Route route) {
  return {.law = lattice_law(steps, direction, operating_point, 1e-4, route), .share = 0.5};
}

// Gaussian steps have both a closed form and a line on which the integrand falls fast: two routes that are equally
// precise.
bool is_gaussian(const Steps& steps) {
  return std::all_of(steps.begin(), steps.end(), [](const auto& step) { return gaussian_rate(step.mechanism); });
}

Chosen first_that_serves(const Steps& steps, Direction direction, const OperatingPoint& operating_point, Route route) {
  // A verifier's line is longer: wherever the contour works for the first route, it must work for the verifier too.
  const bool verifies = route == Route::second;
  const double work = verifies ? 5 * usual_work : usual_work;
  const auto line = [&](double tolerance, double patience) {
    return contour(patience * work, steps, direction, operating_point, route, tolerance);
  };
  if (verifies && is_gaussian(steps)) {
    if (Chosen found = line(1e-14, 1); found.law) return found;
  }
  if (Chosen found = closed_form(steps, direction, route); found.law) return found;
  if (verifies) {
    if (Chosen found = line(1e-13, 1); found.law) return found;
  }
  if (Chosen found = line(1e-11, 1); found.law) return found;
  Chosen grid = lattice(steps, direction, operating_point, route);
  if (grid.law && grid.law->delta(operating_point.epsilon).relative_radius() < useful_radius) return grid;
  if (Chosen found = line(1e-11, 3); found.law) return found;
  Chosen bound{.law = chernoff_law(steps, direction, operating_point), .slack = 1e-10};
  const auto upper = [&](const Chosen& chosen) { return chosen.law->delta(operating_point.epsilon).upper(); };
  return grid.law && surely_less(upper(grid), upper(bound)) ? std::move(grid) : std::move(bound);
}

// States the two endpoints directly: a ball in between would round them once more, and 0 would not stay 0.
Enclosure stated_between(const Ball& low, const Ball& high) {
  return {enclosure_of(low, stated_bits).lower, enclosure_of(high, stated_bits).upper};
}

// Returns the plan's steps without those that cost nothing. Throws Unsupported if the distribution of a loss is not
// known.
Steps known_steps(const Plan& plan) {
  Steps steps;
  const Precision enough(128);
  for (CountedMechanism& step : steps_to_certify(plan)) {
    if (is_trivial(step.mechanism)) continue;
    if (step.mechanism.identity() != nullptr) {
      throw no_certified_method(step.mechanism);
    }
    if (proof_of(step.mechanism) != nullptr) {
      const std::string why = "no law of the loss of '" + std::string(step.mechanism.summary()) + "' is certified yet";
      throw Unsupported("steps", why, "ask for the Renyi bound");
    }
    if (!has_known_law(step.mechanism)) {
      throw Unsupported("steps", "a step enters by bounds on its divergences only, not by the law of its loss",
                        "ask for the Renyi bound");
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

// Returns the largest loss, which may be infinite.
Ball largest_composed_loss(const Steps& steps, Direction direction) {
  Ball total(0);
  for (const CountedMechanism& step : steps) {
    if (const auto sampled = step.mechanism.get_if<SampledGaussian>()) {
      if (direction == Direction::remove || sampled->sampling_rate == 1) return Ball::infinity();
      total -= Ball(step.count) * log1p(-Ball(sampled->sampling_rate));
    } else if (const auto laplace = step.mechanism.get_if<Laplace>()) {
      // In this order it is exact whenever the result is a short number: ten steps of scale 10 have a largest loss of
      // 1.
      total += Ball(step.count) * laplace->l1_sensitivity / laplace->scale;
    } else if (const auto law = two_sided(step.mechanism)) {
      total += Ball(step.count) * law->loss;
    } else {
      return Ball::infinity();
    }
  }
  return total;
}

// Some method always applies: the last one is Chernoff's bound, with 0 as the lower bound.
Chosen choose_law(const Steps& steps, Direction direction, const OperatingPoint& operating_point, Route route) {
  Chosen chosen = first_that_serves(steps, direction, operating_point, route);
  chosen.ulps = 16;
  if (route == Route::second) chosen.slack = chosen.share = chosen.ulps = 0;
  return chosen;
}

// The exact epsilon lies between two epsilons at which certified deltas lie on either side of the requested delta.

// Estimates the epsilon at which delta is the requested one, and -d ln(delta)/d epsilon there. It starts a proof and is
// not a bound.
struct Root {
  double epsilon = 0;
  double slope = 1;
};

// The proven interval: delta(low) > delta unless low is 0, and delta(high) < delta unless high is `largest`, a bound of
// the loss. The search starts at a distance of `step` from the root.
struct Interval {
  double low = 0;
  double high = 0;
};
constexpr int most_steps = 80, most_doublings = 52;

// Estimates ln delta(x) minus the wanted value.
double excess(const Law& law, double x, double wanted) {
  const Ball delta = law.delta(x).middle();
  return surely_less(0, delta) ? log(delta).about() - wanted : -HUGE_VAL;
}

// Applies the secant method to ln delta, inside an interval that is known to contain the root.
Root find_root(const Law& law, double delta, const OperatingPoint& operating_point) {
  const double wanted = std::log(delta);
  double low = 0;
  double high = HUGE_VAL;
  double slope = -operating_point.saddle;
  double x = std::max(0.0, operating_point.epsilon);
  double before = x;
  double at_before = 0;
  for (int i = 0; i < most_steps; ++i) {
    const double at = excess(law, x, wanted);
    (at > 0 ? low : high) = x;
    if (i > 0 && x != before) slope = (at - at_before) / (x - before);
    if (!(slope < 0 && std::isfinite(slope))) slope = -operating_point.saddle;
    before = x;
    at_before = at;
    x -= at / slope;
    if (!(x >= low && x <= high)) x = std::isfinite(high) ? (low + high) / 2 : 2 * low + 1 / operating_point.saddle;
    if (std::abs(x - before) <= 1e-15 * x) break;
  }
  return {x, -slope};
}

// Lemma K11: delta decreases as epsilon increases.
Interval proven_interval(const Law& law, double delta, double root, double step, double largest) {
  Interval proven{0, largest};
  double down = step;
  for (int i = 0; i < most_doublings && root - down > 0; ++i, down *= 2) {
    if (!surely_less(delta, law.delta(root - down))) continue;
    proven.low = root - down;
    break;
  }
  double up = step;
  for (int i = 0; i < most_doublings && root + up < largest; ++i, up *= 2) {
    if (!surely_less(law.delta(root + up), delta)) continue;
    proven.high = root + up;
    break;
  }
  if (std::isinf(proven.high)) throw NotConverged("certified epsilon: no upper end can be proven");
  return proven;
}

constexpr int most_attempts = 3;

double log_about(const Ball& x) { return log(x).about(); }

// Chooses a method and evaluates it at epsilon. If delta is far from what the operating point assumed, the choice is
// repeated for the delta that was computed.
std::pair<Chosen, Ball> ask_delta(const Steps& steps, Direction direction, double epsilon, Route route) {
  OperatingPoint operating_point = place_of_epsilon(steps, direction, epsilon);
  for (int attempt = 1;; ++attempt) {
    Chosen chosen = choose_law(steps, direction, operating_point, route);
    const Ball delta = chosen.law->delta(epsilon);
    if (attempt == most_attempts || delta.relative_radius() <= chosen.retry) return {std::move(chosen), delta};
    const double seen = log_about(surely_less(0, delta) ? delta.lower() : delta.upper());
    operating_point.log_delta = std::min(seen, operating_point.log_delta) - (surely_less(0, delta) ? 0 : 5);
  }
}

Enclosure stated(const Chosen& chosen, const Ball& delta) {
  const Ball width = delta.upper() - delta.lower();
  Ball wider = delta;
  wider.widen(chosen.share * width + chosen.slack * delta.upper());
  return stated_between(max(wider.lower(), Ball(0)), min(wider.upper(), Ball(1)));
}

Enclosure zero() { return {}; }

// The endpoints are doubles, which cannot be closer to the root than this.
constexpr double resolution = 4e-16;

// Chooses a method that is precise where delta is the requested one. The choice is repeated if the root is elsewhere.
std::pair<Chosen, Root> ask_epsilon(const Steps& steps, Direction direction, double delta, Route route) {
  OperatingPoint operating_point = place_of_delta(steps, direction, delta);
  for (int attempt = 1;; ++attempt) {
    operating_point.log_delta = std::min(operating_point.log_delta, std::log(delta));
    Chosen chosen = choose_law(steps, direction, operating_point, route);
    const Root root = find_root(*chosen.law, delta, operating_point);
    const double radius = chosen.law->delta(root.epsilon).relative_radius();
    if (attempt == most_attempts || radius <= chosen.retry) return {std::move(chosen), root};
    operating_point = place_of_epsilon(steps, direction, root.epsilon);
  }
}

Enclosure stated(const Chosen& chosen, const Interval& proven, double slope) {
  const Ball low = proven.low;
  const Ball high = proven.high;
  const Ball room = chosen.share * (high - low) + chosen.slack / Ball(slope) + chosen.ulps * resolution * high;
  return stated_between(max((low - room).lower(), Ball(0)), high + room);
}

Certified known(const Ball& epsilon) { return {stated_between(epsilon, epsilon), "closed form", Precision::bits()}; }

}  // namespace
}  // namespace delta_and_epsilon_file
}  // namespace certify

using certify::Ball;
namespace delta_and_epsilon_file = certify::delta_and_epsilon_file;

Certified certified::delta(const Plan& plan, double epsilon, Direction direction, Route route) {
  if (std::isnan(epsilon) || epsilon == -HUGE_VAL) {
    throw InvalidArgument("epsilon", certify::text_of(epsilon), "a number, or inf");
  }
  const certify::Precision working(route == Route::first ? 128 : 192);
  const certify::Steps steps = delta_and_epsilon_file::known_steps(plan);
  const Ball largest = delta_and_epsilon_file::largest_composed_loss(steps, direction);
  // No loss exceeds epsilon.
  if (epsilon == HUGE_VAL || surely_at_most(largest, epsilon))
    return {delta_and_epsilon_file::zero(), "closed form", certify::Precision::bits()};
  const std::int64_t bits = certify::Precision::bits();
  if (steps.empty())
    return {delta_and_epsilon_file::stated_between(-expm1(Ball(epsilon)), -expm1(Ball(epsilon))), "closed form", bits};
  const auto [chosen, delta] = delta_and_epsilon_file::ask_delta(steps, direction, epsilon, route);
  return {delta_and_epsilon_file::stated(chosen, delta), chosen.law->method(), chosen.law->precision()};
}

Certified certified::epsilon(const Plan& plan, double delta, Direction direction, Route route) {
  if (!(delta >= 0 && delta <= 1)) throw InvalidArgument("delta", certify::text_of(delta), "a number in [0, 1]");
  const certify::Precision working(route == Route::first ? 128 : 192);
  const certify::Steps steps = delta_and_epsilon_file::known_steps(plan);
  if (steps.empty() || delta == 1) return delta_and_epsilon_file::known(0);
  const Ball largest = delta_and_epsilon_file::largest_composed_loss(steps, direction);
  if (delta == 0) return delta_and_epsilon_file::known(largest);
  const auto [chosen, root] = delta_and_epsilon_file::ask_epsilon(steps, direction, delta, route);
  const certify::Law& law = *chosen.law;
  if (surely_at_most(law.delta(0), delta)) return {{}, law.method(), law.precision()};
  const double radius = std::min(1.0, law.delta(root.epsilon).relative_radius());
  const double step = radius / root.slope + delta_and_epsilon_file::resolution * root.epsilon;
  const double most = rounded_up(enclosure_of(largest).upper);
  const auto proven = delta_and_epsilon_file::proven_interval(law, delta, root.epsilon, step, most);
  return {delta_and_epsilon_file::stated(chosen, proven, root.slope), law.method(), law.precision()};
}

}  // namespace renyi
