#include "api/sweep/columns.h"

#include <string>

namespace renyi::api::sweep {
namespace {

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

// An axis among the parts may name either.
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

}  // namespace

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

const Json* find(const Json& answer, const Column& column) {
  const Json* figure = &answer;
  for (const std::string_view key : column.path) {
    if (key.empty()) break;
    figure = member(*figure, key);
    if (figure == nullptr) break;
  }
  return figure;
}

std::string notes_in(const Json& answer) {
  std::string notes;
  append_note(notes, member(answer, "note"));
  if (const Json* exact = member(answer, "exact")) append_note(notes, member(*exact, "note"));
  append_note(notes, reason_in(answer));
  return notes;
}

const Json* why_unanswered(const Json& answer) {
  const bool another_part = member(answer, "renyi") != nullptr || member(answer, "value") != nullptr;
  return another_part ? nullptr : reason_in(answer);
}

}  // namespace renyi::api::sweep
