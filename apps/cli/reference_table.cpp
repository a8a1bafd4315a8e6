// renyi explain --reference-table
#include <fmt/format.h>

#include <array>

#include "apps/cli/columns.h"
#include "apps/cli/csv.h"
#include "apps/cli/explain_report.h"
#include "apps/cli/number.h"

namespace renyi::cli {
namespace {

using api::Json;

constexpr std::size_t orders_in_a_row = 3;
// Decimals the table is known with; numbers below `small` have three digits instead.
constexpr std::array<int, 9> decimals{5, 3, 3, 4, 5, 5, 4, 5, 5};
constexpr double small = 1e-4;

// "9.05e-34" rather than "9.05e-034" or "1.95e-07".
std::string three_digits(double value) {
  const std::string text = fmt::format("{:.2e}", value);
  const auto e = text.find('e');
  return fmt::format("{}e{}", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

std::string published(double value, int places) {
  return value < small ? three_digits(value) : fmt::format("{:.{}f}", value, places);
}

std::string cell(const Json& row, int places) {
  return fmt::format("[{}, {}]", published(row.at("lower").get<double>(), places),
                     published(row.at("upper").get<double>(), places));
}

}  // namespace

std::string reference_table_report(const Json& answer) {
  const Json& cells = answer.at("reference_table");
  std::vector<std::vector<std::string>> rows{{"p"}};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Json& at = cells[i];
    if (i < orders_in_a_row) rows[0].push_back("order " + rounded(at.at("order").get<double>()));
    if (i % orders_in_a_row == 0) rows.push_back({rounded(at.at("baseline").get<double>())});
    rows.back().push_back(cell(at, decimals.at(i)));
  }
  return fmt::format(
             "Bad outcomes under (order, {})-RDP  (rounded to nearest, as published: not bounds to the last digit)\n\n",
             answer.at("epsilon").get<double>()) +
         columns(rows);
}

std::string reference_table_rows(const Json& answer) {
  std::vector<std::vector<Json>> rows;
  for (const Json& at : answer.at("reference_table")) {
    rows.push_back({at.at("baseline"), at.at("order"), at.at("lower"), at.at("upper")});
  }
  return csv({"baseline", "order", "lower", "upper"}, rows);
}

}  // namespace renyi::cli
