#include "ledger/rules/fitting.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::ledger {

namespace fitting_file {
namespace {

constexpr std::chrono::milliseconds longest_search{50};

// The filter of a scope; the history may exceed a budget that was lowered, not the cap.
std::optional<Filter> filter_of(const Room& room) {
  const Adjacency& relation = room.terms->relation;
  Filter filter(room.terms->cap, relation);
  Plan history(relation.neighbors, relation.unit);
  for (const auto& [step, count] : room.history) {
    stop_if_asked();
    history.add(read_step(step, relation), count);
  }
  if (!room.history.empty() && !filter.charge(history).runs) return {};
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

void find(Fitting& found, const std::vector<Room>& rooms, const ChargedSteps& steps, std::int64_t count) {
  std::vector<Filter> filters;
  for (const Room& room : rooms) {
    auto filter = filter_of(room);
    if (!filter) return;
    filters.push_back(*std::move(filter));
  }
  const Adjacency& relation = rooms.front().terms->relation;
  Plan once(relation.neighbors, relation.unit);
  for (const ChargedStep& step : steps) once.add(read_step(step.text, relation), step.count);
  std::int64_t headroom = std::numeric_limits<std::int64_t>::max();
  for (const Filter& filter : filters) headroom = std::min(headroom, filter.headroom(once));
  found.count = headroom;
  if (steps.size() != 1) return;
  // Each scope may ask for more noise than those before it.
  Mechanism step = read_step(steps.front().text, relation);
  const std::int64_t runs = count * steps.front().count;
  std::optional<FittingStep> fitting;
  for (const Filter& filter : filters) {
    if (filter.may_run(step, runs).runs) continue;
    auto change = filter.would_fit(step, runs);
    stop_if_asked();
    if (!change || (fitting && fitting->parameter != change->parameter)) return;
    step = with_parameter(step, *change);
    fitting = *std::move(change);
  }
  found.step = std::move(fitting);
}

}  // namespace
}  // namespace fitting_file

// What would fit is a help. A refusal stands without it.
Fitting fitting(const std::vector<Room>& rooms, const ChargedSteps& steps, std::int64_t count) {
  const LimitScope limits({.cpu_time = fitting_file::longest_search});
  Fitting found;
  try {
    fitting_file::find(found, rooms, steps, count);
  } catch (const LimitReached& error) {
    if (error.limit() == Limit::interruption) throw;
  } catch (const Error&) {
    return {};
  }
  return found;
}

}  // namespace renyi::ledger
