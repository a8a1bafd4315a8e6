// What steps cost in the quantities that a budget limits, and sums of such costs.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "numerics/decimal_arithmetic.h"
#include "renyi/filter.h"

namespace renyi::filter {

// The cost of one run in one quantity: a bound and, if the cost is a quotient of decimal numbers, that quotient.
struct Term {
  Bounded bound;
  std::optional<Quotient> exact{};
};

// A quantity in the directions remove and add. The budget limits both.
using Directed = std::array<Term, 2>;

// The cost of one run of a step in each quantity of a budget.
struct StepCost {
  std::vector<Directed> quantities;
  Term infinite_mass;  // in the larger direction
  // The curve of the step, and the same without infinite losses. Where many costs are kept they are left out (nullptr),
  // and sums alone decide: curves may be large, and grow while they are used.
  std::shared_ptr<const Curve> whole;
  std::shared_ptr<const Curve> curve;
  bool is_line = false;  // the divergence is a constant times the order
  // For zcdp and tcdp: lower bounds on D_a / a at order 1 and at the last order.
  std::array<double, 2> end_rates{};
};

// Computes the cost of an analysed step. Throws Unsupported if there is none of the budget's kind.
StepCost cost_of(const Mechanism& analysed, const Budget& budget);
// Gives a cost that was kept without curves those of its step.
void attach_curves(StepCost& cost, const Mechanism& analysed);

// A step and how often it runs.
struct Charge {
  std::shared_ptr<const StepCost> cost;
  std::int64_t count = 1;
};

// What a budget limits: a quantity, its name and its limit.
class Limit {
 public:
  Limit(const Budget& budget, std::size_t index);

  static std::size_t count(const Budget& budget);

  bool keeps(const Bounded& total) const;
  // Returns the limit of the sum of the costs. Budgets of the kind approx have none.
  double sum_limit() const noexcept { return sum_limit_; }
  // Returns the balance for the totals of both directions.
  Balance balance(const std::array<Bounded, 2>& totals) const;

 private:
  double shown(double total) const;
  double left(double total, double spent) const;

  BudgetKind kind_;
  std::string name_;
  std::optional<double> order_;
  double limit_ = 0;              // as the budget states it, or as it follows from its shares
  double sum_limit_ = 0;          // limits the sum of the costs
  double log_inverse_delta_ = 0;  // approx
};

// The sum of the costs of all steps so far, compared with a budget.
class Tally {
 public:
  explicit Tally(const Budget& budget);

  // Makes room, so that adding so many new entries does not throw.
  void reserve(std::size_t more);
  // Adds to the entry at this index, or appends a new one.
  void add(std::size_t index, const Charge& charge);
  // Changes the limits, not the quantities.
  void set_budget(const Budget& budget);
  const std::vector<Charge>& entries() const noexcept { return entries_; }

  // The balances and the verdict if more steps ran.
  std::vector<Balance> balances(const std::vector<Charge>& more) const;
  FilterVerdict verdict(const std::vector<Charge>& more) const;

 private:
  using Totals = std::array<Bounded, 2>;

  template <class TermOf>
  Bounded exact_total(const std::vector<Charge>& more, const TermOf& term) const;
  Totals totals(std::size_t quantity, const std::vector<Charge>& more) const;
  Balance balance(std::size_t quantity, const std::vector<Charge>& more) const;
  Balance mass_balance(const std::vector<Charge>& more) const;
  bool has_curves(const std::vector<Charge>& more) const;
  std::optional<double> composed_bound(std::size_t quantity, const Balance& sum, const std::vector<Charge>& more) const;

  Budget budget_;
  std::vector<Limit> limits_;
  std::vector<Charge> entries_;
  bool charged_mass_ = false;   // an entry may have an infinite loss
  std::vector<Totals> totals_;  // running sums, one for each quantity
};

// Returns whether the balances keep a budget of this kind. What exceeds a limit by this part of it counts as rounding:
// sums may have been rounded in another order, or on another machine.
bool keep(const std::vector<Balance>& balances, const Budget& budget, double rounding);

// Adds the cost of `count` runs to a sum, rounding errors included.
void add(Bounded& total, const Term& term, std::int64_t count);

// Returns the limit of the divergence of this order that proves (epsilon, delta) (docs/math/filters.md, "Shares"),
// rounded down. It may be negative: then the order admits nothing.
double share_limit(double epsilon, const OrderShare& share);

// Returns limit - spent, rounded down and at least 0.
double left_of(double limit, double spent);

}  // namespace renyi::filter
