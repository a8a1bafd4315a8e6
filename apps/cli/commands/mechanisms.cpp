// renyi mechanisms: prints the catalogue as a table, as rows, as BibTeX, or as docs/mechanisms.md.
#include "api/mechanisms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

using api::FormEntry;
using api::MechanismEntry;
using api::MechanismsAnswer;
using api::MechanismsRequest;
using api::NamedParameters;

// A number of a mechanism: "stddev", or "points[].order" of a table.
struct CatalogueNumber {
  std::string name;
  std::string meaning;
  std::string allowed;
  std::string fallback;  // the default; empty if it must be given, or may be omitted
  std::string effect;    // "more costs less"; empty if there is no such simple statement
};

std::string effect_in_words(Effect effect) {
  if (effect == Effect::raises_cost) return "more costs more";
  return effect == Effect::lowers_cost ? "more costs less" : "";
}

// Returns the numbers of one list of parameters.
std::vector<CatalogueNumber> numbers_in(std::span<const Parameter> parameters, const std::string& prefix = {}) {
  std::vector<CatalogueNumber> all;
  for (const Parameter& one : parameters) {
    const bool shown = one.fallback && !one.is_left_out(*one.fallback);
    all.push_back({prefix + std::string(one.name), std::string(one.meaning), one.allowed(),
                   shown ? rounded(*one.fallback) : "", effect_in_words(one.effect)});
  }
  return all;
}

// Returns all numbers of an entry, including those of its tables.
std::vector<CatalogueNumber> numbers_of(const Mechanism& mechanism) {
  std::vector<CatalogueNumber> all = numbers_in(mechanism.parameters());
  for (const TableParameter& table : mechanism.tables()) {
    for (CatalogueNumber& number : numbers_in(table.columns, std::string(table.name) + "[].")) {
      number.effect.clear();  // the effect of a single number in a table is not defined
      all.push_back(std::move(number));
    }
  }
  return all;
}

// Lists parameters as in "stddev, l2_sensitivity = 1, or noise_multiplier for stddev".
std::string parameters_in_short(const Mechanism& mechanism) {
  std::vector<std::string> words;
  for (const CatalogueNumber& number : numbers_in(mechanism.parameters())) {
    words.push_back(number.fallback.empty() ? number.name : fmt::format("{} = {}", number.name, number.fallback));
  }
  for (const TableParameter& table : mechanism.tables()) words.push_back(fmt::format("{} (a table)", table.name));
  for (const Alias& alias : mechanism.aliases()) {
    words.push_back(fmt::format("or {} for {}", alias.name, alias.parameter));
  }
  return words.empty() ? "no parameters" : fmt::format("{}", fmt::join(words, ", "));
}

// Describes a table as in "rows of order, divergence".
std::string shape_of(const TableParameter& table) {
  std::vector<std::string_view> names;
  for (const Parameter& column : table.columns) names.push_back(column.name);
  const std::string may = table.may_be_empty ? "; may be left out" : "";
  if (table.any_width) return fmt::format("rows of equal length, each number {}{}", names[0], may);
  if (names.size() == 1) return fmt::format("a list of {}{}", names[0], may);
  return fmt::format("rows of {}{}", fmt::join(names, ", "), may);
}

// Returns which answers a mechanism has: "exact", "exact, in part bounds" or "Renyi bounds".
std::string figures_in_short(const MechanismEntry& entry) {
  if (entry.known_by == Knowledge::loss) return entry.notes.bound.empty() ? "exact" : "exact, in part bounds";
  if (entry.known_by == Knowledge::profile) return "exact for the worst such step";
  return entry.dominated ? "Renyi bounds; (epsilon, delta) of a pair that dominates it" : "Renyi bounds";
}

std::string sampling_in_words(const MechanismEntry& entry) {
  const std::string_view never = entry.mechanism.sampling_obstacle();
  return never.empty() ? "on any sample of the records" : fmt::format("never: {}", never);
}

std::string groups_in_words(const MechanismEntry& entry) {
  return entry.own_group_rule ? "persons with several records by a rule of its own"
                              : "persons with several records by the general bound";
}

std::string certified_in_words(const MechanismEntry& entry) {
  return entry.certified ? "yes: renyi certify proves figures of it" : "no certified method yet";
}

// Makes a sentence: adds a capital letter and a full stop.
std::string sentence(std::string_view words) {
  std::string text(words);
  if (text.empty()) return text;
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text.ends_with('.') ? text : text + '.';
}

std::string in_full(const CatalogueNumber& number) {
  std::string text = fmt::format("{}: {}; {}", number.name, number.meaning, number.allowed);
  if (!number.fallback.empty()) text += "; default " + number.fallback;
  return number.effect.empty() ? text : fmt::format("{}; {}", text, number.effect);
}

