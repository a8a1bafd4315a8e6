// renyi explain: prints the guarantees of a run as a report and as rows, and a published table of such guarantees.
#include "api/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/request_summary.h"
#include "api/step_shares.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/question.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/io/output.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"
#include "renyi/error.h"
#include "renyi/extras/group_privacy.h"
#include "renyi/papers/bad_outcomes.h"

namespace renyi::cli {

namespace explain_file {
namespace {

using api::ExplainAnswer;
using api::ExplainRequest;

using Rows = std::vector<std::vector<std::string>>;

// A title and the paragraph below it.
std::string section(std::string_view title, std::string_view text) {
  return fmt::format("\n{}\n{}\n", Style::of_standard_output().strong(title), wrapped(text, 0));
}

bool has_pure(const Explanation& all) { return std::isfinite(all.pure_epsilon); }

// States why there is no pure DP.
std::string_view why_no_pure(const Explanation& all) {
  return all.is_unbounded ? "the loss is unbounded" : "the loss is not known to be bounded";
}

std::string largest_factor_in_words(const Explanation& all) {
  if (has_pure(all)) return fmt::format("and the factor is never above {}.", rounded_up(all.largest_bayes_factor));
  return fmt::format("and no factor {}: {}.", all.is_unbounded ? "is impossible" : "can be excluded", why_no_pure(all));
}

// Formats the exact probability, and the bound from the log-moment curve if that is larger.
void add_tail(Rows& rows, const BayesTail& tail) {
  const std::string factor = rounded(tail.factor);
  if (tail.exact) {
    rows.push_back({factor, rounded_up(tail.exact->upper), fmt::format("exact, by {}", to_string(tail.exact->method))});
    if (tail.exact->upper >= tail.bound.upper) return;
  }
  rows.push_back(
      {tail.exact ? "" : factor, rounded_up(tail.bound.upper), fmt::format("order {}", rounded(tail.bound.order))});
}

std::string bayes_section(const Explanation& all) {
  std::string text = section(
      "What an observer learns",
      "Someone weighs the true dataset against a neighbour. The results multiply the odds of the truth by a factor "
      "(the Bayes factor). Its logarithm is on average at most " +
          rounded_up(all.expected_log_bayes_factor) + ", " + largest_factor_in_words(all));
  Rows tails{{"factor above", "has probability at most", "by"}};
  for (const BayesTail& tail : all.bayes_tails) add_tail(tails, tail);
  Rows moments{{"order a", "epsilon of (a, epsilon)-RDP", "mean of factor^(a-1) at most"}};
  for (const OrderPromise& at : all.orders) {
    moments.push_back({rounded(at.order), rounded_up(at.epsilon), rounded_up(at.bayes_moment)});
  }
  return text + '\n' + columns(tails) + '\n' + columns(moments);
}

std::int64_t stability_of(const GroupPromise& group) { return std::int64_t{1} << group.doublings; }

std::string counted_as(const GroupPromise& group) {
  return group.size == stability_of(group) ? "" : fmt::format(" (counted as {})", stability_of(group));
}

// Returns the Renyi bound if the printed value is another one.
std::string beside_renyi(const Cost& cost) {
  if (!cost.exact || cost.exact->worst.upper == cost.renyi->upper) return "";
  return fmt::format("; the Renyi bound is {}", rounded_up(cost.renyi->upper));
}

std::string group_epsilon(const GroupPromise& group, double delta) {
  std::string text =
      fmt::format("\nAt delta = {} the group has epsilon = {}.", rounded(delta), rounded_up(group.approximate->upper));
  if (group.scaled) {
    text += fmt::format(
        " Scaling what one record can do in each step gives epsilon = {}, for exactly {} records ({}{}).",
        rounded_up(group.scaled->upper()), group.size, kind_in_words(*group.scaled), beside_renyi(*group.scaled));
  }
  return wrapped(text, 0) + '\n';
}

std::string group_section(const ExplainRequest& asked, const Explanation& all) {
  const GroupPromise& group = *all.group;
  const auto size = static_cast<double>(stability_of(group));
  std::string text = section(
      "A group",
      fmt::format("For {} records that act together{}: (a, e)-RDP of one record is (a/{}, {} e)-RDP of the group, for "
                  "orders a of at least {} (Mironov 2017, Proposition 2). Below order 2 the value at order 2 serves.",
                  group.size, counted_as(group), size, std::pow(3, group.doublings), 2 * size));
  Rows rows{{"order", "epsilon", "read off order"}};
  for (const GroupOrder& at : group.orders) {
    rows.push_back({rounded(at.order), rounded_up(at.epsilon), rounded(at.from_order)});
  }
  text += '\n' + columns(rows);
  if (group.approximate) text += group_epsilon(group, *asked.options.delta);
  if (has_pure(all)) text += fmt::format("\nPure DP of the group: epsilon = {}.\n", rounded_up(group.pure_epsilon));
  return text;
}

// The rows of a long plan that are printed; JSON has all of them.
constexpr std::size_t shown_shares = 20;

std::string shares_section(const Question& question, const StepShares& shares) {
  if (shares.steps.empty()) return "";
  std::string text = section("What each step adds", api::shares_in_words(shares));
  if (shares.unavailable.empty() && api::has_several_steps(shares)) {
    const auto all = api::share_rows(shares, api::summary_of_request(question.request));
    Rows rows{{"step", "count", "share", "mechanism"}};
    for (std::size_t i = 0; i < std::min(all.size(), shown_shares); ++i) {
      rows.push_back({all[i].step, all[i].count, all[i].share, all[i].mechanism});
    }
    text += '\n' + columns(rows);
    if (all.size() > shown_shares) text += fmt::format("  ... and {} more\n", all.size() - shown_shares);
  }
  const auto comments = api::comments_of(shares);
  if (!comments.empty()) text += '\n';
  for (const std::string& comment : comments) text += "  " + wrapped(comment, 4) + '\n';
  return text;
}

std::string properties_section() {
  std::string text = section("Always", "Whatever the run:");
  for (const Property& property : standing_properties()) {
    text += "  " + wrapped(fmt::format("{}: {} ({}).", property.name, property.statement, property.source), 4) + '\n';
  }
  return text;
}

// The two neighbouring datasets, described to the person whose record it is.
struct Worlds {
  std::string_view relation, one, other;
};
constexpr std::array<Worlds, 3> all_worlds{{
    {"add-or-remove-one", "without your record", "with it"},
    {"replace-one", "with another record in place of yours", "with yours"},
    {"zero-out", "with your record zeroed out", "with it"},
}};
// The same descriptions for a user with several records.
constexpr std::array<Worlds, 3> all_worlds_of_several{{
    {"add-or-remove-one", "without your records", "with them"},
    {"replace-one", "with other records in place of yours", "with yours"},
    {"zero-out", "with your records zeroed out", "with them"},
}};

const Worlds& worlds_of(const Question& question) {
  const api::RequestSummary summary = api::summary_of_request(question.request);
  const auto& table = summary.unit > 1 ? all_worlds_of_several : all_worlds;
  const std::string& relation = summary.neighbors;
  for (const Worlds& worlds : table) {
    if (worlds.relation == relation) return worlds;
  }
  return table[0];
}

std::string end_source(const OutcomeEnd& end) { return rounded(end.order) + (end.by_complement ? "*" : ""); }

void add_range(Rows& rows, const std::string& label, const Interval& range, const std::string& source) {
  rows.push_back({label, rounded_down(range.lower), rounded_up(range.upper), source});
}

void add_outcome(Rows& rows, const OutcomePromise& outcome, const Explanation& all) {
  const auto& [lower, upper] = outcome.best;
  add_range(rows, rounded(outcome.baseline), {lower.probability, upper.probability},
            fmt::format("the whole curve, at orders {} and {}", end_source(lower), end_source(upper)));
  if (outcome.exact) add_range(rows, "", *outcome.exact, "exact: f(1 - p) and 1 - f(p) of the best test");
  for (std::size_t i = 0; i < outcome.at_orders.size(); ++i) {
    add_range(rows, "", outcome.at_orders[i], fmt::format("order {} alone", rounded(all.orders[i].order)));
  }
  if (outcome.pure)
    add_range(rows, "", *outcome.pure, fmt::format("pure DP, epsilon = {}", rounded_up(all.pure_epsilon)));
  if (outcome.approximate) {
    add_range(rows, "", *outcome.approximate,
              fmt::format("(epsilon, delta)-DP, epsilon = {}", rounded_up(all.approximate->upper())));
  }
}

std::string in_words(const OutcomePromise& outcome, const Worlds& worlds) {
  const Interval range = outcome.range();
  return fmt::format("In words: what has probability {} {} has, {}, a probability between {} and {}.",
                     rounded(outcome.baseline), worlds.one, worlds.other, rounded_down(range.lower),
                     rounded_up(range.upper));
}

bool has_complement(const Explanation& all) {
  return std::any_of(all.outcomes.begin(), all.outcomes.end(), [](const OutcomePromise& outcome) {
    return outcome.best.lower.by_complement || outcome.best.upper.by_complement;
  });
}

// Returns the epsilon at the requested delta, what gave it, and the part of delta that covers infinite losses.
std::string epsilon_in_words(const Cost& cost) {
  std::string text = fmt::format("At delta = {} epsilon is {} ({}, rounded up{}).", rounded(cost.at),
                                 rounded_up(cost.upper()), kind_in_words(cost), beside_renyi(cost));
  if (cost.renyi->infinite_mass > 0) {
    text += fmt::format(" The Renyi bound includes {}.", infinite_mass_text(cost.renyi->infinite_mass));
  }
  return text;
}

std::string outcomes(const Question& question, const Explanation& all) {
  const Worlds& worlds = worlds_of(question);
  std::string text = section(
      "Bad outcomes",
      fmt::format("Think of anything that may happen because of the results. If it has probability p {}, then {} the "
                  "probability is at least and at most what follows, and the other way round.",
                  worlds.one, worlds.other));
  Rows rows{{"p", "at least", "at most", "bounded by"}};
  for (const OutcomePromise& outcome : all.outcomes) add_outcome(rows, outcome, all);
  text += '\n' + columns(rows) + '\n';
  text += wrapped(in_words(all.outcomes.back(), worlds), 0) + '\n';
  const auto add = [&](const std::string& line) { text += wrapped(line, 0) + '\n'; };
  if (has_complement(all)) add("An order marked * bounds the probability that it does not happen.");
  if (!all.exact_obstacle.empty()) add("Exact bounds are unavailable: " + all.exact_obstacle + ".");
  if (const auto note = all.note(); !note.empty()) add(fmt::format("Exact figures are {}.", note));
  if (all.approximate) add(epsilon_in_words(*all.approximate));
  if (!has_pure(all)) add(fmt::format("Pure DP promises nothing here: {}.", why_no_pure(all)));
  return text;
}

std::string explain_report(const Question& question, const ExplainRequest& asked, const Explanation& all) {
  Report head(Style::of_standard_output());
  head.headline("What this run promises", " (lower ends rounded down, upper ends and epsilons up)");
  describe_run(head, question);
  std::string text = head.text() + outcomes(question, all) + bayes_section(all);
  if (all.shares) text += shares_section(question, *all.shares);
  if (all.group) text += group_section(asked, all);
  text += properties_section();
  Report tail(Style::of_standard_output());
  for (const std::string& warning : warnings(question)) tail.blank_line().warning(warning);
  return text + tail.text();
}

using Cells = std::vector<std::vector<Cell>>;

// A row of comma-separated values. The lower bound is empty if there is only an upper bound, and the order is
// empty if the value does not come from one.
struct Row {
  std::string promise;
  Cell at = Cell("");
  Cell lower = Cell("");
  Cell upper = Cell("");
  Cell lower_order = Cell("");
  Cell upper_order = Cell("");

