// renyi compare
#include "api/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"

namespace renyi::cli {

namespace compare_file {
namespace {

using api::CompareRequest;

void build(Question& question, const Flags& flags) {
  question.request.set("op", "compare");
  set_number(question, flags, "delta");
  set_number_or_infinity(question, flags, "epsilon");
  set_number(question, flags, "event");
  set_run(question, flags, "");
}

std::string shown_epsilon(const TheoremAnswer& row) { return row.epsilon ? rounded_up(*row.epsilon) : "-"; }

// Counts too long for their column are rounded down.
std::string shown(std::int64_t count) {
  constexpr std::int64_t longest = 1'000'000'000'000;
  return count < longest ? std::to_string(count) : rounded_down(static_cast<double>(count));
}

std::string shown_count(const TheoremAnswer& row) {
  if (!row.largest_count) return "-";
  if (row.largest_count->unlimited) return "unlimited";
  return (row.largest_count->at_least ? ">= " : "") + shown(row.largest_count->count);
}

std::string few_digits_up(double value, std::size_t digits) {
  return plain_decimal(shortened(rounded_up(value), digits, Side::above));
}

// States how delta was divided, if the steps use a part of it.
std::string shown_split(const TheoremAnswer& row) {
  if (!row.split || row.split->spent == 0) return "";
  const std::vector<StepGuarantee>& steps = row.split->steps;
  const std::string text = steps.size() > 1
                               ? fmt::format("the steps take {} of delta", few_digits_up(row.split->spent, 3))
                               : fmt::format("each step ({}, {})", few_digits_up(steps.front().epsilon, 5),
                                             few_digits_up(steps.front().delta, 3));
  const double slack = row.split->slack;
  return slack == 0 ? text
                    : fmt::format("{}, slack {}", text, plain_decimal(shortened(rounded_down(slack), 3, Side::below)));
}

// Returns why a row says nothing about the run; empty if it says something.
std::string silence(const TheoremAnswer& row) {
  if (!row.obstacle.empty()) return row.obstacle;
  if (row.epsilon && std::isinf(*row.epsilon)) return "gives no finite epsilon";
  return row.event_probability && *row.event_probability >= 1 ? "bounds the event by 1" : "";
}

// Returns the source of a row, and what it states instead of an epsilon.
std::string remark(const TheoremAnswer& row, double event) {
  if (row.epsilon_estimate) {
    return fmt::format("no bound; estimate {}: {}", rounded(*row.epsilon_estimate), row.source);
  }
  if (const std::string split = shown_split(row); !split.empty()) return fmt::format("{}: {}", row.source, split);
  if (!row.note.empty()) return fmt::format("{}: {}", row.source, row.note);
  if (!row.event_probability) return std::string(row.source);
  return fmt::format("{}: an event of probability {} gets at most {}", row.source, rounded(event),
                     rounded_up(*row.event_probability));
}

std::string advice(const Comparison& answer, bool counted) {
  if (!answer.best) return "No theorem gives an epsilon at this delta.";
  const TheoremAnswer& best = answer.theorems[*answer.best];
  std::string use = fmt::format("Use {}: it gives the smallest epsilon, {}.", best.name, shown_epsilon(best));
  if (!counted) return use;
  if (!answer.best_for_count) return use + " By none does the run fit the budget.";
  const TheoremAnswer& most = answer.theorems[*answer.best_for_count];
  return use + fmt::format(" The largest count is that of {}: {}.", most.name, shown_count(most));
}

bool all_epsilons_look_equal(const std::vector<TheoremAnswer>& rows) {
  std::set<std::string> shown;
  for (const TheoremAnswer& row : rows) {
    if (row.epsilon) shown.insert(shown_epsilon(row));
  }
  return shown.size() <= 1;
}

bool has_epsilon(const std::vector<TheoremAnswer>& rows, std::string_view name) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const TheoremAnswer& row) { return row.name == name && row.epsilon; });
}

// Explains why the rows differ, if they do and the last one is the cost itself.
std::string why(const std::vector<TheoremAnswer>& rows) {
  const TheoremAnswer& exact = rows.back();
  if (!exact.epsilon || !exact.note.empty() || all_epsilons_look_equal(rows)) return "";
  return has_epsilon(rows, "prv")
             ? "Why they differ: exact keeps the whole law of the loss, prv adds the errors that it "
               "allows itself, the others keep part of it."
             : "Why they differ: exact keeps the whole law of the loss, the others part of it.";
}

