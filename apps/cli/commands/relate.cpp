// renyi relate: prints the other privacy notions (zCDP, GDP, ...) that a run satisfies, as a table and as rows.
#include "api/relate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>
#include <string>
#include <vector>

#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/question.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"

namespace renyi::cli {

namespace relate_file {
namespace {

using api::NamedNotion;
using api::NamedParameter;
using api::NamedRelation;
using api::RelateAnswer;
using api::RelateRequest;

// The bounds of an interval that differ by less than this are shown as one number.
constexpr double noticeable = 1e-5;

std::string shown_parameter(const NamedParameter& parameter) {
  std::string text = fmt::format("{} = {}", parameter.name, rounded_up(parameter.upper));
  if (!parameter.lower || *parameter.lower >= parameter.upper * (1 - noticeable)) return text;
  return fmt::format("{} (the smallest is no less than {})", text, rounded_down(*parameter.lower));
}

// xi is 0 unless a rho is given.
bool worth_showing(const NamedParameter& parameter) { return parameter.name != "xi" || parameter.upper > 0; }

std::string parameters_of(const NamedRelation& relation) {
  if (relation.parameters.empty()) return relation.none;
  std::vector<std::string> words;
  for (const NamedParameter& parameter : relation.parameters) {
    if (worth_showing(parameter)) words.push_back(shown_parameter(parameter));
  }
  std::string text = fmt::format("{}", fmt::join(words, ", "));
  if (relation.mu_estimate) text += fmt::format("; estimate, no bound: mu = {}", rounded(*relation.mu_estimate));
  return text;
}

// Returns the parameter that belongs to the given number: rho for omega, alpha for lambda.
const NamedParameter* value_in(const NamedRelation& relation) {
  return relation.parameters.empty() ? nullptr : &relation.parameters.front();
}

// Formats "rho = 0.64 (omega = 2), 0.67 (4), 0.73 (8)". If there is no rho at some order, there is none at larger
// orders.
std::string rows_in_one_line(const std::vector<NamedRelation>& relations) {
  std::string line;
  for (const NamedRelation& relation : relations) {
    const NamedParameter* value = value_in(relation);
    if (value == nullptr) return line.empty() ? relation.none : line + "; none is known beyond";
    const std::string upper = rounded_up(value->upper), at = rounded(relation.given);
    line += line.empty() ? fmt::format("{} = {} ({} = {})", value->name, upper, relation.given_name, at)
                         : fmt::format(", {} ({})", upper, at);
  }
  return line;
}

void add_line(Report& report, const NamedNotion& found) {
  report.row(to_string(found.notion),
             found.several ? rows_in_one_line(found.relations) : parameters_of(found.relations.front()));
}

void add_table(Report& report, const NamedNotion& found) {
  const bool moments = found.notion == Notion::moments;
  report.row(found.relations.front().given_name,
             moments ? "alpha (upper bound)  rdp of order lambda + 1" : "rho (upper bound)");
  for (const NamedRelation& relation : found.relations) {
    const NamedParameter* value = value_in(relation);
    std::string text = value == nullptr ? relation.none : rounded_up(value->upper);
    if (value != nullptr && moments) text = fmt::format("{:<21}{}", text, rounded_up(relation.parameters.back().upper));
    report.row(rounded(relation.given), text);
  }
}

void add_fully(Report& report, const NamedNotion& found) {
  const NamedRelation& one = found.relations.front();
  if (found.several) {
    add_table(report, found);
    report.blank_line();
  } else {
    report.row(to_string(found.notion), parameters_of(one));
  }
  if (!one.note.empty()) report.row("note", one.note);
  report.row("source", one.source);
  if (found.notion == Notion::moments) {
    report.blank_line().paragraph("With any of these, epsilon = (alpha + ln(1/delta)) / lambda.");
  }
}

void add_cells(std::vector<std::vector<Cell>>& cells, Notion notion, const NamedRelation& relation) {
  const std::string_view name = to_string(notion);
  const std::string given =
      relation.given_name.empty() ? "" : fmt::format("{}={}", relation.given_name, Cell(relation.given).text());
  if (relation.parameters.empty()) cells.push_back({name, given, "", "none"});
  for (const NamedParameter& parameter : relation.parameters) {
    cells.push_back({name, given, parameter.name, parameter.upper});
    if (parameter.lower) cells.push_back({name, given, std::string(parameter.name) + "_lower", *parameter.lower});
  }
  if (relation.mu_estimate) cells.push_back({name, given, "mu_estimate", *relation.mu_estimate});
}

std::string table(const Question& question, const RelateRequest&, const RelateAnswer& answer) {
  Report report(Style::of_standard_output());
  report.headline("Privacy notions", "that the run satisfies  (smallest parameters, rounded up)");
  describe_run(report, question);
  report.blank_line();
  const bool all = !question.request.has("to");
  for (const NamedNotion& found : by_name(answer)) all ? add_line(report, found) : add_fully(report, found);
  if (all) report.blank_line().paragraph("--to with one of these names adds its source, and what to know of it.");
  return report.text();
}

std::string rows(const Question&, const RelateRequest&, const RelateAnswer& answer) {
  std::vector<std::vector<Cell>> cells;
  for (const NamedNotion& found : by_name(answer)) {
    for (const NamedRelation& relation : found.relations) add_cells(cells, found.notion, relation);
  }
  return csv({"notion", "given", "parameter", "value"}, cells);
}

// The flags --rho, --omega and --lambda themselves describe steps.
constexpr const char* given_rho = "--given-rho";
constexpr const char* given_omega = "--given-omega";
constexpr const char* given_lambda = "--given-lambda";

void set_list(Question& question, const Flags& flags, const std::string& key, const std::string& flag) {
  const auto text = flags.text(flag);
  if (!text) return;
  api::Document numbers = api::Document::list();
  std::istringstream list(*text);
  for (std::string number; std::getline(list, number, ',');) numbers.add(read_number(flag, number));
  question.set(key, std::move(numbers), flag);
}

void build(Question& question, const Flags& flags) {
  question.request.set("op", "relate");
  set_text(question, flags, "to");
  if (const auto text = flags.text(given_rho)) question.set("rho", read_number(given_rho, *text), given_rho);
  set_list(question, flags, "omega", given_omega);
  set_list(question, flags, "lambda", given_lambda);
  set_run(question, flags, "");
}

}  // namespace
}  // namespace relate_file

Command relate_command() {
  const std::vector<FlagText> own{
      {"--to", "pure|zcdp|tcdp|cdp|gdp|moments", "which relative of Renyi DP (default: all of them, one line each)",
       asked_group},
      {relate_file::given_rho, "RHO", "zcdp: the smallest xi beside this rho (default: the smallest rho, without xi)",
       asked_group},
      {relate_file::given_omega, "LIST", "tcdp: the smallest rho up to each of these orders (default 2,4,8,16,32,64)",
       asked_group},
      {relate_file::given_lambda, "LIST", "moments: alpha at each of these (default 1,2,4,8,16,32)", asked_group},
      format_flag(),
      time_limit_flag(),
  };
  return {
      .name = "relate",
      .help = "A run in the terms of zCDP, tCDP, CDP, GDP, moments and pure DP",
      .flags = joined({run_flags(), own}),
      .footer =
          "Examples:\n"
          "  renyi relate --sampling-rate 0.01 --noise-multiplier 1.1 --steps 10000\n"
          "  renyi relate --scale 2 --to zcdp --given-rho 0.05\n"
          "  renyi relate plan.json --to tcdp --given-omega 4,8 --format csv",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { relate_file::build(question, flags); }, api::read_relate,
                {.table = relate_file::table, .csv = relate_file::rows});
          },
  };
}

}  // namespace renyi::cli
