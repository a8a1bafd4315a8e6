// Budgets: their checks, the order among them, and what a run within a budget satisfies.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/filter.h"
#include "renyi/rdp.h"

namespace renyi {

std::string_view to_string(BudgetKind kind) noexcept {
  switch (kind) {
    case BudgetKind::pure: return "pure";
    case BudgetKind::zcdp: return "zcdp";
    case BudgetKind::tcdp: return "tcdp";
    case BudgetKind::gdp: return "gdp";
    case BudgetKind::approx: return "approx";
    case BudgetKind::order: return "order";
    case BudgetKind::curve: return "curve";
    case BudgetKind::shares: return "shares";
  }
  return "unknown";
}

namespace budget_file {
namespace {

// The range that the promised steps of a guarantee accept (renyi/mechanisms.h).
constexpr double least = 1e-100, most = 1e50, most_mu = 1e25;
constexpr double least_delta = 1e-300;

void check_amount(const std::string& field, double value, double highest = most) {
  if (value == 0 || (value >= least && value <= highest)) return;
  throw InvalidArgument(field, fmt::format("{}", value), fmt::format("0, or a number in [{}, {}]", least, highest));
}

void check_delta(const std::string& field, double value) {
  if (value >= least_delta && value < 1) return;
  throw InvalidArgument(field, fmt::format("{}", value), fmt::format("a number in [{}, 1)", least_delta));
}

void check_finite_order(const std::string& field, double order) {
  if (order > 1 && order <= largest_order) return;
  throw InvalidArgument(field, fmt::format("{}", order), fmt::format("an order in (1, {}]", largest_order));
}

void check_order_or_infinity(const std::string& field, double order) {
  if (order > 1 && (order <= largest_order || std::isinf(order))) return;
  throw InvalidArgument(field, fmt::format("{}", order), fmt::format("an order in (1, {}], or inf", largest_order));
}

// Sorts by order and refuses an order that occurs twice.
template <class At>
void sort_by_order(std::vector<At>& list, const std::string& field) {
  if (list.empty()) throw InvalidArgument(field, "none", "at least one order");
  std::sort(list.begin(), list.end(), [](const At& a, const At& b) { return a.order < b.order; });
  const auto twice =
      std::adjacent_find(list.begin(), list.end(), [](const At& a, const At& b) { return a.order == b.order; });
  if (twice != list.end()) throw InvalidArgument(field, fmt::format("order {} twice", twice->order), "distinct orders");
}

template <class At>
bool same_orders(const std::vector<At>& a, const std::vector<At>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const At& x, const At& y) { return x.order == y.order; });
}

}  // namespace
}  // namespace budget_file

Budget Budget::pure(double epsilon) {
  budget_file::check_amount("epsilon", epsilon);
  Budget budget;
  budget.epsilon = epsilon;
  return budget;
}

Budget Budget::zcdp(double rho) {
  budget_file::check_amount("rho", rho);
  Budget budget{.kind = BudgetKind::zcdp};
  budget.rho = rho;
  return budget;
}

Budget Budget::tcdp(double rho, double omega) {
  budget_file::check_amount("rho", rho);
  budget_file::check_finite_order("omega", omega);
  Budget budget{.kind = BudgetKind::tcdp};
  budget.rho = rho;
  budget.omega = omega;
  return budget;
}

Budget Budget::gdp(double mu) {
  budget_file::check_amount("mu", mu, budget_file::most_mu);
  Budget budget{.kind = BudgetKind::gdp};
  budget.mu = mu;
  return budget;
}

Budget Budget::approx(double epsilon, double delta) {
  budget_file::check_amount("epsilon", epsilon);
  budget_file::check_delta("delta", delta);
  Budget budget{.kind = BudgetKind::approx};
  budget.epsilon = epsilon;
  budget.delta = delta;
  return budget;
}

Budget Budget::order(double order, double epsilon) {
  budget_file::check_finite_order("order", order);
  budget_file::check_amount("epsilon", epsilon);
  Budget budget{.kind = BudgetKind::order};
  budget.limits = {{order, epsilon}};
  return budget;
}

Budget Budget::curve(std::vector<OrderLimit> limits) {
  for (std::size_t i = 0; i < limits.size(); ++i) {
    budget_file::check_order_or_infinity(fmt::format("limits[{}].order", i), limits[i].order);
    budget_file::check_amount(fmt::format("limits[{}].epsilon", i), limits[i].epsilon);
  }
  budget_file::sort_by_order(limits, "limits");
  Budget budget{.kind = BudgetKind::curve};
  budget.limits = std::move(limits);
  return budget;
}

Budget Budget::curve_of(const Analysis& analysis, const std::vector<double>& orders) {
  const Curve& whole = *analysis.curve();
  const auto finite = whole.finite_part();
  const Curve& curve = finite ? *finite : whole;
  std::vector<OrderLimit> limits;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    budget_file::check_order_or_infinity(fmt::format("orders[{}]", i), orders[i]);
    const double divergence = renyi::rdp(curve, orders[i]).upper();
    if (!std::isfinite(divergence)) {
      throw Unsupported(fmt::format("orders[{}]", i),
                        fmt::format("the plan has no finite divergence of order {}", orders[i]), "use other orders");
    }
    // The steps of a plan may be charged in any order, in which sums round differently.
    constexpr double room = 1 + 1e-12;
    limits.push_back({orders[i], divergence == 0 ? 0 : std::max(budget_file::least, room * divergence)});
  }
  double mass = 0;
  if (finite) {
    mass = std::max(whole.infinite_mass(Direction::remove).upper(), whole.infinite_mass(Direction::add).upper());
  }
  return Budget::curve(std::move(limits)).with_infinite_mass(mass);
}

