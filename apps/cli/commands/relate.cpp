// renyi relate: the relatives of Renyi DP that a run satisfies, as a table and as rows.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "api/json/content.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/question.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"

namespace renyi::cli {

namespace relate_file {
namespace {

using api::Json;

// What a notion's parameters are called, in the order shown.
constexpr std::array<const char*, 6> parameters{"epsilon", "rho", "xi", "mu", "tau", "alpha"};
// What tcdp and moments are asked for.
constexpr std::array<const char*, 2> givens{"omega", "lambda"};
// Ends of an interval that differ by less are shown as one number.
constexpr double noticeable = 1e-5;

std::string shown_parameter(const Json& found, const std::string& key) {
  const double upper = number_in(found.at(key));
  const double lower = found.contains(key + "_lower") ? number_in(found.at(key + "_lower")) : upper;
  std::string text = fmt::format("{} = {}", key, rounded_up(upper));
  if (lower >= upper * (1 - noticeable)) return text;
  return fmt::format("{} (the smallest is no less than {})", text, rounded_down(lower));
}

// xi is 0 unless a rho is given.
bool worth_showing(const Json& found, const std::string& key) {
  return found.contains(key) && (key != "xi" || number_in(found.at(key)) > 0);
}

std::string parameters_of(const Json& found) {
  if (found.contains("none")) return found.at("none").get<std::string>();
  std::vector<std::string> words;
  for (const char* key : parameters) {
    if (worth_showing(found, key)) words.push_back(shown_parameter(found, key));
  }
  std::string text = fmt::format("{}", fmt::join(words, ", "));
  if (found.contains("mu_estimate")) {
    text += fmt::format("; estimate, no bound: mu = {}", rounded(number_in(found.at("mu_estimate"))));
  }
  return text;
}

std::string_view given_in(const Json& row) {
  for (const char* key : givens) {
    if (row.contains(key)) return key;
  }
  return "";
}

const char* value_key(const Json& row) { return given_in(row) == "omega" ? "rho" : "alpha"; }

std::string value_of(const Json& row) { return rounded_up(number_in(row.at(value_key(row)))); }

// "rho = 0.64 (omega = 2), 0.67 (4), 0.73 (8)"; where curves end, they end for every larger order.
std::string rows_in_one_line(const Json& rows) {
  const std::string key(given_in(rows.at(0)));
  std::string line;
  for (const Json& row : rows) {
    const std::string at = rounded(number_in(row.at(key)));
    if (row.contains("none")) return line.empty() ? row.at("none").get<std::string>() : line + "; none is known beyond";
    line += line.empty() ? fmt::format("{} = {} ({} = {})", value_key(row), value_of(row), key, at)
                         : fmt::format(", {} ({})", value_of(row), at);
  }
  return line;
}

void add_line(Report& report, const std::string& notion, const Json& found) {
  report.row(notion, found.is_array() ? rows_in_one_line(found) : parameters_of(found));
}

void add_table(Report& report, const Json& rows) {
  const std::string key(given_in(rows.at(0)));
  const bool moments = key == "lambda";
  report.row(key, fmt::format("{} (upper bound){}", value_key(rows.at(0)), moments ? "  rdp of order lambda + 1" : ""));
  for (const Json& row : rows) {
    std::string text = row.contains("none") ? row.at("none").get<std::string>() : value_of(row);
    if (row.contains("rdp")) text = fmt::format("{:<21}{}", text, rounded_up(number_in(row.at("rdp"))));
    report.row(rounded(number_in(row.at(key))), text);
  }
}

void add_fully(Report& report, const std::string& notion, const Json& found) {
  const Json& one = found.is_array() ? found.at(0) : found;
  if (found.is_array()) {
    add_table(report, found);
    report.blank_line();
  } else {
    report.row(notion, parameters_of(found));
  }
  if (one.contains("note")) report.row("note", one.at("note").get<std::string>());
  report.row("source", one.at("source").get<std::string>());
  if (notion == "moments") {
    report.blank_line().paragraph("With any of these, epsilon = (alpha + ln(1/delta)) / lambda.");
  }
}

void add_cells(std::vector<std::vector<Json>>& cells, const std::string& notion, const Json& found) {
  const std::string given(given_in(found));
  const std::string what = given.empty() ? "" : fmt::format("{}={}", given, api::write(found.at(given)));
  if (found.contains("none")) {
    cells.push_back({notion, what, "", "none"});
    return;
  }
  for (const auto& member : found.items()) {
    const bool in_words = member.key() == "source" || member.key() == "note";
    if (!in_words && member.key() != given) cells.push_back({notion, what, member.key(), member.value()});
  }
}

std::string relate_table(const Question& question, const Json& answer) {
  Report report(Style::of_standard_output());
  report.headline("Relatives of Renyi DP", "that the run satisfies  (smallest parameters, rounded up)");
  describe_run(report, question);
  report.blank_line();
  const bool all = !api::opened(question.request).contains("to");
  for (const auto& member : answer.items()) {
    if (member.key() == "assumes") continue;
    all ? add_line(report, member.key(), member.value()) : add_fully(report, member.key(), member.value());
  }
  if (all) report.blank_line().paragraph("--to with one of these names adds its source, and what to know of it.");
  return report.text();
}

std::string relate_rows(const Question& /*question*/, const Json& answer) {
  std::vector<std::vector<Json>> cells;
  for (const auto& member : answer.items()) {
    if (member.key() == "assumes") continue;
    if (member.value().is_object()) {
      add_cells(cells, member.key(), member.value());
      continue;
    }
    for (const Json& row : member.value()) add_cells(cells, member.key(), row);
  }
  return csv({"notion", "given", "parameter", "value"}, cells);
}

// Plain --rho, --omega and --lambda describe steps.
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
            ask(flags, [&](Question& question) { relate_file::build(question, flags); },
                {relate_file::relate_table, relate_file::relate_rows});
          },
  };
}

}  // namespace renyi::cli
