#include "filter/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <unordered_map>

#include "mechanism/composed_curve.h"
#include "numerics/rounding.h"
#include "numerics/significant_digits.h"
#include "relate/divergence_growth.h"
#include "renyi/extras/curve.h"

namespace renyi::filter {

double left_of(double limit, double spent) {
  if (!(spent < limit)) return 0;
  const double left = limit - spent;
  return spent == 0 ? left : std::max(0.0, numerics::next_down(left));
}

// B = epsilon - ln((a-1)/a) + (ln delta + ln a)/(a-1): the tight conversion solved for the divergence.
double share_limit(double epsilon, const OrderShare& share) {
  const double z = share.order - 1;
  const double gain = std::log1p(1 / z) + std::log(share.order) / z, price = -std::log(share.delta) / z;
  return epsilon + gain - price - 16 * numerics::unit_roundoff * (epsilon + gain + price);
}

// Each addition has a few rounding errors, of the product and of the sum.
void add(Bounded& total, const Term& term, std::int64_t count) {
  const auto n = static_cast<double>(count);
  total.value += n * term.bound.value;
  total.error =
      std::isinf(total.value) ? 0 : total.error + n * term.bound.error + 4 * numerics::unit_roundoff * total.value;
}

namespace tally_file {
namespace {

// mu^2 as a decimal or, if no double represents it, rounded down.
double square_down(double mu) {
  if (mu == 0) return 0;
  const double square = numerics::decimal_product_up(mu, mu);
  return numerics::is_decimal_product(square, mu, mu) ? square : numerics::next_down(mu * mu);
}

// Composes curves that `curve_of` takes from the costs; steps for which it gives none are left out.
template <class CurveOf>
mechanism::ComposedCurve composed(const std::vector<Charge>& entries, const std::vector<Charge>& more,
                                  const CurveOf& curve_of) {
  std::vector<mechanism::CountedCurve> curves;
  std::unordered_map<const Curve*, std::size_t> where;
  for (const auto* list : {&entries, &more}) {
    for (const Charge& charge : *list) {
      const std::shared_ptr<const Curve> curve = curve_of(*charge.cost);
      if (curve == nullptr) continue;
      const auto [found, is_new] = where.emplace(curve.get(), curves.size());
      std::int64_t both = 0;
      if (!is_new && !__builtin_add_overflow(curves[found->second].count, charge.count, &both)) {
        curves[found->second].count = both;
        continue;
      }
      found->second = curves.size();  // counts that are too large for one entry make two
      curves.push_back({curve, charge.count});
    }
  }
  return mechanism::ComposedCurve(std::move(curves));
}

// The number of kinds of steps whose divergences are not lines.
std::size_t bent_kinds(const std::vector<Charge>& entries, const std::vector<Charge>& more) {
  std::set<const Curve*> curves;
  for (const auto* list : {&entries, &more}) {
    for (const Charge& charge : *list) {
      if (!charge.cost->is_line) curves.insert(charge.cost->curve.get());
    }
  }
  return curves.size();
}

}  // namespace
}  // namespace tally_file

std::size_t Limit::count(const Budget& budget) {
  return std::max<std::size_t>(1, budget.limits.size() + budget.order_shares.size());
}

Limit::Limit(const Budget& budget, std::size_t index) : kind_(budget.kind) {
  switch (budget.kind) {
    case BudgetKind::pure:
      name_ = "epsilon";
      limit_ = sum_limit_ = budget.epsilon;
      break;
    case BudgetKind::zcdp:
    case BudgetKind::tcdp:
      name_ = "rho";
      limit_ = sum_limit_ = budget.rho;
      break;
    case BudgetKind::gdp:
      name_ = "mu";
      limit_ = budget.mu;
      sum_limit_ = tally_file::square_down(budget.mu);
      break;
    case BudgetKind::approx:
      name_ = "epsilon";
      limit_ = budget.epsilon;
      log_inverse_delta_ = numerics::log_inverse_up(budget.delta);
      break;
    case BudgetKind::order:
    case BudgetKind::curve:
      order_ = budget.limits[index].order;
      limit_ = sum_limit_ = budget.limits[index].epsilon;
      break;
    case BudgetKind::shares:
      order_ = budget.order_shares[index].order;
      limit_ = sum_limit_ = share_limit(budget.epsilon, budget.order_shares[index]);
      break;
  }
  if (order_) name_ = fmt::format("order {}", *order_);
}

// approx: sqrt(2 ln(1/delta) S) + S/2 of the sum S of the squared epsilons (Whitehouse et al. 2023).
double Limit::shown(double total) const {
  if (total == 0) return 0;
  if (kind_ == BudgetKind::gdp) return numerics::sqrt_up(total);
  if (kind_ != BudgetKind::approx) return total;
  const double root = numerics::sqrt_up(numerics::product_up(2 * log_inverse_delta_, total));
  return numerics::sum_up(root, 0.5 * total);
}

// Squares add in gdp and approx: there, what is left is the root of what the sum of squares leaves.
double Limit::left(double total, double spent) const {
  if (kind_ != BudgetKind::gdp && kind_ != BudgetKind::approx) return left_of(limit_, spent);
  if (!(spent < limit_)) return 0;
  constexpr double few_roundings = 1e-14;
  double most = sum_limit_;
  if (kind_ == BudgetKind::approx) {
    // The root of sqrt(2 l) s + s^2/2 = limit, without cancellation.
    const double twice = 2 * log_inverse_delta_;
    const double root = 2 * limit_ / (std::sqrt(twice) + std::sqrt(twice + 2 * limit_));
    most = root * root;
  }
  if (total == 0 && kind_ == BudgetKind::gdp) return limit_;
  return std::sqrt(std::max(0.0, most * (1 - few_roundings) - total)) * (1 - few_roundings);
}

bool Limit::keeps(const Bounded& total) const {
  if (kind_ == BudgetKind::approx) return shown(total.upper()) <= limit_;
  return total.upper() <= sum_limit_;
}

Balance Limit::balance(const std::array<Bounded, 2>& totals) const {
  Balance balance{.name = name_, .order = order_, .limit = limit_};
  double most = 0;
  for (const Bounded& total : totals) {
    const bool within = keeps(total);
    balance.within = balance.within && within;
    // The root of mu^2 is rounded up and may exceed a limit that mu^2 keeps.
    const double spent = within ? std::min(limit_, shown(total.upper())) : shown(total.upper());
    balance.spent = std::max(balance.spent, spent);
    most = std::max(most, total.upper());
  }
  balance.left = left(most, balance.spent);
  return balance;
}

Tally::Tally(const Budget& budget) : totals_(Limit::count(budget)) { set_budget(budget); }

void Tally::set_budget(const Budget& budget) {
  std::vector<Limit> quantities;
  for (std::size_t i = 0; i < Limit::count(budget); ++i) quantities.emplace_back(budget, i);
  budget_ = budget;
  limits_ = std::move(quantities);
}

void Tally::reserve(std::size_t more) {
  const std::size_t size = entries_.size() + more;
  if (size > entries_.capacity()) entries_.reserve(2 * size);
}

void Tally::add(std::size_t index, const Charge& charge) {
  if (index < entries_.size()) {
    entries_[index].count += charge.count;
  } else {
    entries_.push_back(charge);
  }
  charged_mass_ = charged_mass_ || charge.cost->infinite_mass.bound.upper() > 0;
  for (std::size_t q = 0; q < totals_.size(); ++q) {
    for (std::size_t d = 0; d < 2; ++d) filter::add(totals_[q][d], charge.cost->quantities[q][d], charge.count);
  }
}

// Costs that are quotients of decimals are added exactly, so that ten times 0.1 is 1.
template <class TermOf>
Bounded Tally::exact_total(const std::vector<Charge>& more, const TermOf& term_of) const {
  std::vector<numerics::CountedQuotient> written;
  Bounded others;
  const auto take = [&](const Charge& charge) {
    const Term& term = term_of(*charge.cost);
    if (term.exact) {
      written.push_back({*term.exact, charge.count});
    } else {
      filter::add(others, term, charge.count);
    }
  };
  for (const Charge& charge : entries_) take(charge);
  for (const Charge& charge : more) take(charge);
  if (written.empty()) return others;
  const Bounded sum = numerics::decimal_sum_interval(written);
  if (others.value == 0 && others.error == 0) return sum;
  const double value = sum.value + others.value;
  return {value, sum.error + others.error + 2 * numerics::unit_roundoff * value};
}

// The running sums decide, except where their rounding would.
Tally::Totals Tally::totals(std::size_t quantity, const std::vector<Charge>& more) const {
  Totals totals = totals_[quantity];
  for (std::size_t d = 0; d < 2; ++d) {
    for (const Charge& charge : more) filter::add(totals[d], charge.cost->quantities[quantity][d], charge.count);
    const Limit& limit = limits_[quantity];
    if (!limit.keeps(totals[d]) && limit.keeps({totals[d].lower(), 0})) {
      totals[d] = exact_total(more, [=](const StepCost& cost) -> const Term& { return cost.quantities[quantity][d]; });
    }
  }
  return totals;
}

bool Tally::has_curves(const std::vector<Charge>& more) const {
  const auto has = [](const Charge& charge) { return charge.cost->whole != nullptr; };
  return std::all_of(entries_.begin(), entries_.end(), has) && std::all_of(more.begin(), more.end(), has);
}

// Some step reveals everything with probability 1 - prod (1-d), which is at most the sum of the d, except for
// rounding: decimals are added exactly.
Balance Tally::mass_balance(const std::vector<Charge>& more) const {
  const double limit = budget_.infinite_mass;
  double total = exact_total(more, [](const StepCost& cost) -> const Term& { return cost.infinite_mass; }).upper();
  if (total > 0 && has_curves(more)) {
    const auto curve = tally_file::composed(entries_, more, [](const StepCost& cost) { return cost.whole; });
    const double remove = curve.infinite_mass(Direction::remove).upper();
    total = std::min(total, std::max(remove, curve.infinite_mass(Direction::add).upper()));
  }
  return {
      .name = "infinite mass", .spent = total, .limit = limit, .left = left_of(limit, total), .within = total <= limit};
}

namespace tally_file {
namespace {

// A sum of costs that exceeds its limit by less than this may do so by rounding.
constexpr double rounding = 1e-9;

// A lower bound on the supremum of D_a / a of all steps: its value at either end of the orders.
double least_supremum(const std::vector<Charge>& entries, const std::vector<Charge>& more) {
  std::array<double, 2> sums{};
  for (const auto* list : {&entries, &more}) {
    for (const Charge& charge : *list) {
      for (std::size_t i = 0; i < 2; ++i) sums[i] += static_cast<double>(charge.count) * charge.cost->end_rates[i];
    }
  }
  return (1 - 1e-12) * std::max(sums[0], sums[1]);
}

}  // namespace
}  // namespace tally_file

// The bound of the composed steps, computed as for a plan that was fixed in advance. It can be smaller than the sum of
// the costs: by rounding and, for zCDP and tCDP, because the supremum over the orders of a sum is at most the sum of
// the suprema, with equality if the divergences of all steps but one kind are lines. It takes longer, and is asked for
// only where it may matter.
std::optional<double> Tally::composed_bound(std::size_t quantity, const Balance& sum,
                                            const std::vector<Charge>& more) const {
  const bool is_near = sum.spent <= sum.limit + tally_file::rounding * std::abs(sum.limit);
  if (!has_curves(more)) return {};
  if (sum.order) {
    if (!is_near) return {};
    return rdp(tally_file::composed(entries_, more, [](const StepCost& cost) { return cost.curve; }), *sum.order)
        .upper();
  }
  if (budget_.kind == BudgetKind::pure) {
    if (!is_near) return {};
    return tally_file::composed(entries_, more, [](const StepCost& cost) { return cost.curve; })
        .worst_max_loss()
        .upper();
  }
  if (quantity != 0 || (budget_.kind != BudgetKind::zcdp && budget_.kind != BudgetKind::tcdp)) return {};
  // A limit of 0 asks what the steps cost.
  if (sum.limit > 0 && tally_file::least_supremum(entries_, more) > sum.limit) return {};
  const std::size_t kinds = tally_file::bent_kinds(entries_, more);
  if (kinds == 0 || (kinds == 1 && !is_near)) return {};
  const double last = budget_.kind == BudgetKind::tcdp ? budget_.omega : std::numeric_limits<double>::infinity();
  static const Term nothing;
  const Bounded lines = exact_total(
      more, [](const StepCost& cost) -> const Term& { return cost.is_line ? cost.quantities[0][0] : nothing; });
  const auto bent =
      tally_file::composed(entries_, more, [](const StepCost& cost) { return cost.is_line ? nullptr : cost.curve; });
  return numerics::sum_up(relate::smallest_rho(bent, last).upper, lines.upper());
}

Balance Tally::balance(std::size_t quantity, const std::vector<Charge>& more) const {
  Balance sum = limits_[quantity].balance(totals(quantity, more));
  if (sum.within) return sum;
  const auto bound = composed_bound(quantity, sum, more);
  if (!bound || *bound >= sum.spent) return sum;
  return limits_[quantity].balance({Bounded{*bound, 0}, Bounded{*bound, 0}});
}

// A budget without infinite mass may have been lowered to that after steps with infinite mass were charged.
std::vector<Balance> Tally::balances(const std::vector<Charge>& more) const {
  std::vector<Balance> balances;
  for (std::size_t q = 0; q < limits_.size(); ++q) balances.push_back(balance(q, more));
  if (budget_.infinite_mass > 0 || charged_mass_) balances.push_back(mass_balance(more));
  return balances;
}

namespace tally_file {
namespace {

// Six digits, rounded up or down; a number within one part in 1e12 of a shorter decimal is printed as that decimal.
std::string six_digits(double value, bool up) {
  constexpr int digits = 6;
  const double near = numerics::to_digits(value, digits, !up);
  const bool is_decimal = std::abs(near - value) <= 1e-12 * std::abs(value);
  return fmt::format("{:.6g}", is_decimal ? near : numerics::to_digits(value, digits, up));
}

// A number that looks like its limit in six digits is written in full.
std::string above(double value, double limit) {
  std::string text = six_digits(value, true);
  return limit >= 0 && text == six_digits(limit, false) ? fmt::format("{}", value) : text;
}

std::string over(const Balance& balance, double left) {
  return fmt::format("{} would be {}, its limit is {}, and {} is left", balance.name,
                     above(balance.spent, balance.limit),
                     balance.limit < 0 ? "below 0" : six_digits(balance.limit, false), six_digits(left, false));
}

const Balance* first_over(const std::vector<Balance>& balances) {
  const auto found =
      std::find_if(balances.begin(), balances.end(), [](const Balance& balance) { return !balance.within; });
  return found == balances.end() ? nullptr : &*found;
}

}  // namespace
}  // namespace tally_file

bool keep(const std::vector<Balance>& balances, const Budget& budget, double rounding) {
  const auto keeps = [rounding](const Balance& balance) {
    return balance.within || balance.spent <= balance.limit + rounding * std::abs(balance.limit);
  };
  const auto orders_end = balances.begin() + static_cast<std::ptrdiff_t>(Limit::count(budget));
  if (!std::all_of(orders_end, balances.end(), keeps)) return false;
  if (budget.kind == BudgetKind::shares) return std::any_of(balances.begin(), orders_end, keeps);
  return std::all_of(balances.begin(), orders_end, keeps);
}

FilterVerdict Tally::verdict(const std::vector<Charge>& more) const {
  FilterVerdict verdict{.after = balances(more)};
  const auto& after = verdict.after;
  const bool by_shares = budget_.kind == BudgetKind::shares;
  const auto orders_end = after.begin() + static_cast<std::ptrdiff_t>(limits_.size());
  const auto is_within = [](const Balance& balance) { return balance.within; };
  const bool one_within = std::any_of(after.begin(), orders_end, is_within);
  const Balance* over = tally_file::first_over(after);
  if (by_shares && one_within && std::all_of(orders_end, after.end(), is_within)) over = nullptr;
  if (over == nullptr) {
    verdict.runs = true;
    return verdict;
  }
  const auto now = balances({});
  if (by_shares && !one_within) {
    const auto nearest = std::min_element(after.begin(), orders_end, [](const Balance& a, const Balance& b) {
      return a.spent - a.limit < b.spent - b.limit;
    });
    const auto& left = now[static_cast<std::size_t>(nearest - after.begin())].left;
    verdict.reason = "no order stays within its limit; the nearest is: " + tally_file::over(*nearest, left);
    return verdict;
  }
  if (by_shares) over = &after.back();
  verdict.reason = tally_file::over(*over, now[static_cast<std::size_t>(over - after.data())].left);
  return verdict;
}

}  // namespace renyi::filter