Budget Budget::shares(double epsilon, std::vector<OrderShare> shares) {
  budget_file::check_amount("epsilon", epsilon);
  double total = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    budget_file::check_finite_order(fmt::format("shares[{}].order", i), shares[i].order);
    budget_file::check_delta(fmt::format("shares[{}].delta", i), shares[i].delta);
  }
  budget_file::sort_by_order(shares, "shares");
  for (const OrderShare& share : shares) total = numerics::sum_up(total, share.delta);
  if (!(total < 1)) throw InvalidArgument("shares", fmt::format("a sum of {}", total), "a sum below 1");
  Budget budget{.kind = BudgetKind::shares};
  budget.epsilon = epsilon;
  budget.delta = total;
  budget.order_shares = std::move(shares);
  return budget;
}

Budget Budget::with_infinite_mass(double mass) const {
  if (mass != 0 && !(mass >= budget_file::least_delta && mass < 1)) {
    throw InvalidArgument("infinite_mass", fmt::format("{}", mass),
                          fmt::format("0, or a number in [{}, 1)", budget_file::least_delta));
  }
  Budget budget = *this;
  budget.infinite_mass = mass;
  return budget;
}

bool Budget::is_within(const Budget& cap) const {
  if (kind != cap.kind || omega != cap.omega) return false;
  if (!budget_file::same_orders(limits, cap.limits) || !budget_file::same_orders(order_shares, cap.order_shares))
    return false;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (!(limits[i].epsilon <= cap.limits[i].epsilon)) return false;
  }
  for (std::size_t i = 0; i < order_shares.size(); ++i) {
    if (!(order_shares[i].delta <= cap.order_shares[i].delta)) return false;
  }
  return epsilon <= cap.epsilon && delta <= cap.delta && rho <= cap.rho && mu <= cap.mu &&
         infinite_mass <= cap.infinite_mass;
}

// Makes the budget anew by the functions that check it.
void check(const Budget& budget) {
  const auto made = [&]() -> Budget {
    switch (budget.kind) {
      case BudgetKind::pure: return Budget::pure(budget.epsilon);
      case BudgetKind::zcdp: return Budget::zcdp(budget.rho);
      case BudgetKind::tcdp: return Budget::tcdp(budget.rho, budget.omega);
      case BudgetKind::gdp: return Budget::gdp(budget.mu);
      case BudgetKind::approx: return Budget::approx(budget.epsilon, budget.delta);
      case BudgetKind::order:
        if (budget.limits.size() != 1) throw InvalidArgument("limits", "no one order", "one order");
        return Budget::order(budget.limits[0].order, budget.limits[0].epsilon);
      case BudgetKind::curve: return Budget::curve(budget.limits);
      case BudgetKind::shares: return Budget::shares(budget.epsilon, budget.order_shares);
    }
    throw InvalidArgument("kind", fmt::format("{}", static_cast<int>(budget.kind)), "a BudgetKind");
  };
  if (made().with_infinite_mass(budget.infinite_mass) == budget) return;
  throw InvalidArgument("budget", "numbers that its kind does not have, or orders that are not sorted",
                        "a budget made by Budget::pure, Budget::zcdp, ...");
}

const std::vector<double>& default_filter_orders() {
  static const std::vector<double> orders{1.25, 1.5, 2,  2.5, 3,  4,  5,  6,  8,   10,  12,  14,
                                          16,   20,  24, 28,  32, 40, 48, 64, 128, 256, 512, 1024};
  return orders;
}

namespace budget_file {
namespace {

Mechanism promised_step(const Budget& budget) {
  switch (budget.kind) {
    case BudgetKind::pure: return PureDp{budget.epsilon};
    case BudgetKind::zcdp: return Zcdp{budget.rho};
    case BudgetKind::tcdp: return Tcdp{budget.rho, budget.omega};
    case BudgetKind::gdp: return Gdp{budget.mu};
    case BudgetKind::approx:
    case BudgetKind::shares: return ApproxDp{budget.epsilon, budget.delta};
    case BudgetKind::order:
    case BudgetKind::curve: break;
  }
  Rdp points;
  // A divergence of 0 at one order means that nothing is revealed.
  for (const OrderLimit& limit : budget.limits) {
    if (limit.epsilon == 0) return PureDp{0};
    points.points.push_back({limit.order, limit.epsilon});
  }
  return points;
}

}  // namespace
}  // namespace budget_file

// With an infinite mass m the run is (1-m) times a run within the rest of the budget plus m times anything, which is
// the composition with a step that reveals everything with probability m (docs/math/filters.md, "Infinite losses").
Plan guarantee(const Budget& budget, Neighbors neighbors) {
  check(budget);
  Plan plan(neighbors);
  plan.add(budget_file::promised_step(budget));
  if (budget.infinite_mass > 0) plan.add(ApproxDp{0, budget.infinite_mass});
  return plan;
}

}  // namespace renyi
