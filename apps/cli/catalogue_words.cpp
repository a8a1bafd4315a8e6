#include "apps/cli/catalogue_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>

#include "apps/cli/describe.h"
#include "apps/cli/number.h"

namespace renyi::cli {
namespace {

using api::Json;

std::string text_at(const Json& object, const char* key) { return object.at(key).get<std::string>(); }

std::string effect_in_words(const std::string& effect) {
  if (effect == "raises-cost") return "more costs more";
  return effect == "lowers-cost" ? "more costs less" : "";
}

}  // namespace

std::vector<CatalogueNumber> numbers_in(const Json& parameters, const std::string& prefix) {
  std::vector<CatalogueNumber> all;
  for (const Json& one : parameters) {
    const std::string fallback = one.contains("default") ? rounded(number_in(one.at("default"))) : "";
    all.push_back({prefix + text_at(one, "name"), text_at(one, "meaning"), text_at(one, "allowed"), fallback,
                   effect_in_words(text_at(one, "effect"))});
  }
  return all;
}

std::vector<CatalogueNumber> numbers_of(const Json& entry) {
  std::vector<CatalogueNumber> all = numbers_in(entry.at("parameters"));
  for (const Json& table : entry.at("tables")) {
    for (CatalogueNumber& number : numbers_in(table.at("columns"), text_at(table, "name") + "[].")) {
      number.effect.clear();  // of one number beside the others
      all.push_back(std::move(number));
    }
  }
  return all;
}

std::string parameters_in_short(const Json& entry) {
  std::vector<std::string> words;
  for (const CatalogueNumber& number : numbers_in(entry.at("parameters"))) {
    words.push_back(number.fallback.empty() ? number.name : fmt::format("{} = {}", number.name, number.fallback));
  }
  for (const Json& table : entry.at("tables")) words.push_back(fmt::format("{} (a table)", text_at(table, "name")));
  for (const Json& alias : entry.at("aliases")) {
    words.push_back(fmt::format("or {} for {}", text_at(alias, "name"), text_at(alias, "parameter")));
  }
  return words.empty() ? "no parameters" : fmt::format("{}", fmt::join(words, ", "));
}

std::string shape_of(const Json& table) {
  std::vector<std::string> names;
  for (const Json& column : table.at("columns")) names.push_back(text_at(column, "name"));
  const std::string may = table.at("may_be_empty").get<bool>() ? "; may be left out" : "";
  if (table.at("any_width").get<bool>()) return fmt::format("rows of equal length, each number {}{}", names[0], may);
  if (names.size() == 1) return fmt::format("a list of {}{}", names[0], may);
  return fmt::format("rows of {}{}", fmt::join(names, ", "), may);
}

std::string figures_in_short(const Json& entry) {
  const std::string known = text_at(entry, "known_by");
  if (known == "loss") return text_at(entry, "bound").empty() ? "exact" : "exact, in part bounds";
  if (known == "profile") return "exact for the worst such step";
  if (known == "orders") return "Renyi bounds";
  return "Renyi bounds; (epsilon, delta) of a pair that dominates it";
}

std::string sampling_in_words(const Json& entry) {
  const Json& sampling = entry.at("sampling");
  return sampling.is_string() ? "on any sample of the records" : "never: " + text_at(sampling, "unavailable");
}

std::string groups_in_words(const Json& entry) {
  return entry.at("groups") == "own rule" ? "persons with several records by a rule of its own"
                                          : "persons with several records by the general bound";
}

std::string certified_in_words(const Json& entry) {
  return entry.at("certified").get<bool>() ? "yes: renyi certify proves figures of it" : "no certified method yet";
}

std::string sentence(std::string text) {
  if (text.empty()) return text;
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text.ends_with('.') ? text : text + '.';
}

}  // namespace renyi::cli
