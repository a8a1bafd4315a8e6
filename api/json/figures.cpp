// Reads the figures of a grid from the rows that answer it.
#include "api/sweep/figures.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

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

bool is_null_in(const Json& value, std::string& name) {
  for (const auto& member : value.items()) {
    if (member.value().is_null()) name = value.is_object() ? member.key() : "value";
    if (member.value().is_structured()) is_null_in(member.value(), name);
  }
  return !name.empty();
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

}  // namespace
}  // namespace figures_file

Figures figures_of(const Grid& grid, unsigned jobs, const std::function<bool()>& go_on) {
  const Json& request = figures_file::request_of(grid);
  const auto op = request.at("op").get<std::string>();
  Figures figures{.name = op, .axes = grid.axes, .values = {}};
  const bool solves = op == "calibrate";
  if (solves) {
    figures.name.clear();
    figures_file::is_null_in(request, figures.name);
  }
  const Rows rows(grid, Format::jsonl);
  const auto read = [&](const Block& block) {
    std::string_view rest = block.text;
    while (!rest.empty()) {
      const auto end = std::min(rest.find('\n'), rest.size());
      figures.values.push_back(figures_file::figure_in(json::parse(rest.substr(0, end)), solves ? "" : op));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  };
  run(rows, {.first = 0, .jobs = jobs}, read, go_on);
  return figures;
}

std::string fixed_numbers(const Grid& grid) {
  std::string text;
  figures_file::add_fixed(text, figures_file::request_of(grid));
  return text;
}

}  // namespace renyi::api::sweep
