#include "api/options.h"

#include <array>
#include <string>

#include "json/write.h"

namespace renyi::api {
namespace {

using json::Field;
using json::Json;

constexpr std::string_view traditional = "traditional";

Json write_with_order(std::string_view name, double value, double order, Conversion conversion) {
  Json bound = Json::object();
  bound[std::string(name)] = json::number(value);
  bound["order"] = json::number(order);
  bound["conversion"] = std::string(to_string(conversion));
  return bound;
}

// The part of delta that no order can do without, if there is one.
Json with_delta_apart(Json bound, double delta_apart) {
  if (delta_apart > 0) bound["delta_apart"] = json::number(delta_apart);
  return bound;
}

double read_order(const Field& order) {
  constexpr std::string_view allowed = "a number in [1, 1e100], or \"inf\"";
  static_assert(largest_order == 1e100);
  if (order.value() == "inf") return order.number_or_infinity();
  if (!order.value().is_number() || !(order.number() >= 1 && order.number() <= largest_order)) order.refuse(allowed);
  return order.number();
}

// Order 1 bounds no epsilon by these formulas.
void refuse_order_one(const Field& orders, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] <= 1) orders.items()[i].refuse("orders above 1, or \"inf\"");
  }
}

}  // namespace

double read_delta(const Field& request) {
  constexpr std::string_view allowed = "a number in [0, 1]";
  const Field field = request.require("delta", allowed);
  if (!field.value().is_number() || !(field.number() >= 0 && field.number() <= 1)) field.refuse(allowed);
  return field.number();
}

double read_epsilon(const Field& request) {
  constexpr std::string_view allowed = "a number of at least 0, or \"inf\"";
  const Field field = request.require("epsilon", allowed);
  if (field.value() != "inf" && !field.value().is_number()) field.refuse(allowed);
  const double value = field.number_or_infinity();
  if (!(value >= 0)) field.refuse(allowed);
  return value;
}

std::vector<double> read_orders(const Field& orders) {
  if (orders.value() == traditional) return {traditional_orders().begin(), traditional_orders().end()};
  if (!orders.value().is_array() || orders.value().empty()) {
    orders.refuse("an array of at least one order, or \"traditional\"");
  }
  std::vector<double> values;
  for (const Field& order : orders.items()) values.push_back(read_order(order));
  return values;
}

std::vector<double> read_numbers(const Field& list, std::string_view allowed, bool (*allows)(double)) {
  if (!list.value().is_array() || list.value().empty()) list.refuse(std::string("an array of ") + std::string(allowed));
  std::vector<double> values;
  for (const Field& item : list.items()) {
    if (!item.value().is_number() || !allows(item.number())) item.refuse(allowed);
    values.push_back(item.number());
  }
  return values;
}

Direction read_direction(const Field& field) {
  if (field.value() == "remove") return Direction::remove;
  if (field.value() == "add") return Direction::add;
  field.refuse("one of remove, add");
}

ConversionOptions read_conversion(const Field& request) {
  static constexpr std::array formulas{Conversion::tight, Conversion::classical};
  ConversionOptions options;
  if (const auto field = request.find("conversion")) options.conversion = field->choose<Conversion>(formulas);
  if (const auto field = request.find("orders")) {
    options.orders = read_orders(*field);
    refuse_order_one(*field, *options.orders);
  }
  return options;
}

Json write_bound(const EpsilonBound& bound) {
  return with_delta_apart(write_with_order("epsilon", bound.epsilon, bound.order, bound.conversion), bound.delta_apart);
}

Json write_bound(const DeltaBound& bound) {
  return with_delta_apart(write_with_order("delta", bound.delta, bound.order, bound.conversion), bound.delta_apart);
}

}  // namespace renyi::api
