#include "api/step_shares.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/number_text.h"
#include "api/statement/document.h"

namespace renyi::api {

namespace step_shares_file {
namespace {

// Returns "2.1" for the first step of the group that is the second step: paths count from 0.
std::string number_of(const std::string& path) {
  std::string number;
  for (std::size_t open = path.find('['); open != std::string::npos; open = path.find('[', open + 1)) {
    number += fmt::format("{}{}", number.empty() ? "" : ".", std::stoul(path.substr(open + 1)) + 1);
  }
  return number;
}

std::string label_of(const StepShare& step) {
  return step.name.empty() ? "step " + number_of(step.path) : on_one_line(step.name);
}

// Three digits, rounded to nearest: shares describe a bound, and are none themselves.
std::string percent(double share) { return fmt::format("{:.3g} %", 100 * share); }

std::string indent_of(const StepShare& step) {
  std::string indent;
  for (int i = 0; i < step.depth; ++i) indent += "> ";
  return indent;
}

}  // namespace
}  // namespace step_shares_file

std::vector<ShareRow> share_rows(const StepShares& shares, const RequestSummary& summary) {
  using namespace step_shares_file;
  std::vector<ShareRow> rows;
  const bool in_words = summary.mechanisms.size() == shares.steps.size();
  for (std::size_t i = 0; i < shares.steps.size(); ++i) {
    const StepShare& step = shares.steps[i];
    rows.push_back({.step = indent_of(step) + label_of(step),
                    .mechanism = in_words ? summary.mechanisms[i] : on_one_line(step.mechanism),
                    .count = fmt::format("{}", step.count),
                    .share = step.share ? percent(*step.share) : "-"});
  }
  return rows;
}

std::vector<std::string> comments_of(const StepShares& shares) {
  std::vector<std::string> lines;
  for (const StepShare& step : shares.steps) {
    if (step.comment.empty()) continue;
    lines.push_back(fmt::format("{}: {}", step_shares_file::label_of(step), on_one_line(step.comment)));
  }
  return lines;
}

std::string share_title(const StepShares& shares) {
  return fmt::format("Share of the Renyi divergence at order {}", rounded(shares.order));
}

bool has_several_steps(const StepShares& shares) { return shares.steps.size() > 1; }

std::string shares_in_words(const StepShares& shares) {
  if (!shares.unavailable.empty()) return fmt::format("No step has a share of the cost: {}.", shares.unavailable);
  if (!has_several_steps(shares)) return "The plan has one step, which has the whole cost.";
  const bool has_groups =
      std::any_of(shares.steps.begin(), shares.steps.end(), [](const StepShare& step) { return step.depth > 0; });
  return fmt::format(
      "A share is what all runs of a step add to the Renyi divergence at order {}, from which the Renyi bound is read "
      "off (direction {}), as a part of the whole{}{}. It describes that bound: at another delta, or beside other "
      "steps, "
      "it may be another one.",
      rounded(shares.order), to_string(shares.direction), shares.of_finite_parts ? ", infinite losses left out" : "",
      has_groups ? "; the shares of a group's steps add up to that of the group" : "");
}

}  // namespace renyi::api
