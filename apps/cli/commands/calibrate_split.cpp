#include "apps/cli/commands/calibrate_split.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "apps/cli/flags/number.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"

namespace renyi::cli {

namespace calibrate_split_file {
namespace {

using api::SplitAnswer;
using api::SplitRequest;

std::string rule_in_words(const Split& split) {
  if (split.rule == SplitRule::equal_error) return "equal error: noise of the same standard deviation for all";
  if (split.shares.empty()) return "equal shares of the budget";
  std::string shares;
  for (const double share : split.shares) shares += (shares.empty() ? "" : ", ") + rounded(share);
  return fmt::format("shares of the budget, in this order: {}", shares);
}

// Returns the run with the values inserted, for its description.
Question solved(const Question& question, const SplitAnswer& answer) {
  Question result = question;
  for (std::size_t i = 0; i < answer.numbers.size(); ++i) {
    result.request.set_at(answer.numbers[i].path, api::Document(rounded_up(answer.found.values[i].value)));
  }
  return result;
}

std::string values(const SplitAnswer& answer) {
  std::vector<std::vector<std::string>> lines{{"number", "value", "3 digits", "stddev of the noise"}};
  for (std::size_t i = 0; i < answer.numbers.size(); ++i) {
    const SplitValue& each = answer.found.values[i];
    lines.push_back(
        {answer.numbers[i].path, rounded_up(each.value), rounded_up(each.rounded), rounded_up(each.stddev)});
  }
  return columns(lines);
}

std::string table(const Question& question, const SplitRequest& asked, const SplitAnswer& answer) {
  const SplitCalibration& found = answer.found;
  const bool exact = found.by == Accounting::exact;
  Report report(Style::of_standard_output());
  report.headline(fmt::format("Noise for one budget, {} numbers", found.values.size()),
                  " (the smallest that meets the target, rounded up)");
  report.lines(values(answer)).blank_line();
  report.row("target",
             fmt::format("epsilon = {} at delta = {}", rounded(asked.target.epsilon), rounded(asked.target.delta)));
  report.row("reached", fmt::format("epsilon = {} ({}, rounded up)",
                                    rounded_up(exact ? answer.cost.upper() : answer.cost.renyi->upper),
                                    exact ? "upper end of the exact interval" : "Renyi bound"));
  report.row("3 digits", fmt::format("epsilon = {} ({} of the target unspent)", rounded_up(*found.rounded_epsilon),
                                     rounded_up(asked.target.epsilon - *found.rounded_epsilon)));
  report.row("split", rule_in_words(asked.split));
  describe_run(report, solved(question, answer));
  describe_exact(report, answer.cost);
  if (!answer.cost.note().empty()) report.row("note", answer.cost.note());
  report.row("Renyi", fmt::format("{} (upper bound)", rounded_up(answer.cost.renyi->upper)));
  describe_bound(report, *answer.cost.renyi);
  if (!answer.note.empty()) report.row("note", answer.note);
  for (const std::string& warning : warnings(question)) report.blank_line().warning(warning);
  return report.text();
}

std::string rows(const Question&, const SplitRequest&, const SplitAnswer& answer) {
  const Cost& cost = answer.cost;
  std::vector<std::vector<Cell>> lines;
  for (std::size_t i = 0; i < answer.numbers.size(); ++i) {
    const SplitValue& each = answer.found.values[i];
    lines.push_back({answer.numbers[i].path, each.value, each.rounded, each.stddev, to_string(answer.found.by),
                     cost.renyi->upper, cost.exact ? Cell(cost.exact->worst.upper) : Cell(""),
                     *answer.found.rounded_epsilon});
  }
  return csv({"path", "value", "rounded", "stddev", "by", "renyi_epsilon", "exact_upper", "rounded_epsilon"}, lines);
}

}  // namespace
}  // namespace calibrate_split_file

Views<api::SplitRequest> split_views() {
  return {.table = calibrate_split_file::table, .csv = calibrate_split_file::rows};
}

}  // namespace renyi::cli