// Names the theorems that say nothing about this run, with the reason, which several of them often share.
std::string left_out(const std::vector<TheoremAnswer>& rows) {
  std::vector<std::pair<std::string, std::vector<std::string_view>>> reasons;
  for (const TheoremAnswer& row : rows) {
    const std::string reason = silence(row);
    if (reason.empty()) continue;
    auto known = std::find_if(reasons.begin(), reasons.end(), [&](const auto& one) { return one.first == reason; });
    if (known == reasons.end()) known = reasons.insert(reasons.end(), {reason, {}});
    known->second.push_back(row.name);
  }
  std::vector<std::string> parts;
  for (const auto& [reason, names] : reasons) parts.push_back(fmt::format("{} ({})", fmt::join(names, ", "), reason));
  return parts.empty() ? "" : fmt::format("Left out: {}.", fmt::join(parts, "; "));
}

// Makes one row per theorem that says something; the best one is marked with a star. Empty if there is none.
std::string theorem_lines(const CompareRequest& asked, const Comparison& answer) {
  std::vector<std::vector<std::string>> lines;
  const auto line = [&](const std::string& name, const std::string& epsilon, const std::string& count,
                        const std::string& why) {
    lines.push_back(asked.options.epsilon ? std::vector{name, epsilon, count, why} : std::vector{name, epsilon, why});
  };
  line("theorem", "epsilon", "largest count", "source");
  for (std::size_t i = 0; i < answer.theorems.size(); ++i) {
    const TheoremAnswer& row = answer.theorems[i];
    if (!silence(row).empty()) continue;
    line(std::string(row.name) + (answer.best == i ? " *" : ""), shown_epsilon(row), shown_count(row),
         remark(row, answer.event));
  }
  return lines.size() > 1 ? columns(lines) : "";
}

std::string table(const Question& question, const CompareRequest& asked, const Comparison& answer) {
  Report report(Style::of_standard_output());
  report.headline("Composition theorems",
                  fmt::format("at delta = {}  (upper bounds, rounded up)", rounded(asked.delta)));
  describe_run(report, question);
  if (asked.options.epsilon) {
    report.row("budget", fmt::format("epsilon = {}: how often the whole run fits is its largest count",
                                     rounded(*asked.options.epsilon)));
  }
  if (const std::string lines = theorem_lines(asked, answer); !lines.empty()) report.blank_line().lines(lines);
  report.blank_line().paragraph(advice(answer, asked.options.epsilon.has_value()));
  if (const std::string reason = why(answer.theorems); !reason.empty()) report.paragraph(reason);
  if (const std::string names = left_out(answer.theorems); !names.empty()) report.paragraph(names);
  for (const std::string& warning : warnings(question)) report.blank_line().warning(warning);
  return report.text();
}

Cell number_cell(const std::optional<double>& number) { return number ? Cell(*number) : Cell(""); }

// Prints all digits, unlike the table.
Cell count_cell(const std::optional<LargestCount>& count) {
  if (!count) return "";
  if (count->unlimited) return "unlimited";
  return count->at_least ? Cell(fmt::format(">= {}", count->count)) : Cell(count->count);
}

std::string rows(const Question&, const CompareRequest&, const Comparison& answer) {
  std::vector<std::vector<Cell>> cells;
  for (const TheoremAnswer& row : answer.theorems) {
    cells.push_back({row.name, number_cell(row.epsilon), count_cell(row.largest_count),
                     number_cell(row.event_probability), row.obstacle, number_cell(row.epsilon_estimate)});
  }
  return csv({"theorem", "epsilon", "largest_count", "event_probability", "unavailable", "epsilon_estimate"}, cells);
}

}  // namespace
}  // namespace compare_file

Command compare_command() {
  const std::vector<FlagText> own{
      delta_flag(),
      epsilon_flag("a budget: also print how often the whole run fits in it"),
      {"--event", "P", "probability of the event that renyi-event bounds, in (0, 1] (default: the delta)", asked_group},
      format_flag(),
      time_limit_flag(),
      plot_flag(),
  };
  return {
      .name = "compare",
      .help = "The epsilon by each theorem and by known accountants, side by side",
      .flags = joined({run_flags(), own}),
      .footer =
          std::string(exact_assumes) +
          "Examples:\n"
          "  renyi compare --dataset-size 60000 --batch-size 256 --epochs 60 --noise-multiplier 1.1 --delta 1e-5\n"
          "  renyi compare --pure-epsilon 0.125 --steps 100 --delta 1e-6\n"
          "  renyi compare --pure-epsilon 0.125 --steps 100 --delta 1e-6 --epsilon 8 --event 0.001\n"
          "  renyi compare plan.json --delta 1e-6 --format csv",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { compare_file::build(question, flags); }, api::read_compare,
                {.table = compare_file::table, .csv = compare_file::rows, .figure = "accountants"});
          },
  };
}

}  // namespace renyi::cli
