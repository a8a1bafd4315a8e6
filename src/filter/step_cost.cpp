// The cost of one step in the quantities of a budget (docs/math/filters.md, "Costs").
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "filter/tally.h"
#include "mechanism/law.h"
#include "numerics/rounding.h"
#include "relate/divergence_growth.h"
#include "renyi/error.h"

namespace renyi::filter {

namespace step_cost_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// a * b if a double represents this decimal.
std::optional<double> decimal_product(double a, double b) {
  const double product = numerics::decimal_product_up(a, b);
  if (!std::isnormal(product) || !numerics::is_decimal_product(product, a, b)) return {};
  return product;
}

std::optional<Quotient> square_of(const Quotient& x) {
  const auto above = decimal_product(x.numerator, x.numerator), below = decimal_product(x.denominator, x.denominator);
  if (!above || !below) return {};
  return Quotient{*above, *below};
}

std::optional<Quotient> times(const std::optional<Quotient>& x, double factor) {
  if (!x) return {};
  const auto above = decimal_product(x->numerator, factor);
  if (!above) return {};
  return Quotient{*above, x->denominator};
}

std::optional<Quotient> half(const std::optional<Quotient>& x) {
  if (!x) return {};
  const auto below = decimal_product(x->denominator, 2);
  if (!below) return {};
  return Quotient{x->numerator, *below};
}

Bounded around(const Interval& range) {
  const double value = 0.5 * range.lower + 0.5 * range.upper;
  return {value, std::max(range.upper - value, value - range.lower) * (1 + 4 * numerics::unit_roundoff)};
}

// A step and what its costs are computed from.
struct Subject {
  const Mechanism& mechanism;
  const Curve& curve;
  mechanism::Law law;
  // A number that was rounded up need not be the decimal that it reads as.
  bool decimals = true;
};

// mu as a quotient, for N(0, 1) against N(mu, 1) and samples of it.
std::optional<Quotient> mu_quotient(const Subject& step) {
  if (!step.decimals) return {};
  if (const auto* normal = step.law.get_if<mechanism::NormalShift>()) return Quotient{normal->shift, normal->stddev};
  if (const auto* sampled = step.law.get_if<mechanism::SampledNormal>()) {
    return Quotient{1, sampled->noise_multiplier};
  }
  return {};
}

bool is_line(const mechanism::Law& law) {
  const auto* line = law.get_if<mechanism::DivergenceLine>();
  return law.is<mechanism::NormalShift>() || (line != nullptr && line->xi == 0);
}

// rho, if the divergence is rho times the order.
std::optional<Quotient> rho_quotient(const Subject& step) {
  if (!is_line(step.law) || !step.decimals) return {};
  if (const auto* line = step.law.get_if<mechanism::DivergenceLine>()) return Quotient{line->rho, 1};
  const auto mu = mu_quotient(step);
  const auto square = mu ? square_of(*mu) : std::nullopt;
  return half(square);
}

[[noreturn]] void refuse(const Subject& step, BudgetKind kind, const std::string& why, const std::string& instead) {
  throw Unsupported(
      "step", fmt::format("{} has no cost of the kind {}: {}", relate::name_of(step.mechanism), to_string(kind), why),
      instead);
}

Term max_loss(const Subject& step, Direction direction, BudgetKind kind) {
  Term term{step.curve.max_loss(direction)};
  if (!std::isfinite(term.bound.upper())) {
    refuse(step, kind, "its loss is unbounded",
           "use a budget of the kind zcdp, gdp, order, curve or shares, or charge it as an approx-dp step");
  }
  if (!step.decimals) return term;
  term.exact = step.curve.max_loss_quotient(direction);
  if (!term.exact && term.bound.error == 0) term.exact = Quotient{term.bound.value, 1};
  return term;
}

Term square(const Term& x) {
  const double upper = x.bound.upper(), lower = x.bound.lower();
  if (upper == 0) return {{}, Quotient{0, 1}};
  Term term{around({numerics::next_down(lower * lower), numerics::next_up(upper * upper)})};
  if (x.exact) term.exact = square_of(*x.exact);
  return term;
}

Directed pure_cost(const Subject& step) {
  return {max_loss(step, Direction::remove, BudgetKind::pure), max_loss(step, Direction::add, BudgetKind::pure)};
}

Directed approx_cost(const Subject& step) {
  const Term remove = max_loss(step, Direction::remove, BudgetKind::approx);
  const Term add = max_loss(step, Direction::add, BudgetKind::approx);
  const Term worst = square(remove.bound.upper() >= add.bound.upper() ? remove : add);
  return {worst, worst};
}

Directed concentrated_cost(const Subject& step, const Budget& budget) {
  const double last = budget.kind == BudgetKind::tcdp ? budget.omega : infinity;
  if (step.curve.last_order() < last) {
    refuse(step, budget.kind, fmt::format("nothing is known of it at orders above {}", step.curve.last_order()),
           "use tcdp with an omega up to that, or a budget by orders");
  }
  Term term{{}, rho_quotient(step)};
  if (is_line(step.law)) {
    term.bound = divergence(step.curve, 2, Direction::remove);
    term.bound = {0.5 * term.bound.value, 0.5 * term.bound.error};
  } else {
    term.bound = around(relate::smallest_rho(step.curve, last));
  }
  return {term, term};
}

std::array<double, 2> end_rates(const Curve& curve, const Budget& budget) {
  if (budget.kind != BudgetKind::zcdp && budget.kind != BudgetKind::tcdp) return {};
  const double at_one = divergence(curve, 1, Direction::remove).lower();
  if (budget.kind == BudgetKind::zcdp) return {at_one, curve.growth().rho * (1 - relate::growth_rounding)};
  const double at_omega = divergence(curve, budget.omega, Direction::remove).lower() / budget.omega;
  return {at_one, numerics::next_down(at_omega)};
}

Directed gdp_cost(const Subject& step) {
  const auto mu = relate::gdp_mu(step.curve);
  if (!mu) refuse(step, BudgetKind::gdp, "no theorem takes it to GDP", "use zcdp, or a budget by orders");
  const auto quotient = mu_quotient(step);
  Term term = square({around(*mu), quotient});
  return {term, term};
}

Term divergence_at(const Subject& step, double order, Direction direction, BudgetKind kind) {
  if (std::isinf(order)) return max_loss(step, direction, kind);
  const Bounded bound = divergence(step.curve, order, direction);
  if (!std::isfinite(bound.upper())) {
    // A step may exhaust an order if another one is left.
    if (kind == BudgetKind::shares) return {{infinity, 0}};
    refuse(step, kind, fmt::format("its divergence of order {} is infinite or not known", order),
           "use orders at which it is finite");
  }
  return {bound, times(rho_quotient(step), order)};
}

Directed order_cost(const Subject& step, double order, BudgetKind kind) {
  const Term remove = divergence_at(step, order, Direction::remove, kind);
  if (step.curve.is_symmetric()) return {remove, remove};
  return {remove, divergence_at(step, order, Direction::add, kind)};
}

std::vector<Directed> costs(const Subject& step, const Budget& budget) {
  switch (budget.kind) {
    case BudgetKind::pure: return {pure_cost(step)};
    case BudgetKind::approx: return {approx_cost(step)};
    case BudgetKind::zcdp:
    case BudgetKind::tcdp: return {concentrated_cost(step, budget)};
    case BudgetKind::gdp: return {gdp_cost(step)};
    case BudgetKind::order:
    case BudgetKind::curve:
    case BudgetKind::shares: break;
  }
  std::vector<Directed> result;
  for (const OrderLimit& limit : budget.limits) result.push_back(order_cost(step, limit.order, budget.kind));
  for (const OrderShare& share : budget.order_shares) result.push_back(order_cost(step, share.order, budget.kind));
  const auto is_finite = [](const Directed& cost) {
    return std::isfinite(cost[0].bound.value) && std::isfinite(cost[1].bound.value);
  };
  if (std::none_of(result.begin(), result.end(), is_finite)) {
    refuse(step, budget.kind, "its divergences of all these orders are infinite or not known",
           "use orders at which they are finite");
  }
  return result;
}

Term mass_of(const Curve& curve, bool decimals) {
  const Bounded remove = curve.infinite_mass(Direction::remove), add = curve.infinite_mass(Direction::add);
  Term term{remove.upper() >= add.upper() ? remove : add};
  if (decimals && term.bound.error == 0) term.exact = Quotient{term.bound.value, 1};
  return term;
}

}  // namespace
}  // namespace step_cost_file

