#include "filter/design_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "filter/largest_count.h"
#include "filter/tally.h"
#include "numerics/rounding.h"
#include "numerics/significant_digits.h"
#include "renyi/cost.h"
#include "renyi/error.h"
#include "renyi/rdp.h"

namespace renyi::filter {

namespace design_form_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Orders are searched in this range; beyond it budgets do not change much.
constexpr double least_order = 1 + 1e-6, most_order = 1e6;
// Budgets accept no smaller numbers, except 0.
constexpr double least_size = 1e-100, least_share = 1e-299;

// The order at which the Renyi bound of so many repetitions is smallest.
double best_order(const Workload& workload, std::int64_t count, double delta) {
  const RenyiBound bound = workload.renyi(count, delta);
  double order = bound.order;
  if (bound.conversion == Conversion::total_variation || !(order > 1)) order = 2;
  const auto finite = workload.curve().finite_part();
  const double last = finite ? finite->last_order() : workload.curve().last_order();
  return std::clamp(order, least_order, std::max(least_order, std::min(most_order, last)));
}

// An order of few digits near the given one, at which bounds are the same to about 1e-7.
double short_order(double order) {
  if (order < 1.01) return order;
  const double shorter = numerics::to_nearest_digits(order, 5);
  return shorter > order && order >= most_order ? order : shorter;
}

Form order_form(const Workload& workload, std::int64_t count, double delta) {
  const double order = short_order(best_order(workload, count, delta));
  return {[=](double size, double) { return Budget::order(order, size); }};
}

// The orders around the best one, in case that the workload turns out different, and their parts of delta. Most of it
// belongs to the best order, so that little of the count is lost.
Form shares_form(const Workload& workload, std::int64_t count, double delta) {
  struct Part {
    double factor;
    double share;
  };
  constexpr std::array<Part, 5> parts{{{0.5, 0.05}, {0.7, 0.1}, {1, 0.699}, {1.4, 0.1}, {2, 0.05}}};
  const double z = best_order(workload, count, delta) - 1;
  const auto shares_of = [=](double rest) {
    std::vector<OrderShare> shares;
    for (const Part& part : parts) {
      const double order = short_order(1 + part.factor * z), share = part.share * rest;
      if (share >= least_share) shares.push_back({order, numerics::to_digits(share, 4, false)});
    }
    return shares;
  };
  return {[=](double size, double rest) { return Budget::shares(size, shares_of(rest)); }};
}

// Orders at which nothing is known of the workload are left out.
Form curve_form(const Workload& workload, std::int64_t count, double delta) {
  std::vector<double> orders = default_filter_orders();
  const double best = short_order(best_order(workload, count, delta));
  if (std::find(orders.begin(), orders.end(), best) == orders.end()) orders.push_back(best);
  const auto finite = workload.curve().finite_part();
  const Curve& curve = finite ? *finite : workload.curve();
  std::vector<OrderLimit> once;
  for (const double order : orders) {
    const double divergence = rdp(curve, order).upper();
    if (std::isfinite(divergence)) once.push_back({order, divergence});
  }
  if (once.empty()) throw Unsupported("steps", "their divergences of all orders are infinite or not known", "");
  return {[=](double size, double) {
            std::vector<OrderLimit> limits = once;
            for (OrderLimit& limit : limits) limit.epsilon = numerics::product_up(size, limit.epsilon);
            return Budget::curve(std::move(limits));
          },
          1e18};
}

Form tcdp_with(double omega) {
  return {[=](double size, double) { return Budget::tcdp(size, omega); }};
}

// Where D_a / a rises with the order a, omega is the best order; where it falls, a larger omega costs nothing. Tries
// omegas from the best order upwards as long as they help, and then one below.
Form tcdp_form(const Workload& workload, std::int64_t count, double delta) {
  constexpr std::array<double, 4> factors{1, 1.4, 8, 64};
  const double best = best_order(workload, count, delta);
  if (!workload.counts_steps()) return tcdp_with(short_order(best));  // each would be a search of several curves
  const auto omega_at = [&](double factor) { return short_order(std::min(1 + factor * (best - 1), most_order)); };
  const auto epsilon_at = [&](double omega) {
    return SizedBudgets(workload, tcdp_with(omega), delta).epsilon_for(count);
  };
  double omega = omega_at(factors[0]), least = epsilon_at(omega);
  const auto is_better = [&](double tried) {
    try {
      const double epsilon = epsilon_at(tried);
      if (!(epsilon < least * (1 - 1e-9))) return false;
      least = epsilon;
      omega = tried;
      return true;
    } catch (const Unsupported&) {
      return false;  // nothing is known of a step at this order
    }
  };
  for (std::size_t i = 1; i < factors.size() && is_better(omega_at(factors[i]));) ++i;
  is_better(omega_at(1 / factors[1]));
  return tcdp_with(omega);
}

}  // namespace
}  // namespace design_form_file

