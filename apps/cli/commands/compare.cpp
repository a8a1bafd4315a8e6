// renyi compare
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "api/json/content.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"

namespace renyi::cli {

namespace compare_file {
namespace {

using api::Json;

void build(Question& question, const Flags& flags) {
  question.request.set("op", "compare");
  set_number(question, flags, "delta");
  set_number_or_infinity(question, flags, "epsilon");
  set_number(question, flags, "event");
  set_run(question, flags, "");
}

std::string shown_epsilon(const Json& row) {
  return row.contains("epsilon") ? rounded_up(number_in(row.at("epsilon"))) : "-";
}

// Counts too long for their column are rounded down.
std::string shown(std::int64_t count) {
  constexpr std::int64_t longest = 1'000'000'000'000;
  return count < longest ? std::to_string(count) : rounded_down(static_cast<double>(count));
}

std::string shown_count(const Json& row) {
  if (!row.contains("largest_count")) return "-";
  const Json& count = row.at("largest_count");
  if (count.is_string()) return count.get<std::string>();
  return count.is_object() ? ">= " + shown(count.at("at_least").get<std::int64_t>()) : shown(count.get<std::int64_t>());
}

std::string few_digits_up(double value, std::size_t digits) {
  return shortened(rounded_up(value), digits, Side::above);
}

// How delta was divided, where the steps have a part of it.
std::string shown_split(const Json& row) {
  if (!row.contains("split")) return "";
  const Json& steps = row.at("split").at("steps");
  double spent = 0;
  for (const Json& step : steps) {
    spent += number_in(step.at("delta")) * static_cast<double>(step.at("count").get<std::int64_t>());
  }
  if (spent == 0) return "";
  const std::string text = steps.size() > 1
                               ? fmt::format("the steps take {} of delta", few_digits_up(spent, 3))
                               : fmt::format("each step ({}, {})", few_digits_up(number_in(steps[0].at("epsilon")), 5),
                                             few_digits_up(number_in(steps[0].at("delta")), 3));
  const double slack = number_in(row.at("split").at("slack"));
  return slack == 0 ? text : fmt::format("{}, slack {}", text, shortened(rounded_down(slack), 3, Side::below));
}

// Where the row comes from, what it says instead of an epsilon, or why it says nothing.
std::string remark(const Json& row) {
  if (row.contains("unavailable")) return row.at("unavailable").get<std::string>();
  auto source = row.at("source").get<std::string>();
  if (const std::string split = shown_split(row); !split.empty()) return fmt::format("{}: {}", source, split);
  if (row.contains("note")) return fmt::format("{}: {}", source, row.at("note").get<std::string>());
  if (!row.contains("probability")) return source;
  return fmt::format("{}: an event of probability {} gets at most {}", source, rounded(number_in(row.at("event"))),
                     rounded_up(number_in(row.at("probability"))));
}

// The best row carries a star.
std::string shown_name(const Json& row, const Json& answer) {
  const auto name = row.at("name").get<std::string>();
  return answer.contains("best") && answer.at("best") == name ? name + " *" : name;
}

const Json* row_named(const Json& answer, const Json& name) {
  for (const Json& row : answer.at("theorems")) {
    if (row.at("name") == name) return &row;
  }
  return nullptr;
}

const Json* row_named_by(const Json& answer, const char* key) {
  return answer.contains(key) ? row_named(answer, answer.at(key)) : nullptr;
}

std::string advice(const Json& answer, bool counted) {
  const Json* best = row_named_by(answer, "best");
  if (best == nullptr) return "No theorem gives an epsilon at this delta.";
  std::string use = fmt::format("Use {}: it proves the smallest epsilon, {}.", best->at("name").get<std::string>(),
                                shown_epsilon(*best));
  if (!counted) return use;
  const Json* most = row_named_by(answer, "best_for_count");
  if (most == nullptr) return use + " By none does the run fit the budget.";
  return use +
         fmt::format(" The largest count is that of {}: {}.", most->at("name").get<std::string>(), shown_count(*most));
}

bool all_epsilons_look_equal(const Json& rows) {
  std::set<std::string> shown;
  for (const Json& row : rows) {
    if (row.contains("epsilon")) shown.insert(shown_epsilon(row));
  }
  return shown.size() <= 1;
}

// Why the rows differ, if they do and the last is the cost itself.
std::string why(const Json& answer) {
  const Json& rows = answer.at("theorems");
  const Json& exact = rows.back();
  if (!exact.contains("epsilon") || exact.contains("note") || all_epsilons_look_equal(rows)) return "";
  return "Why they differ: exact keeps the whole law of the loss, the others part of it.";
}

std::string table(const Question& question, const Json& answer) {
  const api::Json& request = api::opened(question.request);
  const bool counted = request.contains("epsilon");
  Report report(Style::of_standard_output());
  report.headline("Composition theorems",
                  fmt::format("at delta = {}  (upper bounds, rounded up)", rounded(number_in(request.at("delta")))));
  describe_run(report, question);
  if (counted) {
    report.row("budget", fmt::format("epsilon = {}: how often the whole run fits is its largest count",
                                     rounded(number_in(request.at("epsilon")))));
  }
  std::vector<std::vector<std::string>> lines;
  const auto line = [&](const std::string& name, const std::string& epsilon, const std::string& count,
                        const std::string& why) {
    lines.push_back(counted ? std::vector{name, epsilon, count, why} : std::vector{name, epsilon, why});
  };
  line("theorem", "epsilon", "largest count", "source, or what is missing");
  for (const Json& row : answer.at("theorems")) {
    line(shown_name(row, answer), shown_epsilon(row), shown_count(row), remark(row));
  }
  report.blank_line().lines(columns(lines));
  report.blank_line().paragraph(advice(answer, counted));
  if (const std::string reason = why(answer); !reason.empty()) report.paragraph(reason);
  for (const std::string& warning : warnings(question)) report.blank_line().warning(warning);
  return report.text();
}

Json cell(const Json& row, const char* key) { return row.contains(key) ? row.at(key) : Json(""); }

// Every digit, unlike the table.
Json count_cell(const Json& row) {
  const Json count = cell(row, "largest_count");
  return count.is_object() ? Json(">= " + count.at("at_least").dump()) : count;
}

std::string rows(const Question& /*question*/, const Json& answer) {
  std::vector<std::vector<Json>> cells;
  for (const Json& row : answer.at("theorems")) {
    cells.push_back(
        {row.at("name"), cell(row, "epsilon"), count_cell(row), cell(row, "probability"), cell(row, "unavailable")});
  }
  return csv({"theorem", "epsilon", "largest_count", "event_probability", "unavailable"}, cells);
}

}  // namespace
}  // namespace compare_file

Command compare_command() {
  const std::vector<FlagText> own{
      delta_flag(),
      epsilon_flag("a budget: also print how often the whole run fits in it"),
      {"--event", "P", "probability of the event that renyi-event bounds, in (0, 1] (default: the delta)", asked_group},
      format_flag(),
      plot_flag(),
  };
  return {
      .name = "compare",
      .help = "The epsilon by each composition theorem, side by side",
      .flags = joined({run_flags(), own}),
      .footer = std::string(exact_assumes) +
                "Examples:\n"
                "  renyi compare --pure-epsilon 0.125 --steps 100 --delta 1e-6\n"
                "  renyi compare --pure-epsilon 0.125 --steps 100 --delta 1e-6 --epsilon 8 --event 0.001\n"
                "  renyi compare plan.json --delta 1e-6 --format csv",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { compare_file::build(question, flags); },
                {.table = compare_file::table, .csv = compare_file::rows, .figure = plot::accountants_figure});
          },
  };
}

}  // namespace renyi::cli
