// Privacy filters: budgets for steps that are chosen on the way, after earlier results were seen. A filter is asked
// before each step whether it may run, so that the whole adaptive interaction keeps the budget (docs/math/filters.md).
//
//     renyi::Filter filter(renyi::Budget::zcdp(0.5));
//     if (filter.charge(renyi::Gaussian{.stddev = 4}).runs) release_something();
//     filter.headroom(renyi::Gaussian{.stddev = 10});  // how many more such steps may run
//     renyi::epsilon(filter.guarantee(), 1e-5).upper();  // what the whole interaction costs at most
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/cost.h"
#include "renyi/plan.h"

namespace renyi {

// ---- Budgets.

// What a budget limits. Every kind has a proof that holds for steps chosen on the way (docs/math/filters.md).
enum class BudgetKind {
  pure,    // the sum of the largest losses, epsilon
  zcdp,    // the divergence of every order a, by rho a
  tcdp,    // the same at orders up to omega
  gdp,     // the sum of mu^2 of mu-GDP steps
  approx,  // (epsilon, delta) by the constants of advanced composition, from the steps' own epsilons
  order,   // the divergence of one order
  curve,   // the divergences of several orders, each by its own limit
  shares,  // (epsilon, delta): delta is divided among several orders, and one of them must stay within its limit
};
inline constexpr std::array all_budget_kinds{BudgetKind::pure,  BudgetKind::zcdp,   BudgetKind::tcdp,
                                             BudgetKind::gdp,   BudgetKind::approx, BudgetKind::order,
                                             BudgetKind::curve, BudgetKind::shares};
// Returns "pure", "zcdp", "tcdp", "gdp", "approx", "order", "curve" or "shares".
[[nodiscard]] std::string_view to_string(BudgetKind kind) noexcept;

// A limit on the divergence of one order: the run is (order, epsilon)-RDP.
struct OrderLimit {
  double order = 0;
  double epsilon = 0;
  bool operator==(const OrderLimit&) const = default;
};

// The part of delta that belongs to one order.
struct OrderShare {
  double order = 0;
  double delta = 0;
  bool operator==(const OrderShare&) const = default;
};

// A budget: a plain value. The functions that make one check every number and throw InvalidArgument. Numbers that a
// kind does not have are 0.
struct Budget {
  BudgetKind kind = BudgetKind::pure;
  double epsilon = 0;                // pure, approx, shares
  double delta = 0;                  // approx: the delta of the theorem; shares: the sum of the shares, rounded up
  double rho = 0;                    // zcdp, tcdp
  double omega = 0;                  // tcdp
  double mu = 0;                     // gdp
  std::vector<OrderLimit> limits{};  // order, curve: by increasing order
  std::vector<OrderShare> order_shares{};  // shares: by increasing order
  // The probability of an infinite privacy loss that all steps together may have. It is a part of the delta of the
  // guarantee, beside the delta of the kinds approx and shares. With the kind zcdp, this is approximate zCDP. Steps
  // that may have an infinite loss are refused where it is 0.
  double infinite_mass = 0;

  [[nodiscard]] static Budget pure(double epsilon);
  [[nodiscard]] static Budget zcdp(double rho);
  [[nodiscard]] static Budget tcdp(double rho, double omega);
  [[nodiscard]] static Budget gdp(double mu);
  [[nodiscard]] static Budget approx(double epsilon, double delta);
  // Orders are above 1, up to largest_order; in a curve also infinity.
  [[nodiscard]] static Budget order(double order, double epsilon);
  [[nodiscard]] static Budget curve(std::vector<OrderLimit> limits);
  // The limits are the divergences of a plan: "whatever this plan would cost". An infinite mass of the plan becomes
  // that of the budget.
  [[nodiscard]] static Budget curve_of(const Analysis& analysis, const std::vector<double>& orders);
  [[nodiscard]] static Budget shares(double epsilon, std::vector<OrderShare> shares);

  // Returns the same budget with a probability of an infinite loss, in [0, 1).
  [[nodiscard]] Budget with_infinite_mass(double mass) const;
  // Returns whether every number is at most that of `cap`, and both are of the same kind, with the same orders.
  [[nodiscard]] bool is_within(const Budget& cap) const;

