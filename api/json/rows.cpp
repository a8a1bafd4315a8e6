// Writes the rows of a sweep from the JSON documents that answer its requests.
#include "api/sweep/rows.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <exception>
#include <iterator>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "api/api.h"
#include "api/csv.h"
#include "api/json/content.h"
#include "api/json/ops.h"
#include "json/parse.h"
#include "json/write.h"
#include "renyi/error.h"

namespace renyi::api::sweep {

using json::Json;

namespace rows_file {
namespace {

// A sweep writes ten numbers per row: they are appended to the line without a string for each.
template <class Number>
void append_digits(std::string& out, Number value) {
  std::array<char, 32> digits{};
  char* const end = fmt::format_to(digits.data(), FMT_COMPILE("{}"), value);
  out.append(digits.data(), end);
}

// Appends any value as it is written in JSON documents.
void append_json(std::string& out, const Json& value) {
  if (value.is_number_unsigned()) return append_digits(out, value.get<std::uint64_t>());
  if (value.is_number_integer()) return append_digits(out, value.get<std::int64_t>());
  const bool plain = value.is_number_float() && std::isfinite(value.get<double>()) && value.get<double>() != 0;
  if (plain) return append_digits(out, value.get<double>());
  out += json::write(value);
}

void append_cell(std::string& out, const Json& value) {
  if (value.is_string()) return api::append_cell(out, value.get_ref<const std::string&>());
  append_json(out, value);
}

constexpr std::array<Column, 11> epsilon_columns{{
    {"renyi_epsilon", {"renyi", "epsilon"}},
    {"renyi_order", {"renyi", "order"}},
    {"renyi_conversion", {"renyi", "conversion"}},
    {"exact_lower", {"exact", "lower"}},
    {"exact_upper", {"exact", "upper"}},
    {"engine", {"exact", "engine"}},
    {"direction", {"exact", "direction"}},
    {"remove_lower", {"exact", "remove", "lower"}},
    {"remove_upper", {"exact", "remove", "upper"}},
    {"add_lower", {"exact", "add", "lower"}},
    {"add_upper", {"exact", "add", "upper"}},
}};

constexpr std::array<Column, 12> calibrate_columns{{
    {"parameter", {"parameter"}},
    {"value", {"value"}},
    {"renyi_epsilon", {"renyi", "epsilon"}},
    {"renyi_order", {"renyi", "order"}},
    {"renyi_conversion", {"renyi", "conversion"}},
    {"by", {"by"}},
    {"exact_lower", {"exact", "lower"}},
    {"exact_upper", {"exact", "upper"}},
    {"engine", {"exact", "engine"}},
    {"rounded", {"rounded", "value"}},
    {"rounded_epsilon", {"rounded", "epsilon"}},
    {"unspent", {"rounded", "unspent"}},
}};

const Json* member(const Json& parent, std::string_view key) {
  if (!parent.is_object()) return nullptr;
  const auto found = parent.find(key);
  return found == parent.end() ? nullptr : &*found;
}

// If an axis is an element of "want", its values may name either part.
bool wants(const Json& request, std::string_view part) {
  const Json* want = member(request, "want");
  if (want == nullptr || !want->is_array()) return true;
  for (const Json& wanted : *want) {
    if (!wanted.is_string() || wanted == part) return true;
  }
  return false;
}

const Json* reason_in(const Json& answer) {
  const Json* exact = member(answer, "exact");
  return exact == nullptr ? nullptr : member(*exact, "unavailable");
}

void append_note(std::string& notes, const Json* note) {
  if (note == nullptr || !note->is_string()) return;
  if (!notes.empty()) notes += "; ";
  notes += note->get_ref<const std::string&>();
}

// Returns the columns of the request's operation, without the parts it does not want.
std::vector<Column> columns_of(const Json& request) {
  if (request.at("op") == "calibrate") return {calibrate_columns.begin(), calibrate_columns.end()};
  std::vector<Column> columns;
  for (Column column : epsilon_columns) {
    if (!wants(request, column.path[0])) continue;
    if (column.title == "renyi_epsilon" && request.at("op") == "delta") {
      column = {"renyi_delta", {"renyi", "delta"}};
    }
    columns.push_back(column);
  }
  return columns;
}

// Returns the value of a column, or nullptr if the answer has none.
const Json* find(const Json& answer, const Column& column) {
  const Json* figure = &answer;
  for (const std::string_view key : column.path) {
    if (key.empty()) break;
    figure = member(*figure, key);
    if (figure == nullptr) break;
  }
  return figure;
}

// Collects the notes of an answer, and the reason why a part is missing.
std::string notes_in(const Json& answer) {
  std::string notes;
  append_note(notes, member(answer, "note"));
  append_note(notes, member(answer, "assumes"));
  if (const Json* exact = member(answer, "exact")) append_note(notes, member(*exact, "note"));
  append_note(notes, reason_in(answer));
  return notes;
}

// Returns the reason if the answer has no value at all; otherwise nullptr.
const Json* why_unanswered(const Json& answer) {
  const bool another_part = member(answer, "renyi") != nullptr || member(answer, "value") != nullptr;
  return another_part ? nullptr : reason_in(answer);
}

// The last two cells of an answered row are empty; the last cell of any other row is not.
constexpr std::string_view no_failure = ",,";
constexpr std::string_view failure_member = R"(,"error":{)";

std::optional<InvalidArgument> refusal_of(Configuration& configuration, std::uint64_t index) {
  configuration.go_to(index);
  try {
    evaluate(opened(configuration.request()));
  } catch (const InvalidArgument& error) {
    return error;
  } catch (const Error&) {  // a valid request without an answer
  }
  return std::nullopt;
}

}  // namespace
}  // namespace rows_file

void append_cell(std::string& out, const Document& value) { rows_file::append_cell(out, opened(value)); }

Rows::Rows(const Grid& grid, Format format)
    : grid_(grid), format_(format), columns_(rows_file::columns_of(opened(grid.document).at("request"))) {}

std::string Rows::header() const {
  if (format_ == Format::jsonl) return {};
  std::string line = "index";
  for (const Axis& axis : grid_.axes) {
    line += ',';
    api::append_cell(line, axis.path);
  }
  for (const Column& column : columns_) fmt::format_to(std::back_inserter(line), ",{}", column.title);
  return line + ",note,error_kind,error\n";
}

void Rows::append_start(std::string& out, std::uint64_t index, const Configuration& configuration) const {
  const bool csv = format_ == Format::csv;
  out += csv ? "" : R"({"index":)";
  rows_file::append_json(out, index);
  for (std::size_t i = 0; i < grid_.axes.size(); ++i) {
    out += ',';
    if (csv) {
      append_cell(out, configuration.value(i));
    } else {
      out += json::write(grid_.axes[i].path);
      out += ':';
      rows_file::append_json(out, opened(configuration.value(i)));
    }
  }
}

bool Rows::append(std::string& out, std::uint64_t index, Configuration& configuration) const {
  configuration.go_to(index);
  append_start(out, index, configuration);
  try {
    return append_answer(out, document_of(evaluate(opened(configuration.request()))));
  } catch (const Error& error) {
    return append_failure(out, {to_string(error.kind()), error.what(), error.path()});
  } catch (const std::bad_alloc&) {
    return append_failure(out, {"internal", "out of memory", ""});
  } catch (const std::exception& error) {
    return append_failure(out, {"internal", error.what(), ""});
  }
}

bool Rows::append_answer(std::string& out, const Document& document) const {
  const Json& answer = opened(document);
  if (const Json* why = rows_file::why_unanswered(answer)) {
    return append_failure(out, {"unavailable", why->get_ref<const std::string&>(), ""});
  }
  if (format_ == Format::jsonl) {
    out += R"(,"answer":)" + json::write(answer) + "}\n";
    return true;
  }
  std::string cells;  // collected separately, so that a failure leaves no partial row behind
  for (const Column& column : columns_) {
    cells += ',';
    if (const Json* figure = rows_file::find(answer, column)) rows_file::append_cell(cells, *figure);
  }
  cells += ',';
  api::append_cell(cells, rows_file::notes_in(answer));
  out.append(cells).append(rows_file::no_failure) += '\n';
  return true;
}

bool Rows::append_failure(std::string& out, const Failure& failure) const {
  if (format_ == Format::jsonl) {
    out += rows_file::failure_member;
    out += fmt::format(R"("kind":{},"message":{},"path":{}}}}})", json::write(std::string(failure.kind)),
                       json::write(std::string(failure.message)), json::write(std::string(failure.path)));
  } else {
    out.append(columns_.size() + 1, ',');  // the cells of the values and of the note
    out += ',';
    api::append_cell(out, failure.kind);
    out += ',';
    api::append_cell(out, failure.message.empty() ? failure.kind : failure.message);
  }
  out += '\n';
  return false;
}

void Rows::append_again(std::string& out, std::string_view json_line, Configuration& configuration) const {
  const Json row = json::parse(json_line);
  const auto index = row.at("index").get<std::uint64_t>();
  configuration.go_to(index);
  append_start(out, index, configuration);
  if (const Json* answer = rows_file::member(row, "answer")) {
    append_answer(out, document_of(*answer));
    return;
  }
  const Json& error = row.at("error");
  const auto text = [&](const char* key) -> std::string_view { return error.at(key).get_ref<const std::string&>(); };
  append_failure(out, {text("kind"), text("message"), text("path")});
}

bool Rows::is_answered(std::string_view line) const {
  if (format_ == Format::csv) return line.ends_with(rows_file::no_failure);
  // The quotes are not escaped, so the member cannot be part of a string.
  return line.find(rows_file::failure_member) == std::string_view::npos;
}

void check_request(const Grid& grid) {
  Configuration configuration(grid);
  const auto first = rows_file::refusal_of(configuration, 0);
  if (!first) return;
  const auto last = rows_file::refusal_of(configuration, grid.size - 1);
  if (last && std::string_view(last->what()) == first->what()) throw *first;
}

}  // namespace renyi::api::sweep
