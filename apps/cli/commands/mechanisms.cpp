// renyi mechanisms: the catalogue as a table, as rows, as BibTeX and as docs/mechanisms.md.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "api/api.h"
#include "api/json/content.h"
#include "api/statement/document.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/mechanism_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/question.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"
#include "renyi/error.h"

namespace renyi::cli {

namespace mechanisms_file {
namespace {

using api::Json;

std::string text_at(const Json& object, const char* key) { return object.at(key).get<std::string>(); }

// A number of a mechanism: "stddev", or "points[].order" of a table.
struct CatalogueNumber {
  std::string name;
  std::string meaning;
  std::string allowed;
  std::string fallback;  // empty: it must be given
  std::string effect;    // "more costs less"; empty where that is not so simple
};

std::string effect_in_words(const std::string& effect) {
  if (effect == "raises-cost") return "more costs more";
  return effect == "lowers-cost" ? "more costs less" : "";
}

// Those of one list of parameters.
std::vector<CatalogueNumber> numbers_in(const Json& parameters, const std::string& prefix = {}) {
  std::vector<CatalogueNumber> all;
  for (const Json& one : parameters) {
    const std::string fallback = one.contains("default") ? rounded(number_in(one.at("default"))) : "";
    all.push_back({prefix + text_at(one, "name"), text_at(one, "meaning"), text_at(one, "allowed"), fallback,
                   effect_in_words(text_at(one, "effect"))});
  }
  return all;
}

// All of an entry, tables included.
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

// "stddev, l2_sensitivity = 1, or noise_multiplier for stddev"
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

// "rows of order, divergence"
std::string shape_of(const Json& table) {
  std::vector<std::string> names;
  for (const Json& column : table.at("columns")) names.push_back(text_at(column, "name"));
  const std::string may = table.at("may_be_empty").get<bool>() ? "; may be left out" : "";
  if (table.at("any_width").get<bool>()) return fmt::format("rows of equal length, each number {}{}", names[0], may);
  if (names.size() == 1) return fmt::format("a list of {}{}", names[0], may);
  return fmt::format("rows of {}{}", fmt::join(names, ", "), may);
}

// "exact", "exact, in part bounds", "Renyi bounds": what can be had of it.
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

// A sentence with a capital letter and a full stop.
std::string sentence(std::string text) {
  if (text.empty()) return text;
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text.ends_with('.') ? text : text + '.';
}

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

// One mechanism in full where the question names one; else all of them, a few lines each.
std::string catalogue_table(const Question& question, const Json& answer) {
  const Json& entries = answer.at("mechanisms");
  if (api::opened(question.request).contains("kind")) return one_in_full(entries.at(0));
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

// A row a parameter.
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

// The sources of all mechanisms of the answer, each once.
std::string catalogue_bibtex(const Question& /*question*/, const Json& answer) {
  std::set<std::string> printed;
  std::string text;
  for (const Json& reference : all_references(answer)) {
    if (!printed.insert(text_at(reference, "key")).second) continue;
    text += (text.empty() ? "" : "\n") + text_at(reference, "bibtex") + '\n';
  }
  return text;
}

// A bar would end the cell.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '|' ? std::string("\\|") : std::string(1, c);
  return result;
}

std::string table_of(const std::vector<CatalogueNumber>& numbers) {
  if (numbers.empty()) return "";
  std::string text = "\n| parameter | meaning | allowed | default | |\n|---|---|---|---|---|\n";
  for (const CatalogueNumber& number : numbers) {
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", number.name, cell(number.meaning), number.allowed,
                        number.fallback.empty() ? "" : number.fallback, number.effect);
  }
  return text;
}

std::string line(const std::string& label, const std::string& text) {
  return text.empty() ? "" : fmt::format("- {}: {}\n", label, text);
}

std::string facts_of(const Json& entry) {
  std::string text;
  for (const Json& alias : entry.at("aliases")) {
    text += fmt::format("- `{}` is `{}` where `{}` has its default, and excludes both\n", text_at(alias, "name"),
                        text_at(alias, "parameter"), text_at(alias, "excludes"));
  }
  for (const Json& table : entry.at("tables")) {
    text +=
        fmt::format("- `{}`, a table: {}; {}\n", text_at(table, "name"), text_at(table, "meaning"), shape_of(table));
  }
  text += line("relation", text_at(entry, "relation")) + line("figures", figures_in_short(entry));
  text += line("exact", text_at(entry, "exact")) + line("bound", text_at(entry, "bound"));
  text += line("sampled", sampling_in_words(entry)) + line("groups", groups_in_words(entry));
  text += line("certified", certified_in_words(entry));
  for (const Json& reference : entry.at("references")) text += line("source", text_at(reference, "text"));
  return text;
}

std::string section_of(const Json& entry) {
  return fmt::format("\n## {}\n{}\n{}\n{}\n```json\n{}\n```\n", text_at(entry, "kind"),
                     sentence(text_at(entry, "summary")), table_of(numbers_of(entry)), facts_of(entry),
                     api::write(entry.at("example")));
}

std::string index_of(const Json& entries) {
  std::string text = "| kind | what it is | figures |\n|---|---|---|\n";
  for (const Json& entry : entries) {
    text += fmt::format("| [{0}](#{0}) | {1} | {2} |\n", text_at(entry, "kind"), cell(text_at(entry, "summary")),
                        figures_in_short(entry));
  }
  return text;
}

std::string forms_of(const Json& answer) {
  std::string text = "\n# Other forms of a step\n";
  for (const Json& form : answer.at("forms")) {
    text += fmt::format("\n`\"{}\"`: {}.\n\n```json\n{}\n```\n", text_at(form, "key"), text_at(form, "summary"),
                        api::write(form.at("example")));
    std::string facts = line("relation", text_at(form, "relation")) + line("exact", text_at(form, "exact"));
    facts += line("bound", text_at(form, "bound"));
    for (const Json& reference : form.at("references")) facts += line("source", text_at(reference, "text"));
    if (!facts.empty()) text += '\n' + facts;
  }
  return text;
}

// Schemes or laws, each with its numbers.
std::string named_in(const Json& all, const char* key) {
  std::string text;
  for (const Json& one : all) {
    text += fmt::format("\n## {}\n{}\n{}", text_at(one, key), sentence(text_at(one, "summary")),
                        table_of(numbers_in(one.at("parameters"))));
  }
  return text;
}

// docs/mechanisms.md.
std::string catalogue_markdown(const Question& /*question*/, const Json& answer) {
  std::string text =
      "# Mechanisms\n"
      "What a step of a plan can be. This page is printed by `renyi mechanisms --markdown`, from the table that reads "
      "plans: `make docs` writes it anew, and a\ntest compares the two. `renyi mechanisms KIND` shows one, "
      "`renyi mechanisms --bibtex` prints the sources for citing.\n\n" +
      index_of(answer.at("mechanisms")) +
      "\n*Exact*: every (epsilon, delta) is the true cost, as an interval; *in part bounds*: where the entry says so. "
      "*Exact "
      "for the worst such step*: the true cost of the costliest\nstep with that promise. *Renyi bounds*: upper bounds, "
      "from divergences alone.\n";
  for (const Json& entry : answer.at("mechanisms")) text += section_of(entry);
  text += forms_of(answer);
  text += "\n# How the records of a step are drawn\nThe member `\"sampling\"` of a step.\n";
  text += named_in(answer.at("schemes"), "scheme");
  text += "\n# How many runs a selection has\nThe member `\"runs\"` of a `select`.\n";
  return api::with_accents(text + named_in(answer.at("runs"), "law"));
}

constexpr const char* bibtex_flag = "--bibtex";
constexpr const char* markdown_flag = "--markdown";

void refuse_beside(const Flags& flags, const char* flag, const std::string& other) {
  if (!flags.given(flag) || !flags.given(other)) return;
  throw InvalidArgument(other, *flags.text(other), std::string("nothing together with ") + flag);
}

void build(Question& question, const Flags& flags) {
  for (const char* flag : {bibtex_flag, markdown_flag}) refuse_beside(flags, flag, format_flag().name);
  refuse_beside(flags, markdown_flag, kind_value);
  question.request.set("op", "mechanisms");
  if (const auto kind = flags.text(kind_value)) question.set("kind", *kind, kind_value);
}

JsonViews views_for(const Flags& flags) {
  if (flags.given(markdown_flag)) return {catalogue_markdown};
  if (flags.given(bibtex_flag)) return {catalogue_bibtex};
  return {catalogue_table, catalogue_rows};
}

}  // namespace
}  // namespace mechanisms_file

Command mechanisms_command() {
  return {
      .name = "mechanisms",
      .help = "What can be run: every mechanism, its parameters and its sources",
      .flags = {{kind_value, "", "only this one, with all there is to know of it"},
                {mechanisms_file::bibtex_flag, "", "print its sources, or those of all, as BibTeX", asked_group},
                {mechanisms_file::markdown_flag, "", "print all of it as a document", asked_group},
                format_flag()},
      .footer =
          "Examples:\n"
          "  renyi mechanisms\n"
          "  renyi mechanisms gaussian\n"
          "  renyi mechanisms gdp --bibtex\n"
          "  renyi mechanisms --format csv",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(
                flags, [&](Question& question) { mechanisms_file::build(question, flags); },
                mechanisms_file::views_for(flags));
          },
  };
}

}  // namespace renyi::cli
