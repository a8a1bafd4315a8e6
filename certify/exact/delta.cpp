// Exact delta, certified.
#include <cmath>

#include "certify/exact/choose.h"
#include "certify/text.h"
#include "renyi/error.h"

namespace renyi {
namespace {

using certify::Ball;
using certify::Chosen;
using certify::Place;

constexpr int most_attempts = 3;

double log_about(const Ball& x) { return log(x).about(); }

// The law at epsilon. If delta turns out to be far from what the place expected, it is made again for what was found.
std::pair<Chosen, Ball> ask(const certify::Steps& steps, Direction direction, double epsilon, Route route) {
  Place place = certify::place_of_epsilon(steps, direction, epsilon);
  for (int attempt = 1;; ++attempt) {
    Chosen chosen = certify::choose_law(steps, direction, place, route);
    const Ball delta = chosen.law->delta(epsilon);
    if (attempt == most_attempts || delta.relative_radius() <= chosen.retry) return {std::move(chosen), delta};
    const double seen = log_about(surely_less(0, delta) ? delta.lower() : delta.upper());
    place.log_delta = std::min(seen, place.log_delta) - (surely_less(0, delta) ? 0 : 5);
  }
}

Enclosure stated(const Chosen& chosen, const Ball& delta) {
  const Ball width = delta.upper() - delta.lower();
  Ball wider = delta;
  wider.widen(chosen.share * width + chosen.slack * delta.upper());
  return certify::stated_between(max(wider.lower(), Ball(0)), min(wider.upper(), Ball(1)));
}

Enclosure zero() { return {}; }

}  // namespace

Certified certified_delta(const Plan& plan, double epsilon, Direction direction, Route route) {
  if (std::isnan(epsilon) || epsilon == -HUGE_VAL) {
    throw InvalidArgument("epsilon", certify::text_of(epsilon), "a number, or inf");
  }
  const certify::Precision working(route == Route::first ? 128 : 192);
  const certify::Steps steps = certify::known_steps(plan);
  const Ball largest = certify::largest_loss(steps, direction);
  // No loss exceeds epsilon.
  if (epsilon == HUGE_VAL || surely_at_most(largest, epsilon))
    return {zero(), "closed form", certify::Precision::bits()};
  const std::int64_t bits = certify::Precision::bits();
  if (steps.empty())
    return {certify::stated_between(-expm1(Ball(epsilon)), -expm1(Ball(epsilon))), "closed form", bits};
  const auto [chosen, delta] = ask(steps, direction, epsilon, route);
  return {stated(chosen, delta), chosen.law->method(), chosen.law->precision()};
}

}  // namespace renyi
