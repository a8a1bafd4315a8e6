// Budgets of one kind that differ in one number, their size.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "filter/design_workload.h"
#include "renyi/filter.h"

namespace renyi::filter {

// The size of a budget is its epsilon, rho, mu or limit; that of a curve is a factor. `rest` is the part of delta that
// infinite losses leave.
struct Form {
  std::function<Budget(double size, double rest)> make;
  double largest_size = 1e50;
};

// Returns the form of a kind whose orders are the best ones for so many repetitions at this delta. Throws Unsupported
// if the workload has no cost of the kind.
Form form_of(BudgetKind kind, const Workload& workload, std::int64_t count, double delta);

// The budgets of one form, for one workload at one delta.
class SizedBudgets {
 public:
  SizedBudgets(const Workload& workload, Form form, double delta);

  // Returns the smallest budget that admits so many repetitions, up to rounding; std::nullopt if infinite losses need
  // all of delta.
  std::optional<Budget> smallest_for(std::int64_t count);
  // The epsilon that the smallest budget guarantees, which is infinite if there is none.
  double epsilon_for(std::int64_t count);
  // Returns the largest budget that meets the target, in the fewest digits that admit as many repetitions. Leaves
  // enough infinite mass for these. std::nullopt if not even a budget of size 0 meets it.
  std::optional<Budget> largest_within(double epsilon);
  // How many repetitions a new filter with this budget admits.
  std::int64_t admitted_by(const Budget& budget);

 private:
  Budget budget(double size, double mass) const;
  double epsilon_of(const Budget& budget) const;
  // Whether a budget admits so many repetitions, and what they cost beside its limits.
  bool admits(double size, double mass, std::int64_t count);
  std::vector<Balance> balances(double size, double mass, std::int64_t count);
  // The infinite mass of so many repetitions.
  double mass_of(std::int64_t count);
  double largest_size(double mass, double epsilon) const;
  // The cost of one repetition of several steps in zCDP or tCDP, for which a filter searches all orders: the cost of n
  // repetitions is n times as much. std::nullopt for other budgets.
  std::optional<double> cost_once();

  const Workload& workload_;
  Form form_;
  double delta_;
  Filter filter_;  // keeps the costs of the steps while the size changes
  std::optional<double> cost_once_;
};

}  // namespace renyi::filter
