// Reads the figures of a grid from the rows that answer it, in either format.
#include "api/sweep/figures.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "api/json/content.h"
#include "api/number_text.h"
#include "api/sweep/rows.h"
#include "api/sweep/run.h"
#include "json/parse.h"
#include "json/show.h"

namespace renyi::api::sweep {

using json::Json;

namespace figures_file {
namespace {

double number_in(const Json& value) {
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::infinity();  // "inf"
}

Figure figure_in(const Json& row, std::string_view quantity) {
  Figure figure;
  if (const auto error = row.find("error"); error != row.end()) {
    figure.failure = error->at("message").get<std::string>();
    figure.failure_path = error->at("path").get<std::string>();
    return figure;
  }
  const Json& answer = row.at("answer");
  if (quantity.empty()) {
    const Json& value = answer.at("value");
    figure.value = number_in(value);
    if (value.is_number_integer()) figure.whole = value.get<std::int64_t>();
    figure.is_upper = answer.at("extreme") == "smallest";
    return figure;
  }
  if (answer.contains("exact") && answer.at("exact").contains("upper")) {
    figure.value = number_in(answer.at("exact").at("upper"));
  } else if (answer.contains("renyi")) {
    figure.value = number_in(answer.at("renyi").at(std::string(quantity)));
  } else {
    figure.failure = answer.at("exact").at("unavailable").get<std::string>();
  }
  return figure;
}

// Returns the key of the null in a request, which is the number to solve for; empty if there is none.
std::string key_of_null(const Json& value) {
  for (const auto& member : value.items()) {
    if (member.value().is_null()) return value.is_object() ? member.key() : "value";
    if (!member.value().is_structured()) continue;
    if (std::string inner = key_of_null(member.value()); !inner.empty()) return inner;
  }
  return "";
}

// Splits a line of CSV (RFC 4180). Line ends within quotes do not occur in rows of sweeps.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      const bool doubled = quoted && i + 1 < line.size() && line[i + 1] == '"';
      if (doubled) cells.back() += line[++i];
      if (!doubled) quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  return cells;
}

// A row of CSV with its header. A cell that the table does not have is empty.
class CsvRow {
 public:
  CsvRow(const std::vector<std::string>& titles, std::string_view line) : titles_(titles), cells_(cells_of(line)) {}

  std::string cell(std::string_view title) const {
    const auto column = static_cast<std::size_t>(std::find(titles_.begin(), titles_.end(), title) - titles_.begin());
    return column < cells_.size() ? cells_[column] : "";
  }

 private:
  const std::vector<std::string>& titles_;
  std::vector<std::string> cells_;
};

Figure figure_in(const CsvRow& row, std::string_view quantity) {
  Figure figure;
  std::string cell = quantity.empty() ? row.cell("value") : row.cell("exact_upper");
  if (cell.empty() && !quantity.empty()) cell = row.cell("renyi_" + std::string(quantity));
  if (cell.empty()) {
    figure.failure = row.cell("error");
  } else {
    figure.value = cell == "inf" ? std::numeric_limits<double>::infinity() : json::parse(cell).get<double>();
  }
  return figure;
}

template <class Each>
void for_each_line(std::string_view text, const Each& each) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    each(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void add_fixed(std::string& text, const Json& parent) {
  for (const auto& member : parent.items()) {
    const Json& value = member.value();
    if (member.key() == "op") continue;
    if (value.is_object() && !value.contains("values") && !value.contains("from")) add_fixed(text, value);
    if (value.is_array()) {
      for (const Json& item : value) {
        if (item.is_object()) add_fixed(text, item);
      }
    }
    if (value.is_structured() || value.is_null()) continue;
    text += text.empty() ? "" : ", ";
    text += member.key() + "=";
    text += value.is_string()         ? value.get<std::string>()
            : value.is_number_float() ? short_decimal(value.get<double>())
                                      : json::show(value);
  }
}

const Json& request_of(const Grid& grid) { return opened(grid.document).at("request"); }

// What is read from each answer: empty for a calibration, whose value it is.
std::string quantity_of(const Grid& grid) {
  auto op = request_of(grid).at("op").get<std::string>();
  return op == "calibrate" ? "" : op;
}

Figures without_values(const Grid& grid) {
  const Json& request = request_of(grid);
  Figures figures{.name = quantity_of(grid), .axes = grid.axes, .values = {}};
  if (figures.name.empty()) figures.name = key_of_null(request);
  const auto want = request.find("want");
  figures.by_renyi_only = want != request.end() && *want == Json::array({"renyi"});
  return figures;
}

}  // namespace
}  // namespace figures_file

Figures figures_of(const Grid& grid, unsigned jobs, const std::function<bool()>& go_on) {
  using namespace figures_file;
  Figures figures = without_values(grid);
  const std::string quantity = quantity_of(grid);
  const auto read = [&](const Block& block) {
    for_each_line(block.text,
                  [&](std::string_view line) { figures.values.push_back(figure_in(json::parse(line), quantity)); });
  };
  run(Rows(grid, Format::jsonl), {.first = 0, .jobs = jobs}, read, go_on);
  return figures;
}

Figures figures_in(const Grid& grid, Format format, std::string_view rows) {
  using namespace figures_file;
  Figures figures = without_values(grid);
  const std::string quantity = quantity_of(grid);
  std::vector<std::string> titles;
  for_each_line(rows, [&](std::string_view line) {
    if (format == Format::jsonl) {
      figures.values.push_back(figure_in(json::parse(line), quantity));
    } else if (titles.empty()) {
      titles = cells_of(line);
    } else {
      figures.values.push_back(figure_in(CsvRow(titles, line), quantity));
    }
  });
  return figures;
}

std::string fixed_numbers(const Grid& grid) {
  std::string text;
  figures_file::add_fixed(text, figures_file::request_of(grid));
  return text;
}

}  // namespace renyi::api::sweep
