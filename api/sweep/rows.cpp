#include "api/sweep/rows.h"

#include <fmt/format.h>

#include <exception>
#include <iterator>
#include <new>
#include <optional>

#include "api/sweep/cell.h"
#include "renyi/error.h"

namespace renyi::api::sweep {
namespace {

// The last two cells of an answered row are empty, and so is not the last of another.
constexpr std::string_view no_failure = ",,";
constexpr std::string_view failure_member = R"(,"error":{)";

std::optional<InvalidArgument> refusal_of(Configuration& configuration, std::uint64_t index) {
  configuration.go_to(index);
  try {
    evaluate(configuration.request());
  } catch (const InvalidArgument& error) {
    return error;
  } catch (const Error&) {  // a good request without an answer
  }
  return std::nullopt;
}

}  // namespace

Rows::Rows(const Grid& grid, Format format) : grid_(grid), format_(format), columns_(columns_of(grid.request())) {}

std::string Rows::header() const {
  if (format_ == Format::jsonl) return {};
  std::string line = "index";
  for (const Axis& axis : grid_.axes) {
    line += ',';
    append_cell(line, std::string_view(axis.path));
  }
  for (const Column& column : columns_) fmt::format_to(std::back_inserter(line), ",{}", column.title);
  return line + ",note,error_kind,error\n";
}

void Rows::append_start(std::string& out, std::uint64_t index, const Configuration& configuration) const {
  const bool csv = format_ == Format::csv;
  out += csv ? "" : R"({"index":)";
  append_json(out, index);
  for (std::size_t i = 0; i < grid_.axes.size(); ++i) {
    out += ',';
    if (csv) {
      append_cell(out, configuration.value(i));
    } else {
      out += write(grid_.axes[i].path);
      out += ':';
      append_json(out, configuration.value(i));
    }
  }
}

bool Rows::append(std::string& out, std::uint64_t index, Configuration& configuration) const {
  configuration.go_to(index);
  append_start(out, index, configuration);
  try {
    return append_answer(out, evaluate(configuration.request()));
  } catch (const Error& error) {
    return append_failure(out, {to_string(error.kind()), error.what(), error.path()});
  } catch (const std::bad_alloc&) {
    return append_failure(out, {"internal", "out of memory", ""});
  } catch (const std::exception& error) {
    return append_failure(out, {"internal", error.what(), ""});
  }
}

bool Rows::append_answer(std::string& out, const Json& answer) const {
  if (const Json* why = why_unanswered(answer)) {
    return append_failure(out, {"unavailable", why->get_ref<const std::string&>(), ""});
  }
  if (format_ == Format::jsonl) {
    out += R"(,"answer":)" + write(answer) + "}\n";
    return true;
  }
  std::string cells;  // by itself, so that a failure leaves no part of them behind
  for (const Column& column : columns_) {
    cells += ',';
    if (const Json* figure = find(answer, column)) append_cell(cells, *figure);
  }
  cells += ',';
  append_cell(cells, std::string_view(notes_in(answer)));
  out.append(cells).append(no_failure) += '\n';
  return true;
}

bool Rows::append_failure(std::string& out, const Failure& failure) const {
  if (format_ == Format::jsonl) {
    out += failure_member;
    out += fmt::format(R"("kind":{},"message":{},"path":{}}}}})", write(std::string(failure.kind)),
                       write(std::string(failure.message)), write(std::string(failure.path)));
  } else {
    out.append(columns_.size() + 1, ',');  // the figures and the note
    out += ',';
    append_cell(out, failure.kind);
    out += ',';
    append_cell(out, failure.message.empty() ? failure.kind : failure.message);
  }
  out += '\n';
  return false;
}

bool Rows::is_answered(std::string_view line) const {
  if (format_ == Format::csv) return line.ends_with(no_failure);
  // Bare quotes: it stands in no string.
  return line.find(failure_member) == std::string_view::npos;
}

void check_request(const Grid& grid) {
  Configuration configuration(grid);
  const auto first = refusal_of(configuration, 0);
  if (!first) return;
  const auto last = refusal_of(configuration, grid.size - 1);
  if (last && std::string_view(last->what()) == first->what()) throw *first;
}

}  // namespace renyi::api::sweep
