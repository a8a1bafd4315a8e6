#include "certify/divergence.h"

#include <algorithm>
#include <cmath>

#include "certify/figure.h"
#include "certify/log_moment.h"
#include "certify/mechanism/guarantee.h"
#include "certify/mechanism/moment.h"
#include "certify/method.h"
#include "certify/text.h"
#include "renyi/error.h"

namespace renyi {
namespace certify {
Ball divergence(const std::vector<CountedMechanism>& steps, Direction direction, double order, Route route) {
  Ball sum;
  for (const CountedMechanism& step : steps) {
    const Ball one = divergence(step.mechanism, direction, order, route);
    if (one.is_infinite()) return Ball::infinity();
    sum += Ball(step.count) * one;
  }
  return sum;
}

Ball larger_divergence(const std::vector<CountedMechanism>& steps, double order, Route route) {
  const Ball remove = divergence(steps, Direction::remove, order, route);
  const Ball add = divergence(steps, Direction::add, order, route);
  if (remove.is_infinite() || add.is_infinite()) return Ball::infinity();
  return max(remove, add);
}

std::string methods_of(const std::vector<CountedMechanism>& steps, const std::vector<Direction>& directions,
                       double order, Route route) {
  std::vector<Method> used;
  for (const CountedMechanism& step : steps) {
    for (const Direction direction : directions) used.push_back(method_of(step.mechanism, direction, order, route));
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  std::string names;
  for (const Method method : used) names.append(names.empty() ? "" : " + ").append(to_string(method));
  return names.empty() ? std::string(to_string(Method::closed_form)) : names;
}

}  // namespace certify

bool same_in_both_directions(const Plan& plan) {
  const auto steps = plan.analysed();
  return std::all_of(steps.begin(), steps.end(), [](const CountedMechanism& step) {
    return certify::has_closed_moment(step.mechanism) || certify::guarantee_of(step.mechanism);
  });
}

Certified certified_divergence(const Plan& plan, double order, Direction direction, Route route) {
  constexpr double largest = 1e4;
  if (!(order >= 1 && (order <= largest || std::isinf(order)))) {
    throw InvalidArgument("order", certify::text_of(order), "a number in [1, 10000], or inf");
  }
  const auto steps = plan.analysed();
  return certify::certified_figure([&] { return certify::divergence(steps, direction, order, route); }, route,
                                   certify::methods_of(steps, {direction}, order, route), "a certified divergence");
}

}  // namespace renyi
