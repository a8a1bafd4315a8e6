#include "apps/cli/catalogue_view.h"

#include <fmt/format.h>

#include <set>

#include "apps/cli/catalogue_words.h"
#include "apps/cli/columns.h"
#include "apps/cli/csv.h"
#include "apps/cli/report.h"

namespace renyi::cli {
namespace {

using api::Json;

std::string text_at(const Json& object, const char* key) { return object.at(key).get<std::string>(); }

std::string in_full(const CatalogueNumber& number) {
  std::string text = fmt::format("{}: {}; {}", number.name, number.meaning, number.allowed);
  if (!number.fallback.empty()) text += "; default " + number.fallback;
  return number.effect.empty() ? text : fmt::format("{}; {}", text, number.effect);
}

// Rows of one label, which stands beside the first.
class Block {
 public:
  Block(Report& report, std::string label) : report_(report), label_(std::move(label)) {}
  void add(const std::string& text) {
    if (!text.empty()) report_.row(std::exchange(label_, ""), text);
  }

 private:
  Report& report_;
  std::string label_;
};

void list_numbers(Report& report, const Json& entry) {
  Block parameters(report, "parameters");
  for (const CatalogueNumber& number : numbers_in(entry.at("parameters"))) parameters.add(in_full(number));
  for (const Json& alias : entry.at("aliases")) {
    parameters.add(fmt::format("{}: {} where {} has its default, and excludes both", text_at(alias, "name"),
                               text_at(alias, "parameter"), text_at(alias, "excludes")));
  }
  Block tables(report, "tables");
  for (const Json& table : entry.at("tables")) {
    tables.add(fmt::format("{}: {}; {}", text_at(table, "name"), text_at(table, "meaning"), shape_of(table)));
    for (const CatalogueNumber& number : numbers_in(table.at("columns"))) tables.add("- " + in_full(number));
  }
}

std::string one_in_full(const Json& entry) {
  Report report(Style::of_standard_output());
  report.headline(text_at(entry, "kind"), " " + text_at(entry, "summary"));
  list_numbers(report, entry);
  Block(report, "relation").add(text_at(entry, "relation"));
  Block(report, "figures").add(figures_in_short(entry));
  Block(report, "exact").add(text_at(entry, "exact"));
  Block(report, "bound").add(text_at(entry, "bound"));
  report.row("sampling", sampling_in_words(entry)).row("groups", groups_in_words(entry));
  report.row("certified", certified_in_words(entry));
  Block references(report, "references");
  for (const Json& reference : entry.at("references")) {
    references.add(fmt::format("[{}] {}", text_at(reference, "key"), text_at(reference, "text")));
  }
  report.blank_line().lines("A step of it in a plan file:\n");
  return report.lines("  " + api::write(entry.at("example")) + "\n").text();
}

std::string in_short(const Json& entry) {
  return fmt::format("{}: {}. {}", text_at(entry, "summary"), parameters_in_short(entry),
                     sentence(figures_in_short(entry)));
}

std::string names_of(const Json& parameters) {
  std::string names;
  for (const Json& one : parameters) names += (names.empty() ? "" : ", ") + text_at(one, "name");
  return names;
}

// Schemes or laws, each with its numbers.
std::vector<std::vector<std::string>> named(std::vector<std::string> title, const Json& all, const char* key) {
  std::vector<std::vector<std::string>> rows{std::move(title)};
  for (const Json& one : all) {
    rows.push_back({text_at(one, key), fmt::format("{}: {}", text_at(one, "summary"), names_of(one.at("parameters")))});
  }
  return rows;
}

// Of mechanisms and, where all are asked for, of the other forms of a step.
std::vector<Json> all_references(const Json& answer) {
  std::vector<Json> all;
  for (const char* part : {"mechanisms", "forms"}) {
    for (const Json& entry : answer.value(part, Json::array())) {
      for (const Json& reference : entry.at("references")) all.push_back(reference);
    }
  }
  return all;
}

}  // namespace

std::string catalogue_table(const Question& question, const Json& answer) {
  const Json& entries = answer.at("mechanisms");
  if (question.request.contains("kind")) return one_in_full(entries.at(0));
  Report report(Style::of_standard_output());
  report.headline("What can be run", fmt::format("({} mechanisms)", entries.size()));
  std::vector<std::vector<std::string>> kinds{{"kind", "what it is: its parameters. Its figures."}};
  for (const Json& entry : entries) kinds.push_back({text_at(entry, "kind"), in_short(entry)});
  std::vector<std::vector<std::string>> forms{{"key", "other forms of a step"}};
  for (const Json& form : answer.at("forms")) forms.push_back({text_at(form, "key"), text_at(form, "summary")});
  return report.text() + columns(kinds) + '\n' + columns(forms) + '\n' +
         columns(named({"sampling", "how the records of a step are drawn"}, answer.at("schemes"), "scheme")) + '\n' +
         columns(named({"runs", "how many runs a selection has"}, answer.at("runs"), "law")) +
         "\nAll about one: renyi mechanisms KIND\n";
}

std::string catalogue_rows(const Question& /*question*/, const Json& answer) {
  std::vector<std::vector<Json>> cells;
  for (const Json& entry : answer.at("mechanisms")) {
    for (const CatalogueNumber& number : numbers_of(entry)) {
      cells.push_back(
          {text_at(entry, "kind"), number.name, number.meaning, number.allowed, number.fallback, number.effect});
    }
  }
  return csv({"kind", "parameter", "meaning", "allowed", "default", "effect"}, cells);
}

std::string catalogue_bibtex(const Question& /*question*/, const Json& answer) {
  std::set<std::string> printed;
  std::string text;
  for (const Json& reference : all_references(answer)) {
    if (!printed.insert(text_at(reference, "key")).second) continue;
    text += (text.empty() ? "" : "\n") + text_at(reference, "bibtex") + '\n';
  }
  return text;
}

}  // namespace renyi::cli
