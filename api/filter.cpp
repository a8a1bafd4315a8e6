#include "api/filter.h"

namespace renyi::api {

namespace filter_file {
namespace {

void answer_step(FilterAnswer& answer, const FilterRequest& asked) {
  const Plan& step = *asked.step;
  const auto distinct = step.merged();
  // Throws what is wrong with the step before anything is said about it.
  answer.verdict = asked.filter.may_run(step, asked.count);
  if (distinct.size() != 1) {
    answer.headroom = asked.filter.headroom(step);
    return;
  }
  const auto& [mechanism, count] = distinct.front();
  answer.headroom = asked.filter.headroom(mechanism);
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
