// Reads comma-separated values: one number a line, bins of one histogram by their common name (docs/format/release.md).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "json/field.h"
#include "release/read.h"
#include "release/values.h"
#include "renyi/error.h"

namespace renyi::release {
namespace read_csv_file {
namespace {

using json::Json;

enum class Type { text, truth, count, number, amount, value };
struct Column {
  std::string_view name;
  Type type;
};
constexpr std::array<Column, 21> columns{{
    {"name", Type::text},
    {"value", Type::value},
    {"histogram", Type::text},
    {"integer", Type::truth},
    {"l1_sensitivity", Type::amount},
    {"l2_sensitivity", Type::amount},
    {"max_bins", Type::count},
    {"max_per_bin", Type::amount},
    {"max_records", Type::count},
    {"max_per_record", Type::amount},
    {"nonnegative", Type::truth},
    {"weight", Type::number},
    {"mechanism", Type::text},
    {"stddev", Type::number},
    {"scale", Type::number},
    {"lowest", Type::number},
    {"highest", Type::number},
    {"round_to", Type::number},
    {"expected_lowest", Type::number},
    {"expected_highest", Type::number},
    {"comment", Type::text},
}};

[[noreturn]] void refuse(std::size_t line, std::string_view what, std::string_view allowed) {
  throw InvalidArgument(fmt::format("line {}", line), std::string(what), std::string(allowed));
}

std::string place_of(std::size_t line, std::string_view column) {
  return fmt::format("line {}, column {}", line, column);
}

// Members of a statistic are columns here: "line 2.weight" becomes "line 2, column weight".
std::string place_of(const std::string& path) {
  const std::size_t point = path.find('.');
  return point == std::string::npos ? path
                                    : fmt::format("{}, column {}", path.substr(0, point), path.substr(point + 1));
}

Statistic statistic_of(const Json& members, std::size_t line) {
  try {
    return read_statistic(json::Field(members, fmt::format("line {}", line), json::Content::hidden));
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(place_of(error.path()), error.value(), error.allowed());
  } catch (const Unsupported& error) {
    throw Unsupported(place_of(error.path()), error.why(), error.instead());
  }
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// One line into cells: "a ""b""" is a "b". Quoted cells keep their blanks.
std::vector<std::string> cells_of(std::string_view line, std::size_t number) {
  std::vector<std::string> cells;
  std::size_t i = 0;
  while (true) {
    std::string cell;
    while (i < line.size() && (line[i] == ' ' || line[i] == '\t')) ++i;
    if (i < line.size() && line[i] == '"') {
      for (++i;; ++i) {
        if (i >= line.size()) refuse(number, "a quotation that does not end", "quotes in pairs, within one line");
        if (line[i] != '"') {
          cell += line[i];
        } else if (i + 1 < line.size() && line[i + 1] == '"') {
          cell += line[i++];
        } else {
          break;
        }
      }
      const std::size_t comma = std::min(line.find(',', ++i), line.size());
      if (!trimmed(line.substr(i, comma - i)).empty()) refuse(number, "text after a quotation", "a comma");
      i = comma;
    } else {
      const std::size_t comma = std::min(line.find(',', i), line.size());
      cell = trimmed(line.substr(i, comma - i));
      i = comma;
    }
    cells.push_back(std::move(cell));
    if (i >= line.size()) return cells;
    ++i;
  }
}

std::vector<Column> header_of(const std::vector<std::string>& cells) {
  std::vector<Column> header;
  std::vector<std::string_view> names;
  for (const Column& column : columns) names.push_back(column.name);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string& cell = cells[i];
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == cell; });
    if (found == columns.end()) {
      throw InvalidArgument(fmt::format("line 1, column {}", i + 1), "an unknown title", json::Field::one_of(names));
    }
    for (const Column& column : header) {
      if (column.name == cell) refuse(1, "a repeated column", "each column once");
    }
    header.push_back(*found);
  }
  for (const std::string_view needed : {"name", "value"}) {
    if (std::find(cells.begin(), cells.end(), needed) == cells.end()) {
      refuse(1, fmt::format("no column {}", needed), "a line of titles with the columns name and value");
    }
  }
  return header;
}

Json parameter(const Column& column, const std::string& text, std::size_t line) {
  const std::string place = place_of(line, column.name);
  if (column.type == Type::text) return text;
  if (column.type == Type::truth) {
    if (text == "true" || text == "false") return text == "true";
    throw InvalidArgument(place, "another text", "true or false");
  }
  if (column.type == Type::count) {
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error == std::errc() && end == text.data() + text.size()) return count;
    throw InvalidArgument(place, "another text", "a whole number");
  }
  if (column.type == Type::amount) {
    const double amount = amount_of(text);
    if (!std::isnan(amount)) return amount;
    throw InvalidArgument(place, "another text", "a number");
  }
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  throw InvalidArgument(place, "another text", "a number");
}