// Several rows with one label, which is printed next to the first row.
class Block {
 public:
  Block(Report& report, std::string label) : report_(report), label_(std::move(label)) {}
  void add(std::string_view text) {
    if (!text.empty()) report_.row(std::exchange(label_, ""), text);
  }

 private:
  Report& report_;
  std::string label_;
};

void list_numbers(Report& report, const Mechanism& mechanism) {
  Block parameters(report, "parameters");
  for (const CatalogueNumber& number : numbers_in(mechanism.parameters())) parameters.add(in_full(number));
  for (const Alias& alias : mechanism.aliases()) {
    parameters.add(
        fmt::format("{}: {} where {} has its default, and excludes both", alias.name, alias.parameter, alias.excluded));
  }
  Block tables(report, "tables");
  for (const TableParameter& table : mechanism.tables()) {
    tables.add(fmt::format("{}: {}; {}", table.name, table.meaning, shape_of(table)));
    for (const CatalogueNumber& number : numbers_in(table.columns)) tables.add("- " + in_full(number));
  }
}

std::string one_in_full(const MechanismEntry& entry) {
  Report report(Style::of_standard_output());
  report.headline(entry.mechanism.kind(), fmt::format(" {}", entry.mechanism.summary()));
  list_numbers(report, entry.mechanism);
  Block(report, "relation").add(entry.notes.relation);
  Block(report, "figures").add(figures_in_short(entry));
  Block(report, "exact").add(entry.notes.exact);
  Block(report, "bound").add(entry.notes.bound);
  report.row("sampling", sampling_in_words(entry)).row("groups", groups_in_words(entry));
  report.row("certified", certified_in_words(entry));
  Block references(report, "references");
  for (const Reference& reference : entry.notes.references) {
    references.add(fmt::format("[{}] {}", reference.key, reference.text));
  }
  report.blank_line().lines("A step of it in a plan file:\n");
  return report.lines("  " + entry.example.text() + "\n").text();
}

std::string in_short(const MechanismEntry& entry) {
  return fmt::format("{}: {}. {}", entry.mechanism.summary(), parameters_in_short(entry.mechanism),
                     sentence(figures_in_short(entry)));
}

