// renyi explain: what a run promises, as a report and as rows; and the published table of such promises.
#include "renyi/explain.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "api/json/content.h"
#include "api/shown.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/question.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/io/output.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"
#include "renyi/error.h"

namespace renyi::cli {

namespace explain_file {
namespace {

using api::Json;
// Numbers of an answer: upper bounds, lower bounds, plain facts.
using api::down;
using api::plain;
using api::up;

using Rows = std::vector<std::vector<std::string>>;

// A title and the paragraph below it.
std::string section(std::string_view title, std::string_view text) {
  return fmt::format("\n{}\n{}\n", Style::of_standard_output().strong(title), wrapped(text, 0));
}

bool has_pure(const Json& answer) { return answer.at("pure_epsilon") != "inf"; }

// Why there is no pure DP.
std::string why_no_pure(const Json& answer) {
  return answer.at("outcomes").back().at("pure").at("unavailable").get<std::string>();
}

std::string largest_factor_in_words(const Json& answer) {
  if (has_pure(answer)) {
    return fmt::format("and the factor is never above {}.", up(answer.at("bayes").at("largest_factor")));
  }
  const std::string why = why_no_pure(answer);
  return fmt::format("and no factor {}: {}.", why == "the loss is unbounded" ? "is impossible" : "can be excluded",
                     why);
}

std::string bayes_section(const Json& answer) {
  const Json& found = answer.at("bayes");
  std::string text = section(
      "What an observer learns",
      "Someone weighs the true dataset against a neighbour. The results multiply the odds of the truth by a factor "
      "(the Bayes factor). Its logarithm is on average at most " +
          up(found.at("expected_log_factor")) + ", " + largest_factor_in_words(answer));
  Rows tails{{"factor above", "has probability at most", "by order"}};
  for (const Json& tail : found.at("tails")) {
    tails.push_back({plain(tail.at("factor")), up(tail.at("probability")), plain(tail.at("order"))});
  }
  Rows moments{{"order a", "epsilon of (a, epsilon)-RDP", "mean of factor^(a-1) at most"}};
  for (const Json& at : answer.at("orders")) {
    moments.push_back({plain(at.at("order")), up(at.at("epsilon")), up(at.at("bayes_moment"))});
  }
  return text + '\n' + columns(tails) + '\n' + columns(moments);
}

std::string counted_as(const Json& group) {
  return group.at("size") == group.at("stability") ? "" : fmt::format(" (counted as {})", group.at("stability").dump());
}

std::string group_epsilon(const Json& group, const Json& delta) {
  std::string text = fmt::format("\nAt delta = {} the group has epsilon = {}.", plain(delta),
                                 up(group.at("approximate").at("epsilon")));
  if (group.contains("scaled")) {
    text += fmt::format(" Scaling what one record can do in each step gives epsilon = {}, for exactly {} records.",
                        up(group.at("scaled").at("epsilon")), group.at("size").dump());
  }
  return wrapped(text, 0) + '\n';
}

std::string group_section(const Question& question, const Json& answer) {
  const Json& group = answer.at("group");
  const auto size = group.at("stability").get<double>();
  std::string text = section(
      "A group",
      fmt::format("For {} records that act together{}: (a, e)-RDP of one record is (a/{}, {} e)-RDP of the group, for "
                  "orders a of at least {} (Mironov 2017, Proposition 2). Below order 2 the value at order 2 serves.",
                  group.at("size").dump(), counted_as(group), size, std::pow(3, std::log2(size)), 2 * size));
  Rows rows{{"order", "epsilon", "read off order"}};
  for (const Json& at : group.at("orders")) {
    rows.push_back({plain(at.at("order")), up(at.at("epsilon")), plain(at.at("from_order"))});
  }
  text += '\n' + columns(rows);
  if (group.contains("approximate")) text += group_epsilon(group, api::opened(question.request).at("delta"));
  if (has_pure(answer)) text += fmt::format("\nPure DP of the group: epsilon = {}.\n", up(group.at("pure_epsilon")));
  return text;
}

std::string properties_section(const Json& answer) {
  std::string text = section("Always", "Whatever the run:");
  for (const Json& property : answer.at("always")) {
    text += "  " +
            wrapped(fmt::format("{}: {} ({}).", property.at("name").get<std::string>(),
                                property.at("statement").get<std::string>(), property.at("source").get<std::string>()),
                    4) +
            '\n';
  }
  return text;
}

// What the two neighbouring worlds are to the person the record is about.
struct Worlds {
  std::string_view relation, one, other;
};
constexpr std::array<Worlds, 3> all_worlds{{
    {"add-or-remove-one", "without your record", "with it"},
    {"replace-one", "with another record in place of yours", "with yours"},
    {"zero-out", "with your record zeroed out", "with it"},
}};
// Of a person with several records.
constexpr std::array<Worlds, 3> all_worlds_of_several{{
    {"add-or-remove-one", "without your records", "with them"},
    {"replace-one", "with other records in place of yours", "with yours"},
    {"zero-out", "with your records zeroed out", "with them"},
}};

const Worlds& worlds_of(const Question& question) {
  const api::Said said = api::said_in(question.request);
  const auto& table = said.unit > 1 ? all_worlds_of_several : all_worlds;
  const std::string& relation = said.neighbors;
  for (const Worlds& worlds : table) {
    if (worlds.relation == relation) return worlds;
  }
  return table[0];
}

std::string end_source(const Json& best, const std::string& end) {
  const bool by_complement = best.at(end + "_form") == "complement";
  return plain(best.at(end + "_order")) + (by_complement ? "*" : "");
}

void add_range(Rows& rows, const std::string& label, const Json& range, const std::string& source) {
  rows.push_back({label, down(range.at("lower")), up(range.at("upper")), source});
}

bool has_exact(const Json& outcome) { return outcome.contains("exact") && outcome.at("exact").contains("lower"); }

void add_outcome(Rows& rows, const Json& outcome, const Json& answer) {
  const Json& best = outcome.at("renyi");
  add_range(rows, plain(outcome.at("baseline")), best,
            fmt::format("the whole curve, at orders {} and {}", end_source(best, "lower"), end_source(best, "upper")));
  if (has_exact(outcome)) {
    add_range(rows, "", outcome.at("exact"), "exact: f(1 - p) and 1 - f(p) of the best test");
  }
  for (const Json& at : outcome.at("orders"))
    add_range(rows, "", at, fmt::format("order {} alone", plain(at.at("order"))));
  if (outcome.at("pure").contains("lower")) {
    add_range(rows, "", outcome.at("pure"), fmt::format("pure DP, epsilon = {}", up(answer.at("pure_epsilon"))));
  }
  if (outcome.contains("approximate")) {
    add_range(rows, "", outcome.at("approximate"),
              fmt::format("(epsilon, delta)-DP, epsilon = {}", up(answer.at("approximate").at("epsilon"))));
  }
}

std::string in_words(const Json& outcome, const Worlds& worlds) {
  const Json& best = outcome.at(has_exact(outcome) ? "exact" : "renyi");
  return fmt::format("In words: what has probability {} {} has, {}, a probability between {} and {}.",
                     plain(outcome.at("baseline")), worlds.one, worlds.other, down(best.at("lower")),
                     up(best.at("upper")));
}

std::string outcomes(const Question& question, const Json& answer) {
  const Worlds& worlds = worlds_of(question);
  std::string text = section(
      "Bad outcomes",
      fmt::format("Think of anything that may happen because of the results. If it has probability p {}, then {} the "
                  "probability is at least and at most what follows, and the other way round.",
                  worlds.one, worlds.other));
  Rows rows{{"p", "at least", "at most", "proved by"}};
  for (const Json& outcome : answer.at("outcomes")) add_outcome(rows, outcome, answer);
  text += '\n' + columns(rows) + '\n';
  text += wrapped(in_words(answer.at("outcomes").back(), worlds), 0) + '\n';
  if (text.find('*') != std::string::npos)
    text += "An order marked * bounds the probability that it does not happen.\n";
  if (const Json& last = answer.at("outcomes").back(); last.contains("exact") && !has_exact(last)) {
    text += wrapped("Exact bounds are unavailable: " + last.at("exact").at("unavailable").get<std::string>() + ".", 0) +
            '\n';
  }
  if (answer.contains("approximate") && answer.at("approximate").contains("delta_apart")) {
    text += wrapped("That epsilon pays apart: " + apart_in_words(answer.at("approximate")) + ".", 0) + '\n';
  }
  if (!has_pure(answer)) text += fmt::format("Pure DP promises nothing here: {}.\n", why_no_pure(answer));
  return text;
}

std::string explain_report(const Question& question, const Json& answer) {
  Report head(Style::of_standard_output());
  head.headline("What this run promises", " (lower ends rounded down, upper ends and epsilons up)");
  describe_run(head, question);
  std::string text = head.text() + outcomes(question, answer) + bayes_section(answer);
  if (answer.contains("group")) text += group_section(question, answer);
  text += properties_section(answer);
  Report tail(Style::of_standard_output());
  for (const std::string& warning : warnings(question)) tail.blank_line().warning(warning);
  return text + tail.text();
}

using Cells = std::vector<std::vector<Json>>;

void add_outcome(Cells& rows, const Json& outcome) {
  const Json& p = outcome.at("baseline");
  const Json& best = outcome.at("renyi");
  rows.push_back(
      {"outcome-renyi", p, best.at("lower"), best.at("upper"), best.at("lower_order"), best.at("upper_order")});
  for (const Json& at : outcome.at("orders")) {
    rows.push_back({"outcome-order", p, at.at("lower"), at.at("upper"), at.at("order"), at.at("order")});
  }
  if (const Json& pure = outcome.at("pure"); pure.contains("lower")) {
    rows.push_back({"outcome-pure", p, pure.at("lower"), pure.at("upper"), "inf", "inf"});
  }
  if (outcome.contains("exact") && outcome.at("exact").contains("lower")) {
    rows.push_back({"outcome-exact", p, outcome.at("exact").at("lower"), outcome.at("exact").at("upper"), "", ""});
  }
  if (outcome.contains("approximate")) {
    const Json& range = outcome.at("approximate");
    rows.push_back({"outcome-approximate", p, range.at("lower"), range.at("upper"), "", ""});
  }
}

void add_group(Cells& rows, const Json& group) {
  for (const Json& at : group.at("orders")) {
    rows.push_back({"group-rdp", group.at("size"), "", at.at("epsilon"), "", at.at("order")});
  }
  rows.push_back({"group-pure", group.at("size"), "", group.at("pure_epsilon"), "", "inf"});
  for (const char* kind : {"approximate", "scaled"}) {
    if (!group.contains(kind)) continue;
    const Json& bound = group.at(kind);
    rows.push_back({std::string("group-") + kind, group.at("size"), "", bound.at("epsilon"), "", bound.at("order")});
  }
}

std::string explain_rows(const Json& answer) {
  Cells rows;
  for (const Json& at : answer.at("orders")) {
    rows.push_back({"epsilon-rdp", at.at("order"), "", at.at("epsilon"), "", at.at("order")});
  }
  rows.push_back({"epsilon-pure", "", "", answer.at("pure_epsilon"), "", "inf"});
  if (answer.contains("approximate")) {
    const Json& bound = answer.at("approximate");
    rows.push_back({"epsilon-approximate", "", "", bound.at("epsilon"), "", bound.at("order")});
  }
  for (const Json& outcome : answer.at("outcomes")) add_outcome(rows, outcome);
  for (const Json& tail : answer.at("bayes").at("tails")) {
    rows.push_back({"bayes-tail", tail.at("factor"), "", tail.at("probability"), "", tail.at("order")});
  }
  for (const Json& at : answer.at("orders")) {
    rows.push_back({"bayes-moment", at.at("order"), "", at.at("bayes_moment"), "", at.at("order")});
  }
  rows.push_back({"bayes-largest", "", "", answer.at("bayes").at("largest_factor"), "", "inf"});
  rows.push_back({"bayes-log", "", "", answer.at("bayes").at("expected_log_factor"), "", 1});
  if (answer.contains("group")) add_group(rows, answer.at("group"));
  return csv({"promise", "at", "lower", "upper", "lower_order", "upper_order"}, rows);
}

constexpr std::size_t orders_in_a_row = 3;
// Decimals the table is known with; numbers below `small` have three digits instead.
constexpr std::array<int, 9> decimals{5, 3, 3, 4, 5, 5, 4, 5, 5};
constexpr double small = 1e-4;

// "9.05e-34" rather than "9.05e-034" or "1.95e-07".
std::string three_digits(double value) {
  const std::string text = fmt::format("{:.2e}", value);
  const auto e = text.find('e');
  return fmt::format("{}e{}", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

std::string published(double value, int places) {
  return value < small ? three_digits(value) : fmt::format("{:.{}f}", value, places);
}

std::string cell(const Json& row, int places) {
  return fmt::format("[{}, {}]", published(row.at("lower").get<double>(), places),
                     published(row.at("upper").get<double>(), places));
}

// The published example, to the digits it was published with.
std::string reference_table_report(const Json& answer) {
  const Json& cells = answer.at("reference_table");
  std::vector<std::vector<std::string>> rows{{"p"}};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Json& at = cells[i];
    if (i < orders_in_a_row) rows[0].push_back("order " + rounded(at.at("order").get<double>()));
    if (i % orders_in_a_row == 0) rows.push_back({rounded(at.at("baseline").get<double>())});
    rows.back().push_back(cell(at, decimals.at(i)));
  }
  return fmt::format(
             "Bad outcomes under (order, {})-RDP  (rounded to nearest, as published: not bounds to the last digit)\n\n",
             answer.at("epsilon").get<double>()) +
         columns(rows);
}

std::string reference_table_rows(const Json& answer) {
  std::vector<std::vector<Json>> rows;
  for (const Json& at : answer.at("reference_table")) {
    rows.push_back({at.at("baseline"), at.at("order"), at.at("lower"), at.at("upper")});
  }
  return csv({"baseline", "order", "lower", "upper"}, rows);
}

const std::string table_flag = "--reference-table";
const std::string size_flag = "--group-size";
static_assert(most_doublings == 30, "the help names the largest group");

std::vector<FlagText> own_flags() {
  return {
      {"--baseline", "LIST",
       "probabilities of bad outcomes, in (0, 1); adds exact bounds (default 0.5,0.1,0.01,1e-3,1e-6, without)",
       asked_group},
      orders_flag("orders to show by themselves: 2,4.5,inf or traditional (default 2,8,32)"),
      {"--delta", "DELTA", "adds what (epsilon, delta)-DP promises at this delta, in [0, 1]", asked_group},
      {"--factors", "LIST", "how much more the odds of the truth may grow (default 2,10,100)", asked_group},
      {size_flag, "SIZE", "adds a group of this many records, from 2 to 1073741824", asked_group},
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

bool is_reference_table(const api::Json& answer) { return answer.contains("reference_table"); }

std::string table(const Question& question, const api::Json& answer) {
  return is_reference_table(answer) ? reference_table_report(answer) : explain_report(question, answer);
}

std::string rows(const Question& /*question*/, const api::Json& answer) {
  return is_reference_table(answer) ? reference_table_rows(answer) : explain_rows(answer);
}

}  // namespace
}  // namespace explain_file

Command explain_command() {
  return {
      .name = "explain",
      .help = "What a run promises: bad outcomes, what is learnt, groups",
      .flags = joined({run_flags(), explain_file::own_flags(), {format_flag(), plot_flag()}}),
      .footer = std::string(exact_assumes) +
                "Examples:\n"
                "  renyi explain --noise-multiplier 4 --baseline 0.5,1e-3\n"
                "  renyi explain plan.json --baseline 0.01 --orders 2,4,8 --delta 1e-6 --group-size 4\n"
                "  renyi explain --scale 10 --factors 1.05,1.1 --format csv\n"
                "  renyi explain --reference-table",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { explain_file::build(question, flags); },
                {.table = explain_file::table, .csv = explain_file::rows, .figure = plot::outcomes_figure});
          },
  };
}

}  // namespace renyi::cli
