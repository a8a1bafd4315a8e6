// docs/mechanisms.md, from the catalogue.
#include <fmt/format.h>

#include "api/statement/document.h"
#include "apps/cli/catalogue_view.h"
#include "apps/cli/catalogue_words.h"

namespace renyi::cli {
namespace {

using api::Json;

std::string text_at(const Json& object, const char* key) { return object.at(key).get<std::string>(); }

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

}  // namespace

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

}  // namespace renyi::cli
