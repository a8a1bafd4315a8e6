#include "ledger/rules/fitting.h"

#include <algorithm>
#include <limits>

#include "renyi/error.h"

namespace renyi::ledger {

namespace fitting_file {
namespace {

constexpr std::size_t most_kinds = 1000;

// The filter of a scope; the history may exceed a budget that was lowered, not the cap.
std::optional<Filter> filter_of(const Room& room) {
  Filter filter(room.cap, room.relation);
  if (!room.history.steps().empty() && !filter.charge(room.history).runs) return {};
  filter.set_budget(room.budget);
  return filter;
}

// The parameter is named as in plan files, where it may have an alias.
Mechanism with_parameter(const Mechanism& step, const FittingStep& change) {
  for (const Alias& alias : step.aliases()) {
    if (alias.name == change.parameter) return step.with(alias.parameter, change.value);
  }
  return step.with(change.parameter, change.value);
}

Fitting found_in(const std::vector<Room>& rooms, const PricedSteps& steps, std::int64_t count) {
  std::vector<Filter> filters;
  for (const Room& room : rooms) {
    if (room.history.steps().size() > most_kinds) return {};
    auto filter = filter_of(room);
    if (!filter) return {};
    filters.push_back(*std::move(filter));
  }
  const Adjacency& relation = rooms.front().relation;
  Plan once(relation.neighbors, relation.unit);
  for (const PricedStep& step : steps) once.add(step.specified, step.count);
  Fitting found{.count = std::numeric_limits<std::int64_t>::max()};
  for (const Filter& filter : filters) found.count = std::min(*found.count, filter.headroom(once));
  if (steps.size() != 1) return found;
  // Each scope may ask for more noise than those before it.
  Mechanism step = steps.front().specified;
  const std::int64_t runs = count * steps.front().count;
  for (const Filter& filter : filters) {
    if (filter.may_run(step, runs).runs) continue;
    auto change = filter.would_fit(step, runs);
    if (!change) return {.count = found.count};
    if (found.step && found.step->parameter != change->parameter) return {.count = found.count};
    step = with_parameter(step, *change);
    found.step = *std::move(change);
  }
  return found;
}

}  // namespace
}  // namespace fitting_file

// What would fit is a help. A refusal stands without it.
Fitting fitting(const std::vector<Room>& rooms, const PricedSteps& steps, std::int64_t count) {
  try {
    return fitting_file::found_in(rooms, steps, count);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace renyi::ledger