void attach_curves(StepCost& cost, const Mechanism& analysed) {
  cost.curve = cost.whole = analysed.curve();
  if (cost.infinite_mass.bound.upper() > 0) cost.curve = cost.whole->finite_part();
}

StepCost cost_of(const Mechanism& analysed, const Budget& budget) {
  StepCost cost;
  cost.curve = cost.whole = analysed.curve();
  cost.infinite_mass = step_cost_file::mass_of(*cost.curve, !analysed.is_rounded());
  if (cost.infinite_mass.bound.upper() > 0) {
    const std::string name = relate::name_of(analysed);
    const double mass = cost.infinite_mass.bound.upper();
    auto finite = cost.curve->finite_part();
    if (budget.infinite_mass == 0 || !finite || !(mass < 1)) {
      throw Unsupported("step", fmt::format("the loss of {} is infinite with probability {:.6g}", name, mass),
                        "make the budget, or the odometer, with an infinite_mass for it");
    }
    cost.curve = std::move(finite);
  }
  const step_cost_file::Subject subject{analysed, *cost.curve, cost.curve->law(), !analysed.is_rounded()};
  cost.is_line = step_cost_file::is_line(subject.law);
  cost.quantities = step_cost_file::costs(subject, budget);
  cost.end_rates = step_cost_file::end_rates(*cost.curve, budget);
  return cost;
}

}  // namespace renyi::filter
