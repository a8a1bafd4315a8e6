// Exact epsilon, certified: between two epsilons where certified deltas lie on either side of the delta asked for.
#include <algorithm>
#include <cmath>
#include <utility>

#include "certify/exact/choose.h"
#include "certify/exact/search.h"
#include "certify/text.h"
#include "renyi/error.h"

namespace renyi {
namespace {

using certify::Ball;
using certify::Chosen;
using certify::Interval;
using certify::Place;
using certify::Root;

constexpr int most_attempts = 3;
// Ends are doubles: they cannot be closer to the root than this.
constexpr double resolution = 4e-16;

// A law that is sharp where its delta is the one asked for: made again where the root turns out to be elsewhere.
std::pair<Chosen, Root> ask(const certify::Steps& steps, Direction direction, double delta, Route route) {
  Place place = certify::place_of_delta(steps, direction, delta);
  for (int attempt = 1;; ++attempt) {
    place.log_delta = std::min(place.log_delta, std::log(delta));
    Chosen chosen = certify::choose_law(steps, direction, place, route);
    const Root root = find_root(*chosen.law, delta, place);
    const double radius = chosen.law->delta(root.epsilon).relative_radius();
    if (attempt == most_attempts || radius <= chosen.retry) return {std::move(chosen), root};
    place = certify::place_of_epsilon(steps, direction, root.epsilon);
  }
}

Enclosure stated(const Chosen& chosen, const Interval& proven, double slope) {
  const Ball low = proven.low;
  const Ball high = proven.high;
  const Ball room = chosen.share * (high - low) + chosen.slack / Ball(slope) + chosen.ulps * resolution * high;
  return certify::stated_between(max((low - room).lower(), Ball(0)), high + room);
}

Certified known(const Ball& epsilon) {
  return {certify::stated_between(epsilon, epsilon), "closed form", certify::Precision::bits()};
}

}  // namespace

Certified certified_epsilon(const Plan& plan, double delta, Direction direction, Route route) {
  if (!(delta >= 0 && delta <= 1)) throw InvalidArgument("delta", certify::text_of(delta), "a number in [0, 1]");
  const certify::Precision working(route == Route::first ? 128 : 192);
  const certify::Steps steps = certify::known_steps(plan);
  if (steps.empty() || delta == 1) return known(0);
  const Ball largest = certify::largest_loss(steps, direction);
  if (delta == 0) return known(largest);
  const auto [chosen, root] = ask(steps, direction, delta, route);
  const certify::Law& law = *chosen.law;
  if (surely_at_most(law.delta(0), delta)) return {{}, law.method(), law.precision()};
  const double radius = std::min(1.0, law.delta(root.epsilon).relative_radius());
  const double step = radius / root.slope + resolution * root.epsilon;
  const double most = rounded_up(enclosure_of(largest).upper);
  const Interval proven = proven_interval(law, delta, root.epsilon, step, most);
  return {stated(chosen, proven, root.slope), law.method(), law.precision()};
}

}  // namespace renyi
