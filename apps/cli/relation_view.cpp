#include "apps/cli/relation_view.h"

#include <fmt/format.h>

#include <array>

namespace renyi::cli {
namespace {

struct Words {
  std::string_view relation;
  std::string_view doing;  // "replacing"
  std::string_view done;   // "replaced"
};
constexpr std::array<Words, 3> all_words{{
    {"add-or-remove-one", "adding or removing", "more or less"},
    {"replace-one", "replacing", "replaced"},
    {"zero-out", "zeroing out", "zeroed out"},
}};

const Words& words_of(std::string_view relation) {
  for (const Words& words : all_words) {
    if (words.relation == relation) return words;
  }
  return all_words[0];
}

}  // namespace

std::string relation_of(const Question& question) {
  return question.request.value("neighbors", std::string(all_words[0].relation));
}

std::int64_t unit_of(const Question& question) { return question.request.value("unit", std::int64_t{1}); }

void describe_relation(Report& report, const Question& question) {
  const std::string relation = relation_of(question);
  const std::int64_t unit = unit_of(question);
  const std::string records = unit == 1 ? "one record" : fmt::format("up to {} records", unit);
  report.row("neighbors", fmt::format("{}: datasets differ by {} {}", relation, records, words_of(relation).done));
  if (unit > 1)
    report.row("unit", fmt::format("one person has up to {} records: all of them are protected at once", unit));
}

std::string change_in_words(const Question& question) {
  const std::int64_t unit = unit_of(question);
  const std::string whose = unit == 1 ? "any one record" : fmt::format("any one person's up to {} records", unit);
  return fmt::format("{} {}", words_of(relation_of(question)).doing, whose);
}

}  // namespace renyi::cli
