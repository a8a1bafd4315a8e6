// renyi tradeoff: prints the errors of the best test that distinguishes neighbouring datasets.
#include "api/tradeoff.h"

#include <fmt/format.h>

#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"

namespace renyi::cli {

namespace tradeoff_file {
namespace {

using api::TradeoffAnswer;
using api::TradeoffRequest;

void build(Question& question, const Flags& flags) {
  question.request.set("op", "tradeoff");
  set_numbers(question, flags, "type_1_errors");
  set_width(question, flags);
  set_run(question, flags, "");
}

std::string in_words(const Interval& range) { return api::interval(range.lower, range.upper); }

std::string table(const Question& question, const TradeoffRequest&, const TradeoffAnswer& answer) {
  Report report(Style::of_standard_output());
  report.headline("Trade-off", " (the best test that tells neighbours apart; lower ends rounded down, upper ends up)");
  describe_run(report, question);
  if (!answer.note.empty()) report.row("note", answer.note);
  std::vector<std::vector<std::string>> lines{{"type I error", "least type II error", "largest power", "direction"}};
  for (const TradeoffPoint& point : answer.points) {
    lines.push_back({rounded(point.type_one), in_words(point.worst.type_two), in_words(point.worst.power),
                     std::string(to_string(point.direction))});
  }
  report.blank_line().lines(columns(lines));
  report.blank_line().paragraph(fmt::format(
      "Membership advantage, the most by which power exceeds the type I error: {}.", in_words(answer.advantage)));
  return report.text();
}

std::string rows(const Question&, const TradeoffRequest&, const TradeoffAnswer& answer) {
  std::vector<std::vector<Cell>> cells;
  for (const TradeoffPoint& point : answer.points) {
    const auto& [error, power] = point.worst;
    cells.push_back({point.type_one, error.lower, error.upper, power.lower, power.upper, to_string(point.direction)});
  }
  return csv({"type_1_error", "type_2_error_lower", "type_2_error_upper", "power_lower", "power_upper", "direction"},
             cells);
}

}  // namespace
}  // namespace tradeoff_file

Command tradeoff_command() {
  const std::vector<FlagText> own{{"--type-1-errors", "LIST",
                                   "how often a test may see the record where it is not, in [0, 1] "
                                   "(default 1e-6,1e-4,0.001,0.01,0.05,0.1,0.5)",
                                   asked_group}};
  return {
      .name = "tradeoff",
      .help = "How well the best test can tell whether a record was there",
      .flags = joined({run_flags(), own, width_flags(), {format_flag(), time_limit_flag(), plot_flag()}}),
      .footer = std::string(exact_assumes) +
                "Examples:\n"
                "  renyi tradeoff --sampling-rate 0.01 --noise-multiplier 1.1 --steps 10000\n"
                "  renyi tradeoff plan.json --type-1-errors 0.001,0.01 --format csv",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { tradeoff_file::build(question, flags); }, api::read_tradeoff,
                {.table = tradeoff_file::table, .csv = tradeoff_file::rows, .figure = "tradeoff"});
          },
  };
}

}  // namespace renyi::cli