  std::vector<Cell> cells() const { return {promise, at, lower, upper, lower_order, upper_order}; }
};

void add(Cells& rows, const Row& row) { rows.push_back(row.cells()); }

void add_range(Cells& rows, std::string promise, double p, const Interval& range, const Cell& order) {
  add(rows, {std::move(promise), p, range.lower, range.upper, order, order});
}

void add_outcome(Cells& rows, const OutcomePromise& outcome, const Explanation& all) {
  const double p = outcome.baseline;
  const auto& [lower, upper] = outcome.best;
  add(rows, {"outcome-renyi", p, lower.probability, upper.probability, lower.order, upper.order});
  for (std::size_t i = 0; i < outcome.at_orders.size(); ++i) {
    add_range(rows, "outcome-order", p, outcome.at_orders[i], all.orders[i].order);
  }
  if (outcome.pure) add_range(rows, "outcome-pure", p, *outcome.pure, "inf");
  if (outcome.exact) add_range(rows, "outcome-exact", p, *outcome.exact, "");
  if (outcome.approximate) add_range(rows, "outcome-approximate", p, *outcome.approximate, "");
}

// Makes the row of the Renyi bound, and the row of the exact interval below it.
void add_epsilon(Cells& rows, const std::string& promise, const std::string& exact, const Cell& at, const Cost& cost) {
  add(rows, {.promise = promise, .at = at, .upper = cost.renyi->upper, .upper_order = cost.renyi->order});
  if (cost.exact) {
    add(rows, {.promise = exact, .at = at, .lower = cost.exact->worst.lower, .upper = cost.exact->worst.upper});
  }
}

void add_group(Cells& rows, const GroupPromise& group) {
  const Cell size(group.size);
  for (const GroupOrder& at : group.orders) {
    add(rows, {.promise = "group-rdp", .at = size, .upper = at.epsilon, .upper_order = at.order});
  }
  add(rows, {.promise = "group-pure", .at = size, .upper = group.pure_epsilon, .upper_order = "inf"});
  if (const auto& bound = group.approximate) {
    add(rows, {.promise = "group-approximate", .at = size, .upper = bound->upper, .upper_order = bound->order});
  }
  if (group.scaled) add_epsilon(rows, "group-scaled", "group-scaled-exact", size, *group.scaled);
}

std::string explain_rows(const Explanation& all) {
  Cells rows;
  for (const OrderPromise& at : all.orders) {
    add(rows, {.promise = "epsilon-rdp", .at = at.order, .upper = at.epsilon, .upper_order = at.order});
  }
  add(rows, {.promise = "epsilon-pure", .upper = all.pure_epsilon, .upper_order = "inf"});
  if (all.approximate) add_epsilon(rows, "epsilon-approximate", "epsilon-exact", "", *all.approximate);
  for (const OutcomePromise& outcome : all.outcomes) add_outcome(rows, outcome, all);
  for (const BayesTail& tail : all.bayes_tails) {
    add(rows, {.promise = "bayes-tail", .at = tail.factor, .upper = tail.bound.upper, .upper_order = tail.bound.order});
    if (!tail.exact) continue;
    add(rows,
        {.promise = "bayes-tail-exact", .at = tail.factor, .lower = tail.exact->lower, .upper = tail.exact->upper});
  }
  for (const OrderPromise& at : all.orders) {
    add(rows, {.promise = "bayes-moment", .at = at.order, .upper = at.bayes_moment, .upper_order = at.order});
  }
  add(rows, {.promise = "bayes-largest", .upper = all.largest_bayes_factor, .upper_order = "inf"});
  add(rows, {.promise = "bayes-log", .upper = all.expected_log_bayes_factor, .upper_order = 1});
  if (all.group) add_group(rows, *all.group);
  return csv({"promise", "at", "lower", "upper", "lower_order", "upper_order"}, rows);
}

constexpr std::size_t orders_in_a_row = 3;
// The number of decimals in the published table; numbers below `small` have three digits instead.
constexpr std::array<int, 9> decimals{5, 3, 3, 4, 5, 5, 4, 5, 5};
constexpr double small = 1e-4;

// Writes "9.05e-34" instead of "9.05e-034" or "1.95e-07".
std::string three_digits(double value) {
  const std::string text = fmt::format("{:.2e}", value);
  const auto e = text.find('e');
  return fmt::format("{}e{}", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

std::string published(double value, int places) {
  return value < small ? three_digits(value) : fmt::format("{:.{}f}", value, places);
}

std::string cell(const Interval& range, int places) {
  return fmt::format("[{}, {}]", published(range.lower, places), published(range.upper, places));
}

// Prints the published example, with the digits of the publication.
std::string reference_table_report(const std::vector<ReferenceRow>& cells) {
  std::vector<std::vector<std::string>> rows{{"p"}};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const ReferenceRow& at = cells[i];
    if (i < orders_in_a_row) rows[0].push_back("order " + rounded(at.order));
    if (i % orders_in_a_row == 0) rows.push_back({rounded(at.baseline)});
    rows.back().push_back(cell(at.range, decimals.at(i)));
  }
  return fmt::format(
             "Bad outcomes under (order, {})-RDP  (rounded to nearest, as published: not bounds to the last digit)\n\n",
             reference_epsilon) +
         columns(rows);
}

std::string reference_table_rows(const std::vector<ReferenceRow>& table) {
  std::vector<std::vector<Cell>> rows;
  for (const ReferenceRow& at : table) rows.push_back({at.baseline, at.order, at.range.lower, at.range.upper});
  return csv({"baseline", "order", "lower", "upper"}, rows);
}

const std::string table_flag = "--reference-table";
const std::string size_flag = "--group-size";
static_assert(most_doublings == 30, "the help names the largest group");

std::vector<FlagText> own_flags() {
  return {
      {"--baseline", "LIST", "probabilities of bad outcomes, in (0, 1) (default 0.5,0.1,0.01,1e-3,1e-6)", asked_group},
      orders_flag("orders to show by themselves: 2,4.5,inf or traditional (default 2,8,32)"),
      {"--delta", "DELTA", "adds what (epsilon, delta)-DP promises at this delta, in [0, 1]", asked_group},
      {"--factors", "LIST", "how much more the odds of the truth may grow (default 2,10,100)", asked_group},
      {.name = size_flag,
       .value = "SIZE",
       .help = "adds a group of this many records, from 2 to 1073741824",
       .group = asked_group,
       .whole = true},
      {table_flag, "", "print the published table for epsilon = 0.1 instead; needs no run", asked_group},
  };
}

void refuse_other_flags(const Flags& flags) {
  for (const FlagText& text : joined({run_flags(), own_flags(), {plot_flag()}})) {
    if (text.name == table_flag || !flags.given(text.name)) continue;
    throw InvalidArgument(text.name, *flags.text(text.name), fmt::format("nothing together with {}", table_flag));
  }
}

void build(Question& question, const Flags& flags) {
  question.request.set("op", "explain");
  if (flags.given(table_flag)) {
    refuse_other_flags(flags);
    question.set("reference_table", true, table_flag);
    return;
  }
  set_numbers(question, flags, "baseline");
  set_orders(question, flags);
  set_number(question, flags, "delta");
  set_numbers(question, flags, "factors");
  if (const auto text = flags.text(size_flag)) question.set("group_size", read_integer(size_flag, *text), size_flag);
  set_run(question, flags, "");
}

std::string table(const Question& question, const ExplainRequest& asked, const ExplainAnswer& answer) {
  return asked.reference_table ? reference_table_report(answer.reference_table)
                               : explain_report(question, asked, answer.promises);
}

std::string rows(const Question&, const ExplainRequest& asked, const ExplainAnswer& answer) {
  return asked.reference_table ? reference_table_rows(answer.reference_table) : explain_rows(answer.promises);
}

}  // namespace
}  // namespace explain_file

Command explain_command() {
  return {
      .name = "explain",
      .help = "What a run promises: bad outcomes, what is learnt, groups",
      .flags = joined({run_flags(), explain_file::own_flags(), {format_flag(), time_limit_flag(), plot_flag()}}),
      .footer = std::string(exact_assumes) +
                "Examples:\n"
                "  renyi explain --noise-multiplier 4 --baseline 0.5,1e-3\n"
                "  renyi explain plan.json --baseline 0.01 --orders 2,4,8 --delta 1e-6 --group-size 4\n"
                "  renyi explain --scale 10 --factors 1.05,1.1 --format csv\n"
                "  renyi explain --reference-table",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { explain_file::build(question, flags); }, api::read_explain,
                {.table = explain_file::table, .csv = explain_file::rows, .figure = "outcomes"});
          },
  };
}

}  // namespace renyi::cli
