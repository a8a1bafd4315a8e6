#include "apps/cli/relation_view.h"

#include <fmt/format.h>

#include "api/relation_in_words.h"

namespace renyi::cli {

std::string relation_of(const Question& question) {
  return question.request.value("neighbors", std::string("add-or-remove-one"));
}

std::int64_t unit_of(const Question& question) { return question.request.value("unit", std::int64_t{1}); }

void describe_relation(Report& report, const Question& question) {
  const std::string relation = relation_of(question);
  const std::int64_t unit = unit_of(question);
  report.row("neighbors", fmt::format("{}: {}", relation, api::difference_in_words(relation, unit)));
  if (unit > 1)
    report.row("unit", fmt::format("one person has up to {} records: all of them are protected at once", unit));
}

std::string change_in_words(const Question& question) {
  return api::change_in_words(relation_of(question), unit_of(question));
}

}  // namespace renyi::cli
