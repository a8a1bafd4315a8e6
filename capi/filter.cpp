// Filters as handles: budgets for steps that are chosen on the way.
#include "renyi/filter.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capi/guard.h"
#include "capi/handles.h"
#include "renyi/c.h"

// C programs were compiled with these sizes (docs/versioning.md): a change here requires a new ABI version.
static_assert(sizeof(renyi_verdict) == 516 && sizeof(renyi_balance) == 80 && sizeof(renyi_fit) == 48);

namespace renyi::capi {
namespace filter_file {
namespace {

// A verdict and a fit that are read by mistake after a failure let nothing run.
constinit const renyi_verdict refused{};
constinit const renyi_fit no_fit{};

template <class Handle>
auto& filter_of(Handle* filter) {
  return opened(filter, "filter", "a filter");
}

const Plan& steps_of(const renyi_plan* steps) { return opened(steps, "steps", "a plan"); }

Mechanism single_step(const renyi_plan* step) {
  const auto distinct = opened(step, "step", "a plan of one step").merged();
  if (distinct.size() == 1 && distinct.front().count == 1) return distinct.front().mechanism;
  throw InvalidArgument("step", "a plan of " + std::to_string(distinct.size()) + " different steps, or a count above 1",
                        "a plan of one mechanism that runs once");
}

Adjacency relation_of(const char* neighbors, std::int64_t unit) {
  if (neighbors == nullptr) return Plan(Neighbors::add_or_remove_one, unit).adjacency();
  for (const Neighbors one : {Neighbors::add_or_remove_one, Neighbors::replace_one, Neighbors::zero_out}) {
    if (to_string(one) == neighbors) return Plan(one, unit).adjacency();
  }
  throw InvalidArgument("neighbors", neighbors, "one of add-or-remove-one, replace-one, zero-out");
}

// Reads a budget; errors have the name of the argument before the path.
Budget budget_of(const char* text, const std::string& name) {
  require(text, name, "the text of a budget");
  try {
    return read_budget(text);
  } catch (const InvalidArgument& error) {
    throw error.within(name + ".");
  }
}

renyi_verdict verdict_of(const FilterVerdict& verdict) {
  renyi_verdict result{};
  result.runs = verdict.runs ? 1 : 0;
  copy_text(result.reason, verdict.reason);
  return result;
}

renyi_balance balance_of(const Balance& balance) {
  renyi_balance result{};
  copy_text(result.name, balance.name);
  result.order = balance.order.value_or(0);
  result.spent = balance.spent;
  result.limit = balance.limit;
  result.left = balance.left;
  result.within = balance.within ? 1 : 0;
  return result;
}

renyi_fit fit_of(const std::optional<FittingStep>& step) {
  renyi_fit result{};
  if (!step) return result;
  result.found = 1;
  copy_text(result.parameter, step->parameter);
  result.value = step->value;
  return result;
}

}  // namespace
}  // namespace filter_file
}  // namespace renyi::capi

namespace capi = renyi::capi;
namespace filter_file = renyi::capi::filter_file;

renyi_filter* renyi_filter_new(const char* budget, const char* neighbors, int64_t unit, const char* cap,
                               renyi_error* error) {
  return capi::made(error, [&] {
    std::optional<renyi::Budget> most;
    if (cap != nullptr) most = filter_file::budget_of(cap, "cap");
    return new renyi_filter{renyi::Filter(filter_file::budget_of(budget, "budget"),
                                          filter_file::relation_of(neighbors, unit), std::move(most))};
  });
}

renyi_filter* renyi_filter_from_json(const char* json, renyi_error* error) {
  return capi::made(error, [&] {
    capi::require(json, "json", "the text of a filter file");
    return new renyi_filter{renyi::read_filter(json)};
  });
}

char* renyi_filter_to_json(const renyi_filter* filter, renyi_error* error) {
  return capi::made(error, [&] { return capi::c_text(renyi::write_filter(filter_file::filter_of(filter))); });
}

void renyi_filter_free(renyi_filter* filter) { delete filter; }

renyi_status renyi_filter_may_run(const renyi_filter* filter, const renyi_plan* steps, int64_t count,
                                  renyi_verdict* out, renyi_error* error) {
  return capi::answered(out, filter_file::refused, error, [&] {
    return filter_file::verdict_of(filter_file::filter_of(filter).may_run(filter_file::steps_of(steps), count));
  });
}

renyi_status renyi_filter_charge(renyi_filter* filter, const renyi_plan* steps, int64_t count, renyi_verdict* out,
                                 renyi_error* error) {
  return capi::answered(out, filter_file::refused, error, [&] {
    return filter_file::verdict_of(filter_file::filter_of(filter).charge(filter_file::steps_of(steps), count));
  });
}

renyi_status renyi_filter_headroom(const renyi_filter* filter, const renyi_plan* step, int64_t* out,
                                   renyi_error* error) {
  return capi::answered(out, std::int64_t{0}, error,
                        [&] { return filter_file::filter_of(filter).headroom(filter_file::single_step(step)); });
}

renyi_status renyi_filter_would_fit(const renyi_filter* filter, const renyi_plan* step, int64_t count, renyi_fit* out,
                                    renyi_error* error) {
  return capi::answered(out, filter_file::no_fit, error, [&] {
    return filter_file::fit_of(filter_file::filter_of(filter).would_fit(filter_file::single_step(step), count));
  });
}

renyi_status renyi_filter_remaining(const renyi_filter* filter, renyi_balance* out, size_t size, size_t* quantities,
                                    renyi_error* error) {
  if (out != nullptr) std::fill_n(out, size, renyi_balance{});
  return capi::answered(quantities, std::size_t{0}, error, [&] {
    if (size > 0) capi::require(out, "out", "a place for the balances");
    const std::vector<renyi::Balance> found = filter_file::filter_of(filter).remaining();
    std::transform(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(std::min(size, found.size())), out,
                   filter_file::balance_of);
    return found.size();
  });
}

renyi_status renyi_filter_set_budget(renyi_filter* filter, const char* budget, renyi_error* error) {
  return capi::guarded(error,
                       [&] { filter_file::filter_of(filter).set_budget(filter_file::budget_of(budget, "budget")); });
}

renyi_plan* renyi_filter_history(const renyi_filter* filter, renyi_error* error) {
  return capi::made(error, [&] { return new renyi_plan{filter_file::filter_of(filter).history()}; });
}

renyi_plan* renyi_filter_guarantee(const renyi_filter* filter, renyi_error* error) {
  return capi::made(error, [&] { return new renyi_plan{filter_file::filter_of(filter).guarantee()}; });
}
