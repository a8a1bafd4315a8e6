// The file of individual accounts, format version 1. It is private data, and its first key says so. The balances are
// one text of 16 hexadecimal digits for each double, its bits, so that a million records are read and written quickly
// and without rounding.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "filter/budget_json.h"
#include "filter/checksum.h"
#include "filter/individual/individual_state.h"
#include "json/field.h"
#include "json/parse.h"
#include "json/write.h"
#include "plan/plan_reader.h"
#include "renyi/error.h"
#include "renyi/individual_filter.h"

namespace renyi {

using json::Field;
using json::Json;

namespace individual_filter_json_file {
namespace {

constexpr std::string_view version_key = "renyi-individual-filter";
constexpr std::string_view warning =
    "This file is private data. It holds balances that were computed from the records without noise: publish neither "
    "the file nor anything computed from it, such as the number of records that are left.";
constexpr std::string_view digits = "0123456789abcdef";
constexpr std::size_t digits_of_double = 16;

std::string write_numbers(std::span<const double> numbers) {
  std::string text(numbers.size() * digits_of_double, '0');
  auto out = text.begin();
  for (const double number : numbers) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    for (int shift = 60; shift >= 0; shift -= 4) *out++ = digits[(bits >> static_cast<unsigned>(shift)) & 15U];
  }
  return text;
}

std::uint64_t digit(char c, const Field& field) {
  if (c >= '0' && c <= '9') return static_cast<std::uint64_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<std::uint64_t>(c - 'a') + 10;
  field.refuse("hexadecimal digits");
}

// The text has the right length.
void read_numbers(const Field& field, std::span<double> numbers) {
  const std::string& text = field.text();
  auto in = text.begin();
  for (double& number : numbers) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < digits_of_double; ++i) bits = bits << 4U | digit(*in++, field);
    number = std::bit_cast<double>(bits);
  }
}

// Accounts never overdraw their limits; of the orders with shares, one is kept.
void check_balances(const Field& field, std::span<const double> spent, std::span<const double> limits,
                    std::size_t needed) {
  for (std::size_t i = 0; i < spent.size(); i += limits.size()) {
    std::size_t within = 0;
    for (std::size_t k = 0; k < limits.size(); ++k) {
      if (!(spent[i + k] >= 0)) field.refuse("balances that are not negative");
      within += static_cast<std::size_t>(spent[i + k] <= std::max(0.0, limits[k]));
    }
    if (within < needed) field.refuse("balances within the budget");
  }
}

}  // namespace
}  // namespace individual_filter_json_file

std::string write_individual_filter(const IndividualFilter& accounts) {
  namespace here = individual_filter_json_file;
  Json document = Json::object();
  document["private"] = std::string(here::warning);
  document[here::version_key] = 1;
  document["neighbors"] = std::string(to_string(accounts.neighbors()));
  document["budget"] = filter::write_budget(accounts.budget());
  document["records"] = accounts.records();
  document["steps"] = accounts.steps();
  document["spent"] = here::write_numbers(accounts.spent());
  document["checksum"] = filter::checksum_of(json::write(document));
  return json::write(document);
}

IndividualFilter read_individual_filter(std::string_view text) {
  namespace here = individual_filter_json_file;
  Json document = json::parse(text);
  const Field field(document);
  field.allow_only(std::array<std::string_view, 8>{"private", here::version_key, "neighbors", "budget", "records",
                                                   "steps", "spent", "checksum"});
  field.require(here::version_key, "1, the version of the format").integer(1, 1);
  const std::string stated = field.require("checksum", "the checksum that was written with the file").text();
  document.erase("checksum");
  if (stated != filter::checksum_of(json::write(document)))
    throw InvalidArgument("checksum", stated,
                          "the checksum of an unchanged file: this one was edited after it was written, or damaged");
  const Adjacency relation = plan::read_adjacency(field);
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const auto records = static_cast<std::size_t>(field.require("records", "the number of records").integer(1, most));
  const Budget budget = filter::read_budget(field.require("budget", "a budget"), relation);
  const Field spent = field.require("spent", "the balances of the records");
  // This is known before memory is asked for.
  const std::size_t numbers = spent.text().size() / here::digits_of_double, each = filter::Limit::count(budget);
  if (spent.text().size() % here::digits_of_double != 0 || numbers % each != 0 || numbers / each != records)
    spent.refuse(fmt::format("16 hexadecimal digits for each balance of {} records", records));
  IndividualFilter accounts(records, budget, relation.neighbors);
  IndividualFilter::State& state = *accounts.state_;
  here::read_numbers(spent, state.spent);
  here::check_balances(spent, state.spent, state.limits, state.needed);
  state.steps = static_cast<std::uint64_t>(field.require("steps", "the number of steps").integer(0, most));
  return accounts;
}

}  // namespace renyi
