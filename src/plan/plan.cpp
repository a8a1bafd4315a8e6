// A plan: its steps as specified, merged, and as analysed.
#include "renyi/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "plan/analysed_steps.h"
#include "plan/analysis_cache.h"
#include "plan/step_names.h"
#include "renyi/error.h"
#include "sampling/analyse/analyse.h"

namespace renyi {

namespace plan_file {
namespace {

constexpr std::int64_t largest_count = std::numeric_limits<std::int64_t>::max();
constexpr int deepest_nesting = 64;

InvalidArgument count_too_large(std::string_view how) {
  return {"count", fmt::format("{} above 2^63-1", how), "totals from 1 to 2^63-1"};
}

// Visits every mechanism of a step with its count multiplied out.
template <class Visit>
void for_each_mechanism(const Step& step, std::int64_t outer, int depth, const Visit& visit) {
  if (step.count < 1) throw InvalidArgument("count", fmt::format("{}", step.count), "an integer from 1 to 2^63-1");
  if (depth > deepest_nesting) {
    throw InvalidArgument("plan", "deeper nesting", fmt::format("at most {} levels", deepest_nesting));
  }
  const std::int64_t count = plan::count_product(outer, step.count);
  if (const auto* mechanism = std::get_if<Mechanism>(&step.what)) {
    visit(*mechanism, count);
  } else {
    for (const Step& inner : std::get<Steps>(step.what)) for_each_mechanism(inner, count, depth + 1, visit);
  }
}

void add_checked(Steps& steps, Step step, plan::AnalysisCache& analysed) {
  for_each_mechanism(step, 1, 0, [&](const Mechanism& m, std::int64_t) { analysed(m); });
  plan::check_names(step);
  steps.push_back(std::move(step));
}

}  // namespace
}  // namespace plan_file

Plan::Plan(Neighbors neighbors, std::int64_t unit)
    : relation_{neighbors, unit}, analysis_cache_(std::make_shared<plan::AnalysisCache>(relation_)) {
  if (unit >= 1 && unit <= largest_unit) return;
  throw InvalidArgument("unit", fmt::format("{}", unit), fmt::format("an integer from 1 to {}", largest_unit));
}

Plan& Plan::add(Step step) {
  plan_file::add_checked(steps_, std::move(step), *analysis_cache_);
  return *this;
}

Plan& Plan::add(Mechanism mechanism, std::int64_t count) { return add(Step{std::move(mechanism), count}); }

Plan& Plan::add(Steps group, std::int64_t count) { return add(Step{std::move(group), count}); }

Plan& Plan::add(const Plan& plan, std::int64_t count) {
  if (plan.neighbors() != neighbors()) {
    throw InvalidArgument("neighbors", std::string(to_string(plan.neighbors())),
                          fmt::format("{}, as in the plan it is added to", to_string(neighbors())));
  }
  if (plan.unit() != unit()) {
    throw InvalidArgument("unit", fmt::format("{}", plan.unit()),
                          fmt::format("{}, as in the plan it is added to", unit()));
  }
  return add(plan.steps_, count);
}

std::vector<CountedMechanism> Plan::merged() const { return plan::merged_steps(steps_); }

std::vector<CountedMechanism> Plan::analysed() const {
  std::vector<CountedMechanism> result = merged();
  for (CountedMechanism& step : result) step.mechanism = (*analysis_cache_)(step.mechanism);
  return result;
}

std::int64_t plan::count_product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) throw plan_file::count_too_large("a product of nested counts");
  return result;
}

namespace plan_file {
namespace {

// Returns the steps of one part if all parts of a parallel step run the same, whatever their names; returns nullptr if
// they differ, and for other steps.
const Steps* only_part(const Mechanism& mechanism) {
  const auto* parallel = mechanism.get_if<Parallel>();
  if (parallel == nullptr || parallel->parts().empty()) return nullptr;
  const Steps& first = parallel->parts().front();
  const auto is_same = [&](const Steps& part) { return plan::run_the_same(first, part); };
  return std::all_of(parallel->parts().begin() + 1, parallel->parts().end(), is_same) ? &first : nullptr;
}

}  // namespace
}  // namespace plan_file

// Parallel steps are equal mechanisms, which merging needs, only if they are the same partition of the records. Plans
// are equal already if they have the same steps for each part.
bool Step::operator==(const Step& other) const {
  if (count != other.count || what.index() != other.what.index()) return false;
  if (name != other.name || comment != other.comment) return false;
  if (const auto* steps = std::get_if<Steps>(&what)) return *steps == std::get<Steps>(other.what);
  const auto &first = std::get<Mechanism>(what), &second = std::get<Mechanism>(other.what);
  const auto *parallel = first.get_if<Parallel>(), *parallel_too = second.get_if<Parallel>();
  if (parallel == nullptr || parallel_too == nullptr) return first == second;
  return parallel->parts() == parallel_too->parts();
}