  bool operator==(const Budget&) const = default;
};

// Throws InvalidArgument if the budget is not one that the functions above make, for example because a member was
// changed to a number out of range. Filters check their budgets by it.
void check(const Budget& budget);

// Returns the orders that a budget by orders tracks if nothing else is said.
[[nodiscard]] const std::vector<double>& default_filter_orders();

// Returns what a run within the budget satisfies, as a plan of one or two promised steps, so that every question can be
// asked about it. The plan has the given relation; a unit above 1 is a part of the budget's meaning and is not applied
// again.
//
//     renyi::epsilon(renyi::guarantee(renyi::Budget::gdp(1)), 1e-5).upper();  // 4.37..., the exact profile of GDP
[[nodiscard]] Plan guarantee(const Budget& budget, Neighbors neighbors = Neighbors::add_or_remove_one);

// Reads a budget, the "budget" of a filter file (docs/format/filter.md). Throws InvalidArgument, with the JSON path.
[[nodiscard]] Budget read_budget(std::string_view json);
// Writes a budget in its stored form.
[[nodiscard]] std::string write_budget(const Budget& budget);

// ---- Filters.

// How much is spent of one number that a budget limits.
struct Balance {
  std::string name{};             // "epsilon", "rho", "mu", "order 8", "infinite mass"
  std::optional<double> order{};  // for a budget by orders
  double spent = 0;               // upper bound
  double limit = 0;
  // What one more step may cost, rounded down: limit - spent; for mu and in the kind approx, where squares add, the
  // root of what the squares leave.
  double left = 0;
  bool within = true;  // spent <= limit
};

// The answer to "may it run?".
struct FilterVerdict {
  bool runs = false;
  std::vector<Balance> after{};  // the balances if the step ran
  // Why the step may not run, in one sentence: which number, what it would be, its limit, and how much is left.
  std::string reason{};
};

// A change of one parameter with which a step would run.
struct FittingStep {
  std::string parameter{};  // as in plan files, for example "noise_multiplier"
  double value = 0;         // four digits, rounded towards less cost
  bool is_closest = true;   // false if the search ended early, and a smaller change may do
};

// Decides before each step whether it may run, and keeps the history. Steps may be chosen after results of earlier
// steps were seen, by one analyst or by several. A filter is a value; copies are independent, so never let two copies
// decide about the same data.
class Filter {
 public:
  // `cap` is the largest budget that set_budget may set later; the guarantee is that of the cap. Without it the budget
  // can only be lowered. Throws InvalidArgument if the budget is not within the cap, or if no function of Budget makes
  // it: the members of a budget can be changed one by one, but have to belong together.
  explicit Filter(Budget budget, const Adjacency& relation = {}, std::optional<Budget> cap = {});
  Filter(const Filter& other);
  Filter& operator=(const Filter& other);
  Filter(Filter&& other) noexcept;
  Filter& operator=(Filter&& other) noexcept;
  ~Filter();

  // Returns whether the steps may run now. Throws InvalidArgument if a count, or the number of all steps together, is
  // not in [1, 2^63-1], or the relation of a plan is not that of the filter; throws Unsupported, with the reason, if a
  // step has no cost of the budget's kind.
  [[nodiscard]] FilterVerdict may_run(const Mechanism& step, std::int64_t count = 1) const;
  [[nodiscard]] FilterVerdict may_run(const Plan& steps, std::int64_t count = 1) const;

  // Charges the steps if they may run. Run a step only after it was charged. If the verdict is no, or the function
  // throws, nothing changes.
  FilterVerdict charge(const Mechanism& step, std::int64_t count = 1);
  FilterVerdict charge(const Plan& steps, std::int64_t count = 1);

  // Returns how many more such steps, or whole plans, may run, up to 2^63-1 steps in all.
  [[nodiscard]] std::int64_t headroom(const Mechanism& step) const;
  [[nodiscard]] std::int64_t headroom(const Plan& steps) const;
  // Returns the smallest change of the step's noise, or of its own epsilon, with which it would run; std::nullopt if
  // there is none. The search ends after about a second, which steps whose cost takes long to compute may
  // need: FittingStep::is_closest is false then, or nothing was found.
  [[nodiscard]] std::optional<FittingStep> would_fit(const Mechanism& step, std::int64_t count = 1) const;
  // Returns the balances now, one for each number that the budget limits.
  [[nodiscard]] std::vector<Balance> remaining() const;

  [[nodiscard]] const Budget& budget() const noexcept;
  [[nodiscard]] const Budget& cap() const noexcept;
  // Changes the budget, for example to keep a reserve. Throws InvalidArgument if it is not within the cap. Since the
  // change may depend on results, the guarantee stays that of the cap.
  void set_budget(Budget budget);

  [[nodiscard]] const Adjacency& adjacency() const noexcept;
  // Returns the steps charged so far. Equal steps are merged, in the order of their first use.
  [[nodiscard]] Plan history() const;
  // Returns what the whole interaction satisfies, however long it goes on: `guarantee` of the cap.
  [[nodiscard]] Plan guarantee() const;
  // Returns the cost of the history if its steps had been fixed in advance. It is smaller than that of the guarantee,
  // it is not a bound for steps that were chosen on the way, and it decides nothing.
  [[nodiscard]] Cost cost_if_fixed_in_advance(double delta, const CostOptions& options = {}) const;

 private:
  friend Filter read_filter(std::string_view json);
  // Charges steps that an earlier filter has admitted. Returns whether they cost no more than the budget, up to
  // rounding.
  bool restore(const Plan& steps);

  class State;
  std::unique_ptr<State> state_;
};

// ---- Filter files, format version 1 (docs/format/filter.md).

// Reads a filter file. Throws InvalidArgument, with the JSON path, if the text is not one, if it was changed after it
// was written, or if its steps cost more than its cap.
[[nodiscard]] Filter read_filter(std::string_view json);
// Writes a filter file. Throws Unsupported if a step is a custom mechanism.
[[nodiscard]] std::string write_filter(const Filter& filter);

}  // namespace renyi
