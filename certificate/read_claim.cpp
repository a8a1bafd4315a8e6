#include "certificate/read_claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "renyi/error.h"

namespace renyi::certificate {
namespace {

using json::Field;

constexpr std::size_t longest_text = 1000;

// A positive odd integer without leading zeros (no figure is negative); "0" and "inf" with the exponent 0: each number
// has one form.
bool is_canonical(const Dyadic& number) {
  if (number.mantissa == "0" || number.mantissa == "inf") return number.exponent == 0;
  const std::string_view digits = number.mantissa;
  if (digits.empty() || digits.size() > Dyadic::most_digits || digits.front() == '0') return false;
  const bool all_digits = std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  return all_digits && (digits.back() - '0') % 2 == 1;
}

// The exact end; its decimal must be the one that follows from it.
Dyadic read_end(const Field& field, std::string (*decimal)(const Dyadic&, int)) {
  field.allow_only(std::array<std::string_view, 2>{"decimal", "dyadic"});
  const Field dyadic = field.require("dyadic", "[mantissa, exponent]");
  const std::vector<Field> parts = dyadic.items();
  if (parts.size() != 2) dyadic.refuse("[mantissa, exponent]");
  Dyadic end{parts[0].text(), parts[1].integer(-Dyadic::largest_exponent, Dyadic::largest_exponent)};
  if (!is_canonical(end)) {
    parts[0].refuse(fmt::format("a positive odd integer of at most {} digits, or 0 or inf with the exponent 0",
                                Dyadic::most_digits));
  }
  const std::string expected = decimal(end, decimal_digits);
  const Field shown = field.require("decimal", "a decimal");
  if (shown.text() != expected) shown.refuse(fmt::format("what follows from the dyadic, {}", expected));
  return end;
}

std::string read_text(const Field& field) {
  const std::string& text = field.text();
  const bool printable = std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
  if (text.empty() || text.size() > longest_text || !printable) field.refuse("a line of printable ASCII");
  return text;
}

std::vector<std::string_view> keys_of(Kind kind) {
  std::vector<std::string_view> keys{"claim"};
  if (has_order(kind)) keys.emplace_back("order");
  if (has_conversion(kind)) keys.emplace_back("conversion");
  if (!given(kind).empty()) keys.push_back(given(kind));
  if (has_direction(kind)) keys.emplace_back("direction");
  return keys;
}

Statement read_statement(const Field& field, std::initializer_list<std::string_view> more_keys) {
  Statement statement;
  const Kind kind = statement.kind = field.require("claim", "what is claimed").choose<Kind>(all_kinds);
  std::vector<std::string_view> keys = keys_of(kind);
  keys.insert(keys.end(), more_keys.begin(), more_keys.end());
  field.allow_only(keys);
  if (has_order(kind)) statement.order = read_figure(field, "order");
  if (has_conversion(kind)) statement.conversion = read_conversion(field.require("conversion", "its name"));
  if (!given(kind).empty()) statement.at = read_figure(field, given(kind));
  if (has_direction(kind)) statement.direction = read_direction(field.require("direction", "remove or add"));
  return statement;
}

}  // namespace

Claim read_claim(const Field& field) {
  Claim claim;
  claim.statement = read_statement(field, {"lower", "upper", "method", "precision"});
  Enclosure& value = claim.proven.value;
  value.lower = read_end(field.require("lower", "an end"), decimal_below);
  value.upper = read_end(field.require("upper", "an end"), decimal_above);
  if (!contains(value, {value.upper, value.upper})) field.require("lower", "an end").refuse("at most the upper end");
  if (is_delta(claim.statement.kind) && !contains(zero_to_one, value)) {
    field.require("upper", "an end").refuse("at most 1, as every delta");
  }
  claim.proven.method = read_text(field.require("method", "its name"));
  constexpr std::int64_t most_bits = std::int64_t{1} << 30U;
  claim.proven.precision = field.require("precision", "bits").integer(0, most_bits);
  return claim;
}

Gap read_gap(const Field& field) {
  Gap gap;
  gap.statement = read_statement(field, {"unavailable"});
  gap.why = read_text(field.require("unavailable", "the reason"));
  return gap;
}

}  // namespace renyi::certificate