std::vector<CountedMechanism> plan::merged_steps(const Steps& steps) {
  // A single step, which is what most plans have, has no other step to merge with.
  if (steps.size() == 1 && steps[0].count >= 1) {
    const auto* only = std::get_if<Mechanism>(&steps[0].what);
    if (only != nullptr && plan_file::only_part(*only) == nullptr) return {{*only, steps[0].count}};
  }
  std::vector<CountedMechanism> result;
  std::map<std::tuple<std::string_view, const void*, std::vector<double>>, std::size_t> seen;
  const std::function<void(const Mechanism&, std::int64_t)> visit = [&](const Mechanism& mechanism,
                                                                        std::int64_t count) {
    if (const Steps* part = plan_file::only_part(mechanism)) {
      for (const Step& step : *part) plan_file::for_each_mechanism(step, count, 0, visit);
      return;
    }
    const auto [where, fresh] =
        seen.try_emplace({mechanism.kind(), mechanism.identity(), mechanism.key()}, result.size());
    if (fresh) {
      result.push_back({mechanism, count});
      return;
    }
    std::int64_t& total = result[where->second].count;
    if (count > plan_file::largest_count - total) throw plan_file::count_too_large("a total of equal steps");
    total += count;
  };
  for (const Step& step : steps) plan_file::for_each_mechanism(step, 1, 0, visit);
  return result;
}

std::vector<CountedMechanism> plan::analysed_steps(const Steps& steps, const Adjacency& adjacency) {
  std::vector<CountedMechanism> result;
  for (const CountedMechanism& step : plan::merged_steps(steps)) {
    result.push_back({renyi::analysed(step.mechanism, adjacency), step.count});
  }
  return result;
}

namespace plan_file {
namespace {

// A record that takes part in k of t steps costs at most as much as k epochs of t/k steps, in each of which it takes
// part once (docs/math/random-allocation.md, "Several participations").
CountedMechanism one_allocation(const Mechanism& mechanism) {
  const Sampling& sampling = *mechanism.sampling();
  const double batches = std::floor(sampling.batches / sampling.participations);
  return {mechanism.unsampled().sampled_by(Sampling::random_allocation(batches)),
          static_cast<std::int64_t>(sampling.participations)};
}

}  // namespace
}  // namespace plan_file

// Analyses a mechanism under the neighbouring relation.
Mechanism analysed(const Mechanism& mechanism, const Adjacency& relation) {
  if (const auto* parallel = mechanism.get_if<Parallel>()) return plan::analyse_parallel(*parallel, relation);
  if (const auto* select = mechanism.get_if<Select>()) return plan::analyse_select(*select, relation);
  if (const auto steps = mechanism.steps_of_run(); !steps.empty()) {
    return plan::analyse_run(mechanism.kind(), steps, relation);
  }
  if (const Sampling* sampling = mechanism.sampling(); sampling != nullptr && sampling->participations > 1) {
    return plan::analyse_run(mechanism.kind(), {plan_file::one_allocation(mechanism)}, relation);
  }
  return sampling::analyse(mechanism, relation);
}

namespace plan_file {
namespace {

bool is_shuffled(const Mechanism& mechanism) {
  return mechanism.sampling() != nullptr && mechanism.sampling()->scheme == Scheme::shuffled;
}

bool has_shuffled(const Steps& steps);

bool has_shuffled(const Step& step) {
  const auto* mechanism = std::get_if<Mechanism>(&step.what);
  if (mechanism == nullptr) return has_shuffled(std::get<Steps>(step.what));
  if (const auto* parallel = mechanism->get_if<Parallel>()) {
    return std::any_of(parallel->parts().begin(), parallel->parts().end(),
                       [](const Steps& part) { return has_shuffled(part); });
  }
  if (const auto* select = mechanism->get_if<Select>()) return has_shuffled(select->steps());
  return is_shuffled(*mechanism);
}

bool has_shuffled(const Steps& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const Step& step) { return has_shuffled(step); });
}

// What takes the place of one shuffled epoch of a mechanism.
using Redraw = Steps (*)(const Mechanism& inner, double batches);

Steps redrawn(const Steps& steps, Redraw redraw);

Step redrawn(const Step& step, Redraw redraw) {
  if (!has_shuffled(step)) return step;
  const auto* mechanism = std::get_if<Mechanism>(&step.what);
  if (mechanism == nullptr) return plan::with_what(step, redrawn(std::get<Steps>(step.what), redraw));
  if (const auto* parallel = mechanism->get_if<Parallel>()) {
    std::vector<Steps> parts;
    for (const Steps& part : parallel->parts()) parts.push_back(redrawn(part, redraw));
    return plan::with_what(step, Mechanism(Parallel(std::move(parts))));
  }
  if (const auto* select = mechanism->get_if<Select>()) {
    return plan::with_what(step, Mechanism(Select(redrawn(select->steps(), redraw), select->runs())));
  }
  return plan::with_what(step, redraw(mechanism->unsampled(), mechanism->sampling()->batches));
}

Steps redrawn(const Steps& steps, Redraw redraw) {
  Steps result;
  for (const Step& step : steps) result.push_back(redrawn(step, redraw));
  return result;
}

std::optional<Plan> redrawn(const Plan& plan, Redraw redraw) {
  if (!has_shuffled(plan.steps())) return std::nullopt;
  Plan result(plan.neighbors(), plan.unit());
  for (Step& step : redrawn(plan.steps(), redraw)) result.add(std::move(step));
  return result;
}

// As many steps as the epoch has batches.
Steps poisson_epoch(const Mechanism& inner, double batches) {
  return {Step{inner.sampled_by(Sampling::poisson(1 / batches)), static_cast<std::int64_t>(batches)}};
}

Steps allocated_epoch(const Mechanism& inner, double batches) {
  return {Step{inner.sampled_by(Sampling::random_allocation(batches))}};
}

}  // namespace
}  // namespace plan_file

std::optional<Plan> under_poisson(const Plan& plan) { return plan_file::redrawn(plan, plan_file::poisson_epoch); }

std::optional<Plan> under_random_allocation(const Plan& plan) {
  return plan_file::redrawn(plan, plan_file::allocated_epoch);
}

}  // namespace renyi
