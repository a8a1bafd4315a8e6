// One number, or one table of numbers, of a mechanism or of a sampling scheme: its name in plans, its range, its
// default.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace renyi {

// A number that was not given: no parameter allows it, so that what was forgotten is refused by its name.
inline constexpr double not_set = std::numeric_limits<double>::quiet_NaN();

// What a larger value of a parameter does to the privacy cost.
enum class Effect { raises_cost, lowers_cost, not_monotone };

// One parameter of a mechanism: its name in plans, its range, its default.
struct Parameter {
  std::string_view name;
  std::string_view meaning;
  double lowest = 0;
  double highest = 0;
  bool lowest_allowed = true;        // is `lowest` itself allowed?
  bool highest_allowed = true;       // is `highest` itself allowed?
  bool zero_allowed = false;         // is 0 allowed although below `lowest`?
  bool whole = false;                // integers only
  std::optional<double> fallback{};  // infinity: the number may be left out, and is not shown then
  Effect effect = Effect::not_monotone;

  bool allows(double value) const noexcept;
  bool is_left_out(double value) const noexcept { return std::isinf(value) && fallback == value; }
  std::string allowed() const;  // in words, for error messages and help
};

// A table of numbers: rows of equal length.
using Rows = std::vector<std::vector<double>>;

// A parameter that is a table: its name in plans, and what the numbers of a row may be.
struct TableParameter {
  std::string_view name;
  std::string_view meaning;
  std::span<const Parameter> columns{};  // one column: a plain list of numbers
  bool any_width = false;                // rows of any length, every number as columns[0] says
  bool may_be_empty = false;             // then it may be left out of plans

  // Throws InvalidArgument that names the number, by its place in the table, and what is allowed.
  void check(const Rows& rows) const;
};
inline constexpr std::size_t most_numbers_in_a_table = 1 << 20;

}  // namespace renyi
