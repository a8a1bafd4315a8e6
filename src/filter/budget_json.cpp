#include "filter/budget_json.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "json/parse.h"
#include "json/write.h"
#include "plan/plan_reader.h"
#include "renyi/error.h"

namespace renyi::filter {

using json::Field;
using json::Json;

namespace budget_json_file {
namespace {

constexpr std::string_view a_number = "a number", an_order = "an order above 1";

double number(const Field& budget, std::string_view key) { return budget.require(key, a_number).number(); }

void allow(const Field& budget, std::initializer_list<std::string_view> keys) {
  std::vector<std::string_view> all{"kind", "infinite_mass"};
  all.insert(all.end(), keys);
  budget.allow_only(all);
}

std::vector<double> read_orders(const Field& field) {
  std::vector<double> orders;
  for (const Field& order : field.items()) orders.push_back(order.number_or_infinity());
  return orders;
}

Budget read_curve(const Field& budget, const Adjacency& relation) {
  if (const auto plan = budget.find("plan")) {
    allow(budget, {"plan", "orders"});
    plan->allow_only(std::array<std::string_view, 1>{"steps"});
    Json document = plan->value();
    document["neighbors"] = std::string(to_string(relation.neighbors));
    document["unit"] = relation.unit;
    const auto orders = budget.find("orders");
    return Budget::curve_of(plan::read_plan(Field(document, plan->path())),
                            orders ? read_orders(*orders) : default_filter_orders());
  }
  allow(budget, {"limits"});
  std::vector<OrderLimit> limits;
  for (const Field& limit : budget.require("limits", "a list of {\"order\", \"epsilon\"}, or a \"plan\"").items()) {
    limit.allow_only(std::array<std::string_view, 2>{"order", "epsilon"});
    limits.push_back({limit.require("order", an_order).number_or_infinity(), number(limit, "epsilon")});
  }
  return Budget::curve(std::move(limits));
}

Budget read_shares(const Field& budget) {
  const double epsilon = number(budget, "epsilon");
  std::vector<OrderShare> shares;
  if (const auto orders = budget.find("orders")) {
    allow(budget, {"epsilon", "delta", "orders"});
    const auto list = read_orders(*orders);
    // The sum of the shares is rounded up at each addition, and may not exceed delta.
    const auto size = static_cast<double>(list.size());
    const double share = number(budget, "delta") / size * (1 - size * 0x1p-51);
    for (const double order : list) shares.push_back({order, share});
    return Budget::shares(epsilon, std::move(shares));
  }
  allow(budget, {"epsilon", "shares"});
  for (const Field& share : budget.require("shares", "a list of {\"order\", \"delta\"}, or \"orders\"").items()) {
    share.allow_only(std::array<std::string_view, 2>{"order", "delta"});
    shares.push_back({number(share, "order"), number(share, "delta")});
  }
  return Budget::shares(epsilon, std::move(shares));
}

Budget read_kind(const Field& budget, const Adjacency& relation) {
  const auto kind = budget.require("kind", "a kind of budget").choose(std::span<const BudgetKind>(all_budget_kinds));
  switch (kind) {
    case BudgetKind::pure: allow(budget, {"epsilon"}); return Budget::pure(number(budget, "epsilon"));
    case BudgetKind::zcdp: allow(budget, {"rho"}); return Budget::zcdp(number(budget, "rho"));
    case BudgetKind::tcdp:
      allow(budget, {"rho", "omega"});
      return Budget::tcdp(number(budget, "rho"), number(budget, "omega"));
    case BudgetKind::gdp: allow(budget, {"mu"}); return Budget::gdp(number(budget, "mu"));
    case BudgetKind::approx:
      allow(budget, {"epsilon", "delta"});
      return Budget::approx(number(budget, "epsilon"), number(budget, "delta"));
    case BudgetKind::order:
      allow(budget, {"order", "epsilon"});
      return Budget::order(number(budget, "order"), number(budget, "epsilon"));
    case BudgetKind::curve: return read_curve(budget, relation);
    case BudgetKind::shares: break;
  }
  return read_shares(budget);
}

Json write_limits(const Budget& budget) {
  Json list = Json::array();
  for (const OrderLimit& limit : budget.limits) {
    Json one = Json::object();
    one["order"] = json::number(limit.order);
    one["epsilon"] = limit.epsilon;
    list.push_back(std::move(one));
  }
  return list;
}

Json write_shares(const Budget& budget) {
  Json list = Json::array();
  for (const OrderShare& share : budget.order_shares) {
    Json one = Json::object();
    one["order"] = share.order;
    one["delta"] = share.delta;
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace
}  // namespace budget_json_file

Budget read_budget(const Field& field, const Adjacency& relation) {
  try {
    const Budget budget = budget_json_file::read_kind(field, relation);
    const auto mass = field.find("infinite_mass");
    return mass ? budget.with_infinite_mass(mass->number()) : budget;
  } catch (const InvalidArgument& error) {
    // The makers of budgets name their arguments; the reader names paths.
    if (field.path().empty() || error.path().starts_with(field.path())) throw;
    throw error.within(field.path() + ".");
  }
}

Json write_budget(const Budget& budget) {
  Json result = Json::object();
  result["kind"] = std::string(to_string(budget.kind));
  switch (budget.kind) {
    case BudgetKind::pure: result["epsilon"] = budget.epsilon; break;
    case BudgetKind::zcdp: result["rho"] = budget.rho; break;
    case BudgetKind::tcdp:
      result["rho"] = budget.rho;
      result["omega"] = budget.omega;
      break;
    case BudgetKind::gdp: result["mu"] = budget.mu; break;
    case BudgetKind::approx:
      result["epsilon"] = budget.epsilon;
      result["delta"] = budget.delta;
      break;
    case BudgetKind::order:
      result["order"] = budget.limits[0].order;
      result["epsilon"] = budget.limits[0].epsilon;
      break;
    case BudgetKind::curve: result["limits"] = budget_json_file::write_limits(budget); break;
    case BudgetKind::shares:
      result["epsilon"] = budget.epsilon;
      result["shares"] = budget_json_file::write_shares(budget);
      break;
  }
  if (budget.infinite_mass > 0) result["infinite_mass"] = budget.infinite_mass;
  return result;
}

}  // namespace renyi::filter

namespace renyi {

Budget read_budget(std::string_view text) {
  const json::Json document = json::parse(text);
  return filter::read_budget(json::Field(document));
}

std::string write_budget(const Budget& budget) { return json::write(filter::write_budget(budget)); }

}  // namespace renyi
