// Descriptions of the parameters of mechanisms and sampling schemes: names in plan files, ranges and defaults.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace renyi {

// The value of a parameter that was not given (NaN). No parameter allows it, so that a forgotten parameter is reported
// by its name.
inline constexpr double not_set = std::numeric_limits<double>::quiet_NaN();

// What a larger value of a parameter does to the cost (the epsilon and delta of a plan).
enum class Effect { raises_cost, lowers_cost, not_monotone };

// One parameter of a mechanism or of a sampling scheme.
//
//     for (const renyi::Parameter& parameter : mechanism.parameters()) {
//       std::cout << parameter.name << ": " << parameter.allowed() << "\n";
//     }
struct Parameter {
  std::string_view name;
  std::string_view meaning;
  double lowest = 0;
  double highest = 0;
  bool lowest_allowed = true;        // is `lowest` itself allowed?
  bool highest_allowed = true;       // is `highest` itself allowed?
  bool zero_allowed = false;         // is 0 allowed although below `lowest`?
  bool whole = false;                // integers only
  std::optional<double> fallback{};  // default; infinity means that the parameter may be omitted and is not shown
  Effect effect = Effect::not_monotone;

  // Returns whether the value is allowed.
  [[nodiscard]] bool allows(double value) const noexcept;
  // Returns whether the value means that the parameter was omitted (see `fallback`).
  [[nodiscard]] bool is_left_out(double value) const noexcept { return std::isinf(value) && fallback == value; }
  // Returns the allowed values as text, for error messages and help.
  [[nodiscard]] std::string allowed() const;
};

// A table of numbers: rows of equal length.
using Rows = std::vector<std::vector<double>>;

// A parameter that is a table: its name in plan files, and which numbers its rows may contain.
struct TableParameter {
  std::string_view name;
  std::string_view meaning;
  std::span<const Parameter> columns{};  // a table of one column is a plain list of numbers
  bool any_width = false;                // rows may have any length, and columns[0] describes every number
  bool may_be_empty = false;             // an empty table is allowed, and may be omitted in plan files

  // Checks a table. Throws InvalidArgument that names the number by its position in the table, and what is allowed.
  void check(const Rows& rows) const;
};
// The largest size of a table.
inline constexpr std::size_t most_numbers_in_a_table = 1 << 20;

}  // namespace renyi