Form form_of(BudgetKind kind, const Workload& workload, std::int64_t count, double delta) {
  using namespace design_form_file;
  switch (kind) {
    case BudgetKind::pure: return {[](double size, double) { return Budget::pure(size); }};
    case BudgetKind::zcdp: return {[](double size, double) { return Budget::zcdp(size); }};
    case BudgetKind::gdp: return {[](double size, double) { return Budget::gdp(size); }, 1e25};
    case BudgetKind::approx: return {[](double size, double rest) { return Budget::approx(size, rest); }};
    case BudgetKind::tcdp: return tcdp_form(workload, count, delta);
    case BudgetKind::order: return order_form(workload, count, delta);
    case BudgetKind::curve: return curve_form(workload, count, delta);
    case BudgetKind::shares: break;
  }
  return shares_form(workload, count, delta);
}

SizedBudgets::SizedBudgets(const Workload& workload, Form form, double delta)
    : workload_(workload),
      form_(std::move(form)),
      delta_(delta),
      filter_(budget(0, 0), workload.once().adjacency(),
              form_.make(form_.largest_size, delta).with_infinite_mass(workload.has_infinite_mass() ? 0.5 : 0)) {}

// With an infinite mass m, a delta d of the rest is m + (1-m) d of the whole. Six digits leave room for the rounding of
// sums.
Budget SizedBudgets::budget(double size, double mass) const {
  constexpr double room = 1 - 1e-6;
  const double rest = mass == 0 ? delta_ : numerics::to_digits(room * (delta_ - mass) / (1 - mass), 6, false);
  return form_.make(size, rest).with_infinite_mass(mass);
}

double SizedBudgets::epsilon_of(const Budget& budget) const {
  return epsilon(guarantee(budget, workload_.once().neighbors()), delta_).upper();
}

bool SizedBudgets::admits(double size, double mass, std::int64_t count) {
  filter_.set_budget(budget(size, mass));
  return filter_.may_run(workload_.once(), count).runs;
}

std::vector<Balance> SizedBudgets::balances(double size, double mass, std::int64_t count) {
  filter_.set_budget(budget(size, mass));
  return filter_.may_run(workload_.once(), count).after;
}

double SizedBudgets::mass_of(std::int64_t count) {
  if (!workload_.has_infinite_mass()) return 0;
  filter_.set_budget(filter_.cap());
  return numerics::to_digits(filter_.may_run(workload_.once(), count).after.back().spent, 6, true);
}

std::optional<double> SizedBudgets::cost_once() {
  const BudgetKind kind = filter_.cap().kind;
  if (workload_.counts_steps() || (kind != BudgetKind::zcdp && kind != BudgetKind::tcdp)) return {};
  if (!cost_once_) {
    constexpr double room = 1 + 1e-12;  // for the rounding of products and sums
    cost_once_ = room * balances(0, mass_of(1), 1).front().spent;
  }
  return cost_once_;
}

