#include "api/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "api/shown.h"
#include "renyi/mechanism.h"
#include "renyi/plan.h"

namespace renyi::api {
namespace words_file {
namespace {

constexpr const char* deeper = "> ";

std::string shown(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array()) return fmt::format("{} row{}", value.size(), value.size() == 1 ? "" : "s");
  return value.is_number_integer() ? value.dump() : rounded(value.get<double>());
}

// "poisson rate=0.01"
std::string sampling_words(const Json& sampling) {
  std::string words = sampling.at("scheme").get<std::string>();
  for (const auto& member : sampling.items()) {
    if (member.key() != "scheme") words += fmt::format(" {}={}", member.key(), shown(member.value()));
  }
  return words;
}

std::string describe_mechanism(const Json& step) {
  std::vector<std::string> words{step.at("mechanism").get<std::string>()};
  for (const auto& member : step.items()) {
    if (member.key() == "mechanism" || member.key() == "sampling" || member.key() == "count") continue;
    words.push_back(fmt::format("{}={}", member.key(), shown(member.value())));
  }
  if (step.contains("sampling")) words.push_back(sampling_words(step.at("sampling")));
  return fmt::format("{}", fmt::join(words, ", "));
}

// "the best of K runs, K geometric, mean=10:"
std::string describe_selection(const Json& runs) {
  std::string words = fmt::format("the best of K runs, K {}", runs.at("law").get<std::string>());
  for (const auto& member : runs.items()) {
    if (member.key() != "law") words += fmt::format(", {}={}", member.key(), shown(member.value()));
  }
  return words + ", of:";
}

std::string headline_of(const Json& step) {
  if (step.contains("plan")) return "the group:";
  if (step.contains("select")) return describe_selection(step.at("runs"));
  return step.contains("parallel") ? "disjoint parts, of which the costliest counts:" : describe_mechanism(step);
}

void list_steps(const Json& steps, const std::string& indent, std::vector<std::string>& lines) {
  for (const Json& step : steps) {
    const std::string count = step.contains("count") ? shown(step.at("count")) : "1";
    lines.push_back(fmt::format("{}{} x {}", indent, count, headline_of(step)));
    if (step.contains("plan")) list_steps(step.at("plan"), indent + deeper, lines);
    if (step.contains("select")) list_steps(step.at("select"), indent + deeper, lines);
    if (!step.contains("parallel")) continue;
    std::size_t number = 0;
    for (const Json& part : step.at("parallel")) {
      lines.push_back(fmt::format("{}{}part {}:", indent, deeper, ++number));
      list_steps(part, indent + deeper + deeper, lines);
    }
  }
}

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
}  // namespace words_file

void for_each_mechanism(const Json& steps, const std::function<void(const Json& step)>& visit) {
  for (const Json& step : steps) {
    if (step.contains("mechanism")) visit(step);
    if (step.contains("plan")) for_each_mechanism(step.at("plan"), visit);
    if (step.contains("select")) for_each_mechanism(step.at("select"), visit);
    if (!step.contains("parallel")) continue;
    for (const Json& part : step.at("parallel")) for_each_mechanism(part, visit);
  }
}

// By the names of the mechanisms alone: a step may have a number left open.
std::string assumption_in(const Json& steps, std::string_view relation) {
  std::vector<std::string> texts;
  if (relation != to_string(Neighbors::add_or_remove_one)) return {};
  for_each_mechanism(steps, [&](const Json& step) {
    const Mechanism* known = find_mechanism(step.at("mechanism").get<std::string>());
    const std::string text(known == nullptr ? "" : known->notes().assumes);
    if (!text.empty() && std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  });
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::vector<std::string> steps_in_words(const Json& steps) {
  std::vector<std::string> lines;
  words_file::list_steps(steps, "", lines);
  return lines;
}

std::string difference_in_words(std::string_view relation, std::int64_t unit) {
  const std::string records = unit == 1 ? "one record" : fmt::format("up to {} records", unit);
  return fmt::format("datasets differ by {} {}", records, words_file::words_of(relation).done);
}

std::string change_in_words(std::string_view relation, std::int64_t unit) {
  const std::string whose = unit == 1 ? "any one record" : fmt::format("any one person's up to {} records", unit);
  return fmt::format("{} {}", words_file::words_of(relation).doing, whose);
}

std::string_view source_of_conversion(std::string_view name) noexcept {
  for (const words_file::Named& row : words_file::sources) {
    if (row.name == name) return row.text;
  }
  return "";
}

}  // namespace renyi::api
