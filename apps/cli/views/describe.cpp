#include "apps/cli/views/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "api/certainty.h"
#include "api/relation_text.h"
#include "apps/cli/flags/number.h"
#include "renyi/mechanism.h"
#include "renyi/sampling.h"

namespace renyi::cli {

using api::RequestSummary;

namespace describe_file {
namespace {

// Adds the rows neighbors; unit, if it is not 1; and what is assumed about the records, if anything.
void describe_relation(Report& report, const RequestSummary& summary) {
  report.row("neighbors",
             fmt::format("{}: {}", summary.neighbors, api::difference_in_words(summary.neighbors, summary.unit)));
  if (summary.unit > 1)
    report.row("unit", fmt::format("one person has up to {} records: all of them are protected at once", summary.unit));
  if (!summary.assumes.empty()) report.row("assumes", summary.assumes);
}

constexpr std::size_t shown_steps = 6;

std::vector<std::string> lines_of(const RequestSummary& summary) {
  return summary.steps.empty() ? std::vector<std::string>{"nothing"} : summary.steps;
}

// Adds the row "run", with one line per step. Steps of a group, of a parallel part or of a selection are indented.
void list_run(Report& report, const RequestSummary& summary) {
  const std::vector<std::string> lines = lines_of(summary);
  const std::size_t count = lines.size() > shown_steps ? shown_steps - 1 : lines.size();
  for (std::size_t i = 0; i < count; ++i) report.row(i == 0 ? "run" : "", lines[i]);
  if (count < lines.size()) report.row("", fmt::format("... and {} more lines of steps", lines.size() - count));
}

struct SchemeWords {
  Scheme scheme;
  std::string_view text;
};
constexpr std::array<SchemeWords, all_schemes.size()> all_words{{
    {Scheme::poisson, "Poisson: each record enters each step by itself, at that rate."},
    {Scheme::fixed_size, "fixed size: so many different records, drawn afresh for each step."},
    {Scheme::with_replacement, "with replacement: every draw is from all records, afresh for each step."},
    {Scheme::truncated_poisson,
     "truncated Poisson: each record enters each step by itself, at that rate; of more than the limit, so many stay, "
     "at random."},
    {Scheme::shuffled,
     "shuffled epochs, as usual data loaders do: every record once an epoch, so one run of the mechanism an epoch. No "
     "amplification is claimed."},
    {Scheme::random_allocation,
     "random allocation: in each epoch every record takes part in one step, or in as many as stated, chosen for it "
     "alone."},
}};

std::string_view loaders(const Question& question) {
  return question.run.in_epochs ? "Shuffled loaders differ: this is no bound for them; --sampling shuffled "
                                  "--neighbors zero-out gives one."
                                : "Shuffled loaders differ: this is no bound for them.";
}

// Adds the rows "sampling", one for each scheme of the run, and "sensitivity" if records are replaced.
void describe_sampling(Report& report, const Question& question, const RequestSummary& summary) {
  std::string_view label = "sampling";
  for (const auto& [scheme, text] : all_words) {
    if (std::find(summary.schemes.begin(), summary.schemes.end(), scheme) == summary.schemes.end()) continue;
    const bool usual = scheme == Scheme::shuffled;
    report.row(label, usual ? std::string(text) : fmt::format("{} {}", text, loaders(question)));
    label = "";
  }
  if (!summary.exchanges) return;
  report.row("sensitivity",
             "of sampled noise: what one record contributes at most (1 unless stated); another in its place moves the "
             "query by up to twice that.");
}

// Says whether the width of an interval is absolute (epsilon) or relative to its bound (delta).
enum class Width { absolute, relative };

// A width below this is negligible, and its last digits depend on the machine.
constexpr double finest = 1e-9;

std::string width_in_words(double lower, double upper, Width kind) {
  if (lower == upper) return "";
  const bool relative = kind == Width::relative;
  const double width = relative ? (upper - lower) / upper : upper - lower;
  // A wide interval does not determine a value; it is just a lower and an upper bound.
  const bool narrow = width <= finest || upper - lower <= upper / 10;
  if (std::isinf(upper) || !narrow) return ", wide";
  return fmt::format(", {} at most {}", relative ? "relative width" : "width",
                     power_of_ten_above(std::max(width, finest)));
}

}  // namespace
}  // namespace describe_file

void describe_run(Report& report, const Question& question) {
  const ResolvedRun& parts = question.run;
  const RequestSummary summary = api::summary_of_request(question.request);
  for (const std::string& line : question.understood) report.row("understood", line);
  describe_file::list_run(report, summary);
  if (!parts.rate_rule.empty()) report.row("rate", parts.rate_rule);
  if (!parts.batch_rule.empty()) report.row("batches", parts.batch_rule);
  if (!parts.steps_rule.empty()) report.row("steps", parts.steps_rule);
  if (!parts.size_rule.empty()) report.row("size", parts.size_rule);
  describe_file::describe_relation(report, summary);
  describe_file::describe_sampling(report, question, summary);
}

std::string run_in_a_line(const RequestSummary& summary) {
  const std::vector<std::string> lines = describe_file::lines_of(summary);
  return lines.size() == 1 ? lines.front() : fmt::format("{}, and {} more", lines.front(), lines.size() - 1);
}

void describe_overflow(Report& report, const std::vector<Overflow>& overflows) {
  if (overflows.empty()) return;
  double most = 0;
  for (const Overflow& each : overflows) most = std::max(most, each.probability);
  report.row("overflow",
             fmt::format("a batch overflows with probability at most {}: its cost is in the figure", rounded_up(most)));
}

void describe_under_poisson(Report& report, const std::optional<PoissonEstimate>& under_poisson) {
  if (!under_poisson) return;
  report.row("if Poisson",
             under_poisson->estimate
                 ? fmt::format("{} ({} of what it would be under Poisson sampling: no bound for this run)",
                               rounded(*under_poisson->estimate), to_string(api::Certainty::estimate))
                 : "unavailable: " + under_poisson->unavailable);
}

std::string_view kind_in_words(const Cost& cost) {
  if (!cost.is_exact()) return "upper bound";
  switch (cost.standing) {
    case Standing::attained: return "exact";
    case Standing::promised: return "exact for the worst step with that promise";
    case Standing::dominated: return "exact for a dominating pair";
  }
  return "upper bound";
}

void describe_exact(Report& report, const Cost& cost) {
  if (cost.obstacle) {
    const Obstacle& obstacle = *cost.obstacle;
    report.row("exact", "unavailable: " + obstacle.why);
    return;
  }
  if (!cost.exact) return;
  const auto ends = [](const ExactInterval& figure) { return api::interval(figure.lower, figure.upper); };
  const auto width =
      cost.quantity == Quantity::epsilon ? describe_file::Width::absolute : describe_file::Width::relative;
  report.row("exact",
             fmt::format("{} (the larger of both{})", ends(cost.exact->worst),
                         describe_file::width_in_words(cost.exact->worst.lower, cost.exact->worst.upper, width)));
  report.row("remove", fmt::format("{} (by {})", ends(cost.exact->remove), to_string(cost.exact->remove.engine)));
  report.row("add", fmt::format("{} (by {})", ends(cost.exact->add), to_string(cost.exact->add.engine)));
  if (!cost.limit.empty()) report.row("note", cost.limit);
  if (!cost.contradiction.empty()) report.row("defect", cost.contradiction);
}

void describe_bound(Report& report, const RenyiBound& bound) {
  report.row("order", rounded(bound.order));
  report.row("conversion", fmt::format("{} ({})", to_string(bound.conversion),
                                       api::source_of_conversion(to_string(bound.conversion))));
  if (bound.infinite_mass > 0) report.row("infinite", infinite_mass_text(bound.infinite_mass));
}

std::string infinite_mass_text(double infinite_mass) {
  return fmt::format("{} of delta, for losses that are infinite: no order bounds them", rounded_up(infinite_mass));
}

std::string saving(double upper, double renyi) {
  if (!(upper < renyi)) return "";
  const std::string both =
      fmt::format("The Renyi bound is {}, the exact cost at most {}", rounded_up(renyi), rounded_up(upper));
  if (std::isinf(renyi) || upper == 0) return both + '.';
  if (renyi >= 2 * upper) return fmt::format("{}: {} times less.", both, rounded(std::floor(10 * renyi / upper) / 10));
  const double percent = std::floor(1000 * (1 - upper / renyi)) / 10;
  return percent > 0 ? fmt::format("{}: {:.1f} % less.", both, percent) : both + ": hardly less.";
}

std::string promise(const Question& question, double epsilon, double delta) {
  const auto most = api::most_likely(epsilon, delta);
  if (delta >= 1) return "In words: this promises nothing, as delta = 1 never does.";
  if (!most) return "In words: this promises nothing. More noise, fewer steps or a larger delta would.";
  const RequestSummary summary = api::summary_of_request(question.request);
  return fmt::format(
      "In words: whatever may happen because of the results, if it has probability p, then {} "
      "makes it at most {}.",
      api::change_in_words(summary.neighbors, summary.unit), *most);
}

// The row "sampling" already says that shuffled data loaders differ, so that warning is omitted here.
std::vector<std::string> warnings(const Question& question) {
  std::vector<std::string> texts;
  for (const RunWarning& warning : warnings_of(question.run, api::summary_of_request(question.request).delta)) {
    if (warning.kind != RunWarningKind::shuffled_loader) texts.push_back(warning.text);
  }
  return texts;
}

}  // namespace renyi::cli