// The balances of a budget of size 0 say what the repetitions cost.
std::optional<Budget> SizedBudgets::smallest_for(std::int64_t count) {
  const double mass = mass_of(count);
  if (mass > 0 && !(mass < delta_)) return {};
  if (const auto once = cost_once()) {
    const double size = numerics::product_up(static_cast<double>(count), *once);
    return size <= form_.largest_size ? std::optional(budget(size, mass)) : std::nullopt;
  }
  const std::vector<Balance> costs = balances(0, mass, count);
  double size = costs.front().spent;
  const Budget zero = budget(0, mass);
  if (zero.kind == BudgetKind::shares) {
    size = design_form_file::infinity;
    for (std::size_t i = 0; i < zero.order_shares.size(); ++i) {
      size = std::min(size, std::max(0.0, costs[i].spent - costs[i].limit));
    }
  } else if (zero.kind == BudgetKind::curve) {
    size = static_cast<double>(count);
  }
  if (size > 0) size = std::max(size, design_form_file::least_size);
  if (!(size <= form_.largest_size)) return {};
  // Sums of decimals are exact only next to their limit.
  const double shorter = numerics::to_nearest_digits(size, 13);
  const bool may_be_exact = shorter < size && size - shorter < 1e-13 * size;
  if (may_be_exact && admits(shorter, mass, count)) return budget(shorter, mass);
  for (double step = size * 0x1p-52; !admits(size, mass, count); step *= 2) {
    size += std::max(step, design_form_file::least_size);
    if (!(size <= form_.largest_size)) return {};
  }
  return budget(size, mass);
}

// The budget changes only what is compared with the costs, so that they need not be computed again.
std::int64_t SizedBudgets::admitted_by(const Budget& budget) {
  const auto once = cost_once();
  filter_.set_budget(budget);
  const double estimate = once && *once > 0 ? std::floor(budget.rho / *once) : design_form_file::infinity;
  if (budget.infinite_mass > 0 || estimate > 1e15) return workload_.admitted_by(filter_);
  auto count = static_cast<std::int64_t>(estimate);
  while (filter_.may_run(workload_.once(), count + 1).runs) ++count;
  while (count > 0 && !filter_.may_run(workload_.once(), count).runs) --count;
  return count;
}

double SizedBudgets::epsilon_for(std::int64_t count) {
  const auto smallest = smallest_for(count);
  return smallest ? epsilon_of(*smallest) : design_form_file::infinity;
}

// The epsilon of a guarantee never falls with the size.
double SizedBudgets::largest_size(double mass, double epsilon) const {
  const auto meets = [&](double size) { return epsilon_of(budget(size, mass)) <= epsilon; };
  double good = 0, bad = std::min(1.0, form_.largest_size);
  while (meets(bad)) {
    good = bad;
    if (bad == form_.largest_size) return good;
    bad = std::min(16 * bad, form_.largest_size);
  }
  constexpr double least = 1e-60;
  for (double next = bad / 16; good == 0 && bad > least; next = bad / 16) (meets(next) ? good : bad) = next;
  constexpr double width = 1e-13;
  while (good > 0 && bad - good > width * bad) {
    const double middle = std::sqrt(good) * std::sqrt(bad);
    if (!(middle > good && middle < bad)) break;
    (meets(middle) ? good : bad) = middle;
  }
  // The largest size may be a short decimal, such as the epsilon of the target itself.
  const double shorter = numerics::to_nearest_digits(bad, 12);
  return shorter > good && shorter <= form_.largest_size && meets(shorter) ? shorter : good;
}

std::optional<Budget> SizedBudgets::largest_within(double epsilon) {
  double mass = 0;
  if (workload_.has_infinite_mass()) {
    const std::int64_t count =
        largest_count(workload_.most(), [&](std::int64_t n) { return epsilon_for(n) <= epsilon; });
    mass = mass_of(std::max<std::int64_t>(count, 1));
    if (!(mass < delta_)) return {};
  }
  const double size = largest_size(mass, epsilon);
  const Budget largest = budget(size, mass);
  if (!(epsilon_of(largest) <= epsilon)) return {};
  const std::int64_t count = admitted_by(largest);
  const auto admits_as_many = [&](const Budget& shorter) {
    filter_.set_budget(shorter);
    return count == 0 || filter_.may_run(workload_.once(), count).runs;
  };
  for (const int digits : {3, 4, 5, 6, 8, 10, 12}) {
    if (size == 0) break;
    const Budget shorter = budget(numerics::to_digits(size, digits, false), mass);
    if (admits_as_many(shorter) && epsilon_of(shorter) <= epsilon) return shorter;
  }
  return largest;
}

}  // namespace renyi::filter