std::string names_of(std::span<const Parameter> parameters) {
  std::vector<std::string_view> names;
  for (const Parameter& one : parameters) names.push_back(one.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// Lists sampling schemes, or distributions of the number of runs, each with its parameters.
std::vector<std::vector<std::string>> named(std::vector<std::string> title, const std::vector<NamedParameters>& all) {
  std::vector<std::vector<std::string>> rows{std::move(title)};
  for (const NamedParameters& one : all) {
    rows.push_back({std::string(one.name), fmt::format("{}: {}", one.summary, names_of(one.parameters))});
  }
  return rows;
}

// Prints one mechanism in full if the question names one; else all of them, with a few lines each.
std::string catalogue_table(const Question&, const MechanismsRequest& asked, const MechanismsAnswer& answer) {
  if (asked.only != nullptr) return one_in_full(answer.mechanisms.front());
  Report report(Style::of_standard_output());
  report.headline("What can be run", fmt::format("({} mechanisms)", answer.mechanisms.size()));
  std::vector<std::vector<std::string>> kinds{{"kind", "what it is: its parameters. Its figures."}};
  for (const MechanismEntry& entry : answer.mechanisms) {
    kinds.push_back({std::string(entry.mechanism.kind()), in_short(entry)});
  }
  std::vector<std::vector<std::string>> forms{{"key", "other forms of a step"}};
  for (const FormEntry& form : answer.forms) forms.push_back({std::string(form.key), std::string(form.summary)});
  return report.text() + columns(kinds) + '\n' + columns(forms) + '\n' +
         columns(named({"sampling", "how the records of a step are drawn"}, answer.schemes)) + '\n' +
         columns(named({"runs", "how many runs a selection has"}, answer.runs)) +
         "\nAll about one: renyi mechanisms KIND\n";
}

// Makes one row per parameter.
std::string catalogue_rows(const Question&, const MechanismsRequest&, const MechanismsAnswer& answer) {
  std::vector<std::vector<Cell>> cells;
  for (const MechanismEntry& entry : answer.mechanisms) {
    for (const CatalogueNumber& number : numbers_of(entry.mechanism)) {
      cells.push_back(
          {entry.mechanism.kind(), number.name, number.meaning, number.allowed, number.fallback, number.effect});
    }
  }
  return csv({"kind", "parameter", "meaning", "allowed", "default", "effect"}, cells);
}

// Returns the sources of all mechanisms of the answer and, if all were requested, of the other forms of a step, without
// duplicates.
std::string catalogue_bibtex(const Question&, const MechanismsRequest&, const MechanismsAnswer& answer) {
  std::set<std::string_view> printed;
  std::string text;
  const auto add = [&](const Notes& notes) {
    for (const Reference& reference : notes.references) {
      if (printed.insert(reference.key).second) {
        text += fmt::format("{}{}\n", text.empty() ? "" : "\n", reference.bibtex);
      }
    }
  };
  for (const MechanismEntry& entry : answer.mechanisms) add(entry.notes);
  for (const FormEntry& form : answer.forms) add(form.notes);
  return text;
}

// Escapes bars, which would end the cell.
std::string cell(std::string_view text) {
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

std::string line(std::string_view label, std::string_view text) {
  return text.empty() ? "" : fmt::format("- {}: {}\n", label, text);
}

std::string sources_of(const Notes& notes) {
  std::string text;
  for (const Reference& reference : notes.references) text += line("source", reference.text);
  return text;
}

std::string facts_of(const MechanismEntry& entry) {
  std::string text;
  for (const Alias& alias : entry.mechanism.aliases()) {
    text += fmt::format("- `{}` is `{}` where `{}` has its default, and excludes both\n", alias.name, alias.parameter,
                        alias.excluded);
  }
  for (const TableParameter& table : entry.mechanism.tables()) {
    text += fmt::format("- `{}`, a table: {}; {}\n", table.name, table.meaning, shape_of(table));
  }
  text += line("relation", entry.notes.relation) + line("figures", figures_in_short(entry));
  text += line("exact", entry.notes.exact) + line("bound", entry.notes.bound);
  text += line("sampled", sampling_in_words(entry)) + line("groups", groups_in_words(entry));
  text += line("certified", certified_in_words(entry));
  return text + sources_of(entry.notes);
}

std::string section_of(const MechanismEntry& entry) {
  return fmt::format("\n## {}\n{}\n{}\n{}\n```json\n{}\n```\n", entry.mechanism.kind(),
                     sentence(entry.mechanism.summary()), table_of(numbers_of(entry.mechanism)), facts_of(entry),
                     entry.example.text());
}

std::string index_of(const std::vector<MechanismEntry>& entries) {
  std::string text = "| kind | what it is | figures |\n|---|---|---|\n";
  for (const MechanismEntry& entry : entries) {
    text += fmt::format("| [{0}](#{0}) | {1} | {2} |\n", entry.mechanism.kind(), cell(entry.mechanism.summary()),
                        figures_in_short(entry));
  }
  return text;
}

std::string forms_of(const MechanismsAnswer& answer) {
  std::string text = "\n# Other forms of a step\n";
  for (const FormEntry& form : answer.forms) {
    text += fmt::format("\n`\"{}\"`: {}.\n\n```json\n{}\n```\n", form.key, form.summary, form.example.text());
    const std::string facts = line("relation", form.notes.relation) + line("exact", form.notes.exact) +
                              line("bound", form.notes.bound) + sources_of(form.notes);
    if (!facts.empty()) text += '\n' + facts;
  }
  return text;
}

// Lists sampling schemes, or distributions of the number of runs, each with its parameters.
std::string named_in(const std::vector<NamedParameters>& all) {
  std::string text;
  for (const NamedParameters& one : all) {
    text += fmt::format("\n## {}\n{}\n{}", one.name, sentence(one.summary), table_of(numbers_in(one.parameters)));
  }
  return text;
}

// Writes docs/mechanisms.md.
std::string catalogue_markdown(const Question&, const MechanismsRequest&, const MechanismsAnswer& answer) {
  std::string text =
      "# Mechanisms\n"
      "What a step of a plan can be. This page is printed by `renyi mechanisms --markdown`, from the table that reads "
      "plans: `make docs` writes it anew, and a\ntest compares the two. `renyi mechanisms KIND` shows one, "
      "`renyi mechanisms --bibtex` prints the sources for citing.\n\n" +
      index_of(answer.mechanisms) +
      "\n*Exact*: every (epsilon, delta) is the true cost, as an interval; *in part bounds*: where the entry says so. "
      "*Exact "
      "for the worst such step*: the true cost of the costliest\nstep with that promise. *Renyi bounds*: upper bounds, "
      "from divergences alone.\n";
  for (const MechanismEntry& entry : answer.mechanisms) text += section_of(entry);
  text += forms_of(answer);
  text += "\n# How the records of a step are drawn\nThe member `\"sampling\"` of a step.\n";
  text += named_in(answer.schemes);
  text += "\n# How many runs a selection has\nThe member `\"runs\"` of a `select`.\n";
  return api::with_accents(text + named_in(answer.runs));
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

Views<MechanismsRequest> views_for(const Flags& flags) {
  if (flags.given(markdown_flag)) return {.table = catalogue_markdown};
  if (flags.given(bibtex_flag)) return {.table = catalogue_bibtex};
  return {.table = catalogue_table, .csv = catalogue_rows};
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
                flags, [&](Question& question) { mechanisms_file::build(question, flags); }, api::read_mechanisms,
                mechanisms_file::views_for(flags));
          },
  };
}

}  // namespace renyi::cli
