#include "api/json/options.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>

namespace renyi::api {

using json::Field;

namespace options_file {
namespace {

constexpr std::string_view traditional = "traditional";
constexpr std::int64_t most_memory = 1 << 20;  // MiB

double read_order(const Field& order) {
  constexpr std::string_view allowed = "a number in [1, 1e100], or \"inf\"";
  static_assert(largest_order == 1e100);
  if (order.value() == "inf") return order.number_or_infinity();
  if (!order.value().is_number() || !(order.number() >= 1 && order.number() <= largest_order)) order.refuse(allowed);
  return order.number();
}

// These formulas give no bound on epsilon at order 1.
void refuse_order_one(const Field& orders, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] <= 1) orders.items()[i].refuse("orders above 1, or \"inf\"");
  }
}

void note(Wanted& wanted, const Field& part) {
  if (part.value() == "renyi") {
    wanted.renyi = true;
  } else if (part.value() == "exact") {
    wanted.exact = true;
  } else {
    part.refuse("one of renyi, exact");
  }
}

Wanted read_parts(const Field& request) {
  const auto field = request.find("want");
  if (!field) return {};
  if (!field->value().is_array() || field->value().empty()) {
    field->refuse("an array of at least one of renyi, exact");
  }
  Wanted wanted{.renyi = false, .exact = false};
  for (const Field& part : field->items()) note(wanted, part);
  return wanted;
}

// A Renyi bound has neither a tolerance nor a grid.
void refuse_without_exact(const Wanted& wanted, const Field& field) {
  if (!wanted.exact) field.refuse("nothing, or \"want\" with exact in it");
}

}  // namespace
}  // namespace options_file

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

void check_length(const Field& list) {
  static_assert(most_numbers == 1000);
  if (list.value().is_array() && list.value().size() > most_numbers) list.refuse("an array of at most 1000 numbers");
}

std::vector<double> read_orders(const Field& orders) {
  if (orders.value() == options_file::traditional) return {traditional_orders().begin(), traditional_orders().end()};
  if (!orders.value().is_array() || orders.value().empty()) {
    orders.refuse("an array of at least one order, or \"traditional\"");
  }
  check_length(orders);
  std::vector<double> values;
  for (const Field& order : orders.items()) values.push_back(options_file::read_order(order));
  return values;
}

std::vector<double> read_numbers(const Field& list, std::string_view allowed, bool (*allows)(double)) {
  if (!list.value().is_array() || list.value().empty()) list.refuse(std::string("an array of ") + std::string(allowed));
  check_length(list);
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
  field.refuse_name(std::array<std::string_view, 2>{"remove", "add"});
}

SampledGaussianMethod read_method(const Field& field) {
  return field.choose<SampledGaussianMethod>(all_sampled_gaussian_methods);
}

ConversionOptions read_conversion(const Field& request) {
  static constexpr std::array formulas{Conversion::tight, Conversion::classical};
  ConversionOptions options;
  if (const auto field = request.find("conversion")) options.conversion = field->choose<Conversion>(formulas);
  if (const auto field = request.find("orders")) {
    options.orders = read_orders(*field);
    options_file::refuse_order_one(*field, *options.orders);
  }
  return options;
}

std::size_t read_memory(const Field& field) {
  return static_cast<std::size_t>(field.integer(1, options_file::most_memory)) << 20U;
}

Wanted read_want(const Field& request) {
  Wanted wanted = options_file::read_parts(request);
  if (const auto field = request.find("method")) {
    wanted.method = read_method(*field);
    if (request.find("want") && wanted.exact) field->refuse("nothing, or \"want\" with renyi alone");
    wanted.exact = false;
  }
  if (const auto field = request.find("tolerance")) {
    options_file::refuse_without_exact(wanted, *field);
    if (!field->value().is_number() || !(field->number() > 0)) field->refuse("a number above 0");
    wanted.options.tolerance = field->number();
    wanted.tolerance_given = true;
  }
  if (const auto field = request.find("memory")) {
    options_file::refuse_without_exact(wanted, *field);
    wanted.options.memory = read_memory(*field);
  }
  return wanted;
}

CostOptions as_cost_options(const Wanted& wanted, const ConversionOptions& conversion) {
  return {.renyi = wanted.renyi,
          .exact = wanted.exact,
          .conversion = conversion,
          .method = wanted.method,
          .exactness = wanted.options,
          .report_excess_width = wanted.tolerance_given};
}

CostOptions read_cost_options(const Field& request) {
  const ConversionOptions conversion = read_conversion(request);
  return as_cost_options(read_want(request), conversion);
}

}  // namespace renyi::api
