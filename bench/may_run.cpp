// Measures what a filter costs: one question "may it run?" and one charge, on a history of 10,000 steps of ten kinds,
// for every kind of budget, far from the limit and right at it.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "renyi/filter.h"
#include "renyi/renyi.h"
#include "timing.h"

namespace {

constexpr int distinct = 10, runs_of_each = 1000, calls = 200;

// Half of the steps are samples, so that divergences are not lines; promised and pure steps are among them where the
// budget has a cost for nothing else.
renyi::Mechanism step(int i, bool is_bounded) {
  const double scale = 40 + i;
  if (is_bounded) return renyi::Laplace{.scale = scale};
  if (i % 2 == 0) return renyi::Gaussian{.stddev = scale};
  return renyi::SampledGaussian{.sampling_rate = 0.01, .noise_multiplier = 1 + 0.1 * i};
}

bool is_bounded(renyi::BudgetKind kind) { return kind == renyi::BudgetKind::pure || kind == renyi::BudgetKind::approx; }

renyi::Plan history(bool bounded) {
  renyi::Plan plan;
  for (int i = 0; i < distinct; ++i) plan.add(step(i, bounded), runs_of_each);
  return plan;
}

struct Case {
  std::string name;
  renyi::Budget budget;
};

std::vector<Case> cases(double room) {
  std::vector<renyi::OrderLimit> limits;
  std::vector<renyi::OrderShare> shares;
  for (const double order : renyi::default_filter_orders()) {
    limits.push_back({order, 1e6 * room * order});
    shares.push_back({order, 1e-7});
  }
  return {{"pure", renyi::Budget::pure(1e6 * room)},
          {"zcdp", renyi::Budget::zcdp(1e6 * room)},
          {"tcdp, omega 32", renyi::Budget::tcdp(1e6 * room, 32)},
          {"gdp", renyi::Budget::gdp(1e6 * room)},
          {"approx", renyi::Budget::approx(1e6 * room, 1e-6)},
          {"order 8", renyi::Budget::order(8, 1e6 * room)},
          {fmt::format("curve, {} orders", limits.size()), renyi::Budget::curve(limits)},
          {fmt::format("shares, {} orders", shares.size()), renyi::Budget::shares(1e6 * room, shares)}};
}

// The budget that the history leaves with room for less than half a step.
renyi::Budget used_up(const renyi::Filter& filter, const renyi::Mechanism& next) {
  renyi::Budget budget = filter.budget();
  const auto now = filter.remaining(), after = filter.may_run(next).after;
  const auto middle = [&](std::size_t i) { return 0.5 * (now[i].spent + after[i].spent); };
  budget.epsilon = budget.rho = budget.mu = 0;
  switch (budget.kind) {
    case renyi::BudgetKind::zcdp:
    case renyi::BudgetKind::tcdp: budget.rho = middle(0); break;
    case renyi::BudgetKind::gdp: budget.mu = middle(0); break;
    case renyi::BudgetKind::pure:
    case renyi::BudgetKind::approx: budget.epsilon = middle(0); break;
    case renyi::BudgetKind::shares: budget.epsilon = 0.01; break;
    case renyi::BudgetKind::order:
    case renyi::BudgetKind::curve:
      for (std::size_t i = 0; i < budget.limits.size(); ++i) budget.limits[i].epsilon = middle(i);
  }
  return budget;
}

template <class Work>
void report(const std::string& what, double unit, const Work& work) {
  const double seconds = bench::median_seconds(31, [&] {
    double sum = 0;
    for (int i = 0; i < calls; ++i) sum += work();
    return sum;
  });
  fmt::print("    {:<24} {:>8.2f} us {:>8.0f} exp\n", what, seconds / calls * 1e6, seconds / calls / unit);
}

}  // namespace

int main() {
  const double unit = bench::exp_seconds();
  fmt::print("history: {} steps of {} kinds; one exp = {:.2f} ns\n", distinct * runs_of_each, distinct, unit * 1e9);
  for (const Case& one : cases(1)) {
    const bool bounded = is_bounded(one.budget.kind);
    const renyi::Mechanism next = step(1, bounded);
    renyi::Filter filter(one.budget);
    filter.charge(history(bounded));
    fmt::print("  {}\n", one.name);
    report("may_run", unit, [&] { return filter.may_run(next).runs ? 1.0 : 0.0; });
    report("charge", unit, [&] { return filter.charge(next).runs ? 1.0 : 0.0; });
    filter.set_budget(used_up(filter, next));
    report("may_run, refused", unit, [&] { return filter.may_run(next).runs ? 1.0 : 0.0; });
  }
}
