#include "api/relation_text.h"

#include <fmt/format.h>

#include <array>

namespace renyi::api {
namespace relation_text_file {
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

struct Named {
  std::string_view name;
  std::string_view text;
};

constexpr std::array<Named, 4> sources{{
    {"tight", "Canonne, Kamath, Steinke 2020, Proposition 12"},
    {"classical", "Mironov 2017, Proposition 3"},
    {"pure", "order infinity is pure differential privacy"},
    {"total-variation", "Bretagnolle and Huber's bound on delta(0)"},
}};

}  // namespace
}  // namespace relation_text_file

std::string difference_in_words(std::string_view relation, std::int64_t unit) {
  const std::string records = unit == 1 ? "one record" : fmt::format("up to {} records", unit);
  return fmt::format("datasets differ by {} {}", records, relation_text_file::words_of(relation).done);
}

std::string change_in_words(std::string_view relation, std::int64_t unit) {
  const std::string whose = unit == 1 ? "any one record" : fmt::format("any one person's up to {} records", unit);
  return fmt::format("{} {}", relation_text_file::words_of(relation).doing, whose);
}

std::string_view source_of_conversion(std::string_view name) noexcept {
  for (const relation_text_file::Named& row : relation_text_file::sources) {
    if (row.name == name) return row.text;
  }
  return "";
}

}  // namespace renyi::api