// A statistic that is being collected: its public members as a JSON object, and the texts of its values.
struct Collected {
  Json members;
  std::size_t line = 0;                                       // the first one
  std::vector<std::pair<std::size_t, std::string>> values{};  // with their lines
};

// What is said in a later line about a histogram has to be what was said before.
void merge(Collected& histogram, const Json& members, std::size_t line) {
  for (const auto& member : members.items()) {
    if (!histogram.members.contains(member.key())) {
      histogram.members[member.key()] = member.value();
    } else if (histogram.members[member.key()] != member.value()) {
      throw InvalidArgument(
          place_of(line, member.key()), "another one",
          fmt::format("the same for all bins of a histogram, as in line {}, or nothing", histogram.line));
    }
  }
}

class Collector {
 public:
  void add(const std::vector<Column>& header, const std::vector<std::string>& cells, std::size_t line) {
    if (cells.size() != header.size()) {
      refuse(line, "another number of cells", fmt::format("{} cells, as in the line of titles", header.size()));
    }
    Json members = Json::object();
    std::string name, value, histogram;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string_view title = header[i].name;
      if (title == "name") {
        name = cells[i];
      } else if (title == "value") {
        value = cells[i];
      } else if (title == "histogram") {
        histogram = cells[i];
      } else if (title != "comment" && !cells[i].empty()) {
        members[std::string(title)] = parameter(header[i], cells[i], line);
      }
    }
    if (name.empty()) refuse(line, "no name", "a name in each line");
    if (histogram.empty()) {
      members["name"] = name;
      all_.push_back({std::move(members), line, {{line, std::move(value)}}});
      return;
    }
    const auto [place, is_new] = histograms_.emplace(histogram, all_.size());
    if (is_new) all_.push_back({Json{{"name", histogram}, {"bins", Json::array()}}, line, {}});
    Collected& collected = all_[place->second];
    merge(collected, members, line);
    collected.members["bins"].push_back(name);
    collected.values.emplace_back(line, std::move(value));
  }

  Request request() const {
    Request request;
    for (const Collected& each : all_) {
      Statistic statistic = statistic_of(each.members, each.line);
      Values values = values_of(each);
      release::add(request, std::move(statistic), std::move(values));
    }
    check_names(request.terms);
    return request;
  }

 private:
  static Values values_of(const Collected& statistic) {
    std::vector<noise::ExactNumber> values;
    for (const auto& [line, text] : statistic.values) {
      const auto value = value_of(text);
      if (!value) throw InvalidArgument(place_of(line, "value"), "something that is not a number", "a number");
      values.push_back(*value);
    }
    return values;
  }

  std::vector<Collected> all_;
  std::map<std::string, std::size_t> histograms_;
};

}  // namespace
}  // namespace read_csv_file

Request read_csv(std::string_view text) {
  namespace file = read_csv_file;
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  std::vector<file::Column> header;
  file::Collector collector;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view content = file::trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line == 1) {
      header = file::header_of(file::cells_of(content, line));
    } else if (!content.empty()) {
      collector.add(header, file::cells_of(content, line), line);
    }
  }
  return collector.request();
}

}  // namespace renyi::release
