#include "api/filter.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "api/number_text.h"

namespace renyi::api {

namespace filter_file {
namespace {

FilterAnswer without_step(const Filter& filter) {
  FilterAnswer answer{
      .budget = filter.budget(), .cap = filter.cap(), .history = filter.history(), .guarantee = filter.guarantee()};
  answer.remaining = filter.remaining();
  return answer;
}

void add_verdict(FilterAnswer& answer, const FilterRequest& asked, FilterVerdict verdict) {
  answer.verdict = std::move(verdict);
  const Plan& step = *asked.step;
  const auto distinct = step.merged();
  if (distinct.size() != 1) {
    answer.headroom = asked.filter.headroom(step);
    return;
  }
  const auto& [mechanism, count] = distinct.front();
  answer.headroom = asked.filter.headroom(mechanism);
  // The verdict was computed, so the product of the counts is below 2^63.
  if (!answer.verdict->runs) answer.would_fit = asked.filter.would_fit(mechanism, count * asked.count);
}

// The guarantee's own delta is the probability of an infinite loss that it allows.
std::optional<Cost> at_own_delta(const Plan& guarantee, const Cost& guaranteed) {
  if ((!guaranteed.exact && !guaranteed.renyi) || std::isfinite(guaranteed.upper())) return {};
  const double own = delta(guarantee, std::numeric_limits<double>::infinity()).upper();
  if (own == 0 || own < guaranteed.at || own >= 1) return {};
  const std::string shown = rounded_up(own);
  double above = own;
  std::from_chars(shown.data(), shown.data() + shown.size(), above);
  return epsilon(guarantee, above);
}

}  // namespace
}  // namespace filter_file

FilterAnswer answer(const FilterRequest& asked) {
  const Filter& filter = asked.filter;
  FilterAnswer answer = filter_file::without_step(filter);
  if (asked.step) filter_file::add_verdict(answer, asked, filter.may_run(*asked.step, asked.count));
  if (!asked.delta) return answer;
  answer.guaranteed = epsilon(answer.guarantee, *asked.delta);
  answer.at_own_delta = filter_file::at_own_delta(answer.guarantee, *answer.guaranteed);
  answer.cost_if_fixed_in_advance = filter.cost_if_fixed_in_advance(*asked.delta);
  return answer;
}

FilterAnswer charge(FilterRequest& asked) {
  FilterVerdict verdict = asked.filter.charge(asked.step.value(), asked.count);
  FilterAnswer answer = filter_file::without_step(asked.filter);
  answer.charged = verdict.runs;
  filter_file::add_verdict(answer, asked, std::move(verdict));
  return answer;
}

}  // namespace renyi::api
