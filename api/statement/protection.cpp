// Who is protected against what: the unit of privacy and the neighbouring relation.
#include <fmt/format.h>

#include "api/relation_in_words.h"
#include "api/statement/guarantee.h"
#include "api/statement/statement.h"

namespace renyi::api {
namespace {

Words unit_in_words(std::int64_t unit) {
  if (unit == 1) {
    return "The unit of privacy is one record. Someone with several records in the data is protected less than the "
           "figures say; a larger unit in the plan gives the figures for such persons.";
  }
  return fmt::format(
      "The unit of privacy is one person: up to {} records, all of them protected at once. Someone with more records "
      "is "
      "protected less than the figures say.",
      unit);
}

}  // namespace

Section protection_section(const Json& facts) {
  const auto relation = facts.at("neighbors").get<std::string>();
  const auto unit = facts.at("unit").get<std::int64_t>();
  return {.title = "What is protected",
          .blocks = {Paragraph{unit_in_words(unit)},
                     Paragraph{Words("Neighbouring datasets (") + code(relation) +
                               fmt::format("): {}. The guarantee compares what is published on any two such datasets, "
                                           "in both directions.",
                                           difference_in_words(relation, unit))}}};
}

}  // namespace renyi::api
