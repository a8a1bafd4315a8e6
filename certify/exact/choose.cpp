#include "certify/exact/choose.h"

#include <algorithm>
#include <string>

#include "certify/exact/chernoff.h"
#include "certify/exact/contour.h"
#include "certify/mechanism/closed_form.h"
#include "certify/mechanism/proof.h"
#include "certify/method.h"
#include "renyi/error.h"

namespace renyi::certify {
namespace {

constexpr long stated_bits = 80;
// A law that is wider says little more than Chernoff's bound does.
constexpr double useful_radius = 0.5;

bool has_known_law(const Mechanism& mechanism) {
  return gaussian_rate(mechanism) || two_sided(mechanism) || mechanism.get_if<Laplace>() != nullptr ||
         mechanism.get_if<SampledGaussian>() != nullptr;
}

// What follows is stated with room for a verifier, whose enclosure has another middle and another radius.
Chosen closed_form(const Steps& steps, Direction direction, Route route) {
  return {.law = closed_form_law(steps, direction, route), .slack = 3e-13, .share = 1};
}
Chosen contour(double work, const Steps& steps, Direction direction, const Place& place, Route route,
               double tolerance) {
  return {.law = contour_law_within(work, steps, direction, place, tolerance, route),
          .retry = tolerance,
          .slack = 1e-10,
          .share = 1};
}
Chosen lattice(const Steps& steps, Direction direction, const Place& place, Route route) {
  return {.law = lattice_law(steps, direction, place, 1e-4, route), .share = 0.5};
}

// Gaussians have both a closed form and a line that falls fast: two routes, as sharp as each other.
bool is_gaussian(const Steps& steps) {
  return std::all_of(steps.begin(), steps.end(), [](const auto& step) { return gaussian_rate(step.mechanism); });
}

Chosen first_that_serves(const Steps& steps, Direction direction, const Place& place, Route route) {
  // A verifier's line is longer: where the first route's serves, it must too.
  const bool verifies = route == Route::second;
  const double work = verifies ? 5 * usual_work : usual_work;
  const auto line = [&](double tolerance, double patience) {
    return contour(patience * work, steps, direction, place, route, tolerance);
  };
  if (verifies && is_gaussian(steps)) {
    if (Chosen found = line(1e-14, 1); found.law) return found;
  }
  if (Chosen found = closed_form(steps, direction, route); found.law) return found;
  if (verifies) {
    if (Chosen found = line(1e-13, 1); found.law) return found;
  }
  if (Chosen found = line(1e-11, 1); found.law) return found;
  Chosen grid = lattice(steps, direction, place, route);
  if (grid.law && grid.law->delta(place.epsilon).relative_radius() < useful_radius) return grid;
  if (Chosen found = line(1e-11, 3); found.law) return found;
  Chosen bound{.law = chernoff_law(steps, direction, place), .slack = 1e-10};
  const auto upper = [&](const Chosen& chosen) { return chosen.law->delta(place.epsilon).upper(); };
  return grid.law && surely_less(upper(grid), upper(bound)) ? std::move(grid) : std::move(bound);
}

}  // namespace

Enclosure stated_between(const Ball& low, const Ball& high) {
  return {enclosure_of(low, stated_bits).lower, enclosure_of(high, stated_bits).upper};
}

Steps known_steps(const Plan& plan) {
  Steps steps;
  const Precision enough(128);
  for (CountedMechanism& step : plan.analysed()) {
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

Ball largest_loss(const Steps& steps, Direction direction) {
  Ball total(0);
  for (const CountedMechanism& step : steps) {
    if (const auto* sampled = step.mechanism.get_if<SampledGaussian>()) {
      if (direction == Direction::remove || sampled->sampling_rate == 1) return Ball::infinity();
      total -= Ball(step.count) * log1p(-Ball(sampled->sampling_rate));
    } else if (const auto* laplace = step.mechanism.get_if<Laplace>()) {
      // In this order it is exact wherever the result is a short number: ten steps of scale 10 lose 1.
      total += Ball(step.count) * laplace->l1_sensitivity / laplace->scale;
    } else if (const auto law = two_sided(step.mechanism)) {
      total += Ball(step.count) * law->loss;
    } else {
      return Ball::infinity();
    }
  }
  return total;
}

Chosen choose_law(const Steps& steps, Direction direction, const Place& place, Route route) {
  Chosen chosen = first_that_serves(steps, direction, place, route);
  chosen.ulps = 16;
  if (route == Route::second) chosen.slack = chosen.share = chosen.ulps = 0;
  return chosen;
}

}  // namespace renyi::certify
