#include "api/relation_in_words.h"

#include <fmt/format.h>

#include <array>

namespace renyi::api {
namespace {

struct RelationWords {
  std::string_view relation;
  std::string_view doing;  // "replacing"
  std::string_view done;   // "replaced"
};
constexpr std::array<RelationWords, 3> all_words{{
    {"add-or-remove-one", "adding or removing", "more or less"},
    {"replace-one", "replacing", "replaced"},
    {"zero-out", "zeroing out", "zeroed out"},
}};

const RelationWords& words_of(std::string_view relation) {
  for (const RelationWords& words : all_words) {
    if (words.relation == relation) return words;
  }
  return all_words[0];
}

}  // namespace

std::string difference_in_words(std::string_view relation, std::int64_t unit) {
  const std::string records = unit == 1 ? "one record" : fmt::format("up to {} records", unit);
  return fmt::format("datasets differ by {} {}", records, words_of(relation).done);
}

std::string change_in_words(std::string_view relation, std::int64_t unit) {
  const std::string whose = unit == 1 ? "any one record" : fmt::format("any one person's up to {} records", unit);
  return fmt::format("{} {}", words_of(relation).doing, whose);
}

}  // namespace renyi::api
