#include "api/filter.h"

#include <limits>

#include "renyi/error.h"

namespace renyi::api {

namespace filter_file {
namespace {

// Returns whether so many such steps may run. More steps than can be counted may not.
bool runs(const Filter& filter, const Plan& step, std::int64_t count) {
  try {
    return filter.may_run(step, count).runs;
  } catch (const InvalidArgument&) {
    return false;
  }
}

// The headroom of a step with several mechanisms, by doubling and bisection.
std::int64_t headroom_of_group(const Filter& filter, const Plan& step) {
  if (!runs(filter, step, 1)) return 0;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t good = 1, bad = 0;
  while (bad == 0) {
    if (good == most) return most;
    const std::int64_t next = good > most / 2 ? most : 2 * good;
    (runs(filter, step, next) ? good : bad) = next;
  }
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (runs(filter, step, middle) ? good : bad) = middle;
  }
  return good;
}

void answer_step(FilterAnswer& answer, const FilterRequest& asked) {
  const Plan& step = *asked.step;
  const auto distinct = step.merged();
  // Throws what is wrong with the step before anything is said about it.
  answer.verdict = asked.filter.may_run(step, asked.count);
  if (distinct.empty()) return void(answer.headroom = std::numeric_limits<std::int64_t>::max());
  if (distinct.size() > 1) {
    answer.headroom = headroom_of_group(asked.filter, step);
    return;
  }
  const auto& [mechanism, count] = distinct.front();
  answer.headroom = asked.filter.headroom(mechanism) / count;
  // The verdict was computed, so the product of the counts is below 2^63.
  if (!answer.verdict->runs) answer.would_fit = asked.filter.would_fit(mechanism, count * asked.count);
}

}  // namespace
}  // namespace filter_file

FilterAnswer answer(const FilterRequest& asked) {
  const Filter& filter = asked.filter;
  FilterAnswer answer{.budget = filter.budget(), .cap = filter.cap(), .guarantee = filter.guarantee()};
  answer.remaining = filter.remaining();
  if (asked.step) filter_file::answer_step(answer, asked);
  if (!asked.delta) return answer;
  answer.guaranteed = epsilon(answer.guarantee, *asked.delta);
  answer.cost_if_fixed_in_advance = filter.cost_if_fixed_in_advance(*asked.delta);
  return answer;
}

}  // namespace renyi::api
