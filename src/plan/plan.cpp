#include "renyi/plan.h"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "plan/analysed_steps.h"
#include "plan/count_product.h"
#include "renyi/error.h"

namespace renyi {

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

void add_checked(Steps& steps, Step step, const Adjacency& relation) {
  for_each_mechanism(step, 1, 0, [&](const Mechanism& m, std::int64_t) { analysed(m, relation); });
  steps.push_back(std::move(step));
}

}  // namespace

Plan::Plan(Neighbors neighbors, std::int64_t unit) : relation_{neighbors, unit} {
  if (unit >= 1 && unit <= largest_unit) return;
  throw InvalidArgument("unit", fmt::format("{}", unit), fmt::format("an integer from 1 to {}", largest_unit));
}

Plan& Plan::add(Mechanism mechanism, std::int64_t count) {
  add_checked(steps_, Step{std::move(mechanism), count}, relation_);
  return *this;
}

Plan& Plan::add(Steps group, std::int64_t count) {
  add_checked(steps_, Step{std::move(group), count}, relation_);
  return *this;
}

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

std::vector<CountedMechanism> Plan::analysed() const { return plan::analysed_steps(steps_, relation_); }

std::int64_t plan::count_product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) throw count_too_large("a product of nested counts");
  return result;
}

std::vector<CountedMechanism> plan::merged_steps(const Steps& steps) {
  std::vector<CountedMechanism> result;
  std::map<std::tuple<std::string_view, const void*, std::vector<double>>, std::size_t> seen;
  const auto visit = [&](const Mechanism& mechanism, std::int64_t count) {
    const auto [where, fresh] =
        seen.try_emplace({mechanism.kind(), mechanism.identity(), mechanism.key()}, result.size());
    if (fresh) {
      result.push_back({mechanism, count});
      return;
    }
    std::int64_t& total = result[where->second].count;
    if (count > largest_count - total) throw count_too_large("a total of equal steps");
    total += count;
  };
  for (const Step& step : steps) for_each_mechanism(step, 1, 0, visit);
  return result;
}

std::vector<CountedMechanism> plan::analysed_steps(const Steps& steps, const Adjacency& adjacency) {
  std::vector<CountedMechanism> result;
  for (const CountedMechanism& step : plan::merged_steps(steps)) {
    result.push_back({renyi::analysed(step.mechanism, adjacency), step.count});
  }
  return result;
}

}  // namespace renyi
