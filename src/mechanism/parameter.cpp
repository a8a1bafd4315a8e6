#include "renyi/extras/parameter.h"

#include <fmt/format.h>

#include <cmath>

#include "renyi/error.h"

namespace renyi {

bool Parameter::allows(double value) const noexcept {
  if ((zero_allowed && value == 0) || is_left_out(value)) return true;
  const bool above = lowest_allowed ? value >= lowest : value > lowest;
  const bool below = highest_allowed ? value <= highest : value < highest;
  return above && below && (!whole || value == std::floor(value));
}

std::string Parameter::allowed() const {
  return fmt::format("{}{} in {}{}, {}{}", zero_allowed ? "0, or " : "", whole ? "a whole number" : "a number",
                     lowest_allowed ? "[" : "(", lowest, highest, highest_allowed ? "]" : ")");
}

namespace parameter_file {
namespace {

std::string width_allowed(const TableParameter& table, std::size_t width) {
  if (table.any_width) return fmt::format("as many numbers as the first row, {}", width);
  return fmt::format("{} number{} a row", table.columns.size(), table.columns.size() == 1 ? "" : "s");
}

}  // namespace
}  // namespace parameter_file

void TableParameter::check(const Rows& rows) const {
  if (rows.empty() && !may_be_empty) throw InvalidArgument(std::string(name), "an empty table", "one row or more");
  const std::size_t width = any_width && !rows.empty() ? rows.front().size() : columns.size();
  if (width == 0 || rows.size() > most_numbers_in_a_table / width) {
    throw InvalidArgument(std::string(name), fmt::format("{} rows of {} numbers", rows.size(), width),
                          fmt::format("1 to {} numbers in all", most_numbers_in_a_table));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string row = fmt::format("{}[{}]", name, i);
    if (rows[i].size() != width) {
      throw InvalidArgument(row, fmt::format("{} numbers", rows[i].size()),
                            parameter_file::width_allowed(*this, width));
    }
    for (std::size_t k = 0; k < width; ++k) {
      const Parameter& column = columns[any_width ? 0 : k];
      if (column.allows(rows[i][k])) continue;
      throw InvalidArgument(width == 1 && !any_width ? row : fmt::format("{}[{}]", row, k),
                            fmt::format("{}", rows[i][k]), column.allowed());
    }
  }
}

}  // namespace renyi
