#include "api/loss.h"

#include "renyi/limits.h"

namespace renyi::api {

namespace loss_file {
namespace {

LossEnds ends(bool known, const Bounded& value) {
  return {.lower = known ? std::optional(value.lower()) : std::nullopt, .upper = value.upper()};
}

LossInDirection one_way(const LossRequest& asked, const Analysis& analysis, Direction direction) {
  const PrivacyLoss loss(analysis, direction);
  const bool known = loss.known();
  LossInDirection found{.direction = direction, .known = known, .mean = ends(known, loss.mean())};
  if (known) {
    const Cumulants c = loss.cumulants();
    found.variance = ends(true, {c.variance, c.variance_error});
    if (const auto skewness = loss.skewness()) found.skewness = LossEnds{skewness->lower, skewness->upper};
  }
  for (const double s : asked.orders) {
    stop_if_overdue();
    found.moments.push_back({s, ends(known, loss.log_moment(s))});
  }
  for (const double t : asked.at_least) {
    stop_if_overdue();
    found.at_least.push_back({t, loss.at_least(t)});
  }
  for (const double e : asked.within) {
    stop_if_overdue();
    found.within.push_back({e, loss.within(e)});
  }
  return found;
}

}  // namespace
}  // namespace loss_file

LossAnswer answer(const LossRequest& asked) {
  const Analysis analysis(asked.plan);
  LossAnswer answer;
  for (const Direction direction : {Direction::remove, Direction::add}) {
    if (asked.direction && *asked.direction != direction) continue;
    answer.directions.push_back(loss_file::one_way(asked, analysis, direction));
  }
  return answer;
}

}  // namespace renyi::api
