// Writes the values of a statement, and what they mean.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "api/api.h"
#include "api/number_text.h"
#include "api/relation_text.h"
#include "api/request_summary.h"
#include "api/statement/facts_in_words.h"
#include "api/statement/statement.h"
#include "api/step_shares.h"

namespace renyi::api {
namespace figures_file {
namespace {

std::vector<Words> exact_line(const char* name, const ExactInterval& ends) {
  return {name, interval(ends.lower, ends.upper), fmt::format("by {}", engine_in_words(ends.engine))};
}

std::string exact_in_words(const Cost& cost) {
  const std::string rounding = " Lower ends are rounded down, upper ends and bounds up.";
  if (!cost.is_exact()) {
    return "No engine gives an exact figure here: the ends of the interval are bounds." + rounding;
  }
  if (!cost.note().empty()) {
    return fmt::format("The interval is {}. Parameters are taken as fixed in advance.", cost.note()) + rounding;
  }
  return "Exact: the interval holds the smallest epsilon that is true of the plan as stated at this delta, with "
         "parameters fixed in advance." +
         rounding;
}

void add_exact(Blocks& blocks, Table& table, const Cost& cost) {
  if (!cost.exact) {
    blocks.emplace_back(Paragraph{"There is no exact figure: " + cost.obstacle->why + "."});
    return;
  }
  const auto& [worst, direction, remove, add] = *cost.exact;
  table.rows.push_back({"exact", interval(worst.lower, worst.upper), "the larger of both directions"});
  table.rows.push_back(exact_line("direction remove", remove));
  table.rows.push_back(exact_line("direction add", add));
  blocks.emplace_back(Paragraph{exact_in_words(cost)});
  if (!cost.limit.empty()) blocks.emplace_back(Paragraph{"Note: " + cost.limit + "."});
  if (!cost.contradiction.empty()) blocks.emplace_back(Paragraph{"Defect: " + cost.contradiction + "."});
}

void add_renyi(Blocks& blocks, Table& table, const RenyiBound& bound) {
  const std::string_view conversion = to_string(bound.conversion);
  const bool finite = std::isfinite(bound.upper);
  table.rows.push_back(
      {"Renyi bound", finite ? "at most " + rounded_up(bound.upper) : "inf",
       finite ? fmt::format("order {}, {} ({})", rounded(bound.order), conversion, source_of_conversion(conversion))
              : "no order gives a finite one"});
  if (!(bound.infinite_mass > 0)) return;
  blocks.emplace_back(
      Paragraph{fmt::format("In the Renyi bound {} of delta covers losses that are infinite: no order bounds them.",
                            rounded_up(bound.infinite_mass))});
}

// Returns true if some order has a finite bound.
bool has_curve(const Part<Explanation>& promises) {
  return promises && std::any_of(promises->orders.begin(), promises->orders.end(),
                                 [](const OrderPromise& at) { return std::isfinite(at.epsilon); });
}

Table curve_of(const Explanation& promises) {
  Table table{.header = {"order a"}, .rows = {{"epsilon at most"}}};
  for (const OrderPromise& at : promises.orders) {
    table.header.push_back(rounded(at.order));
    table.rows[0].emplace_back(rounded_up(at.epsilon));
  }
  return table;
}

// Adds the share of each step; or the sentence that there is none to divide.
void add_shares(Blocks& blocks, const Facts& facts) {
  if (!facts.shares || facts.shares->steps.empty()) return;
  const StepShares& shares = *facts.shares;
  if (shares.unavailable.empty() && has_several_steps(shares)) {
    const RequestSummary summary =
        facts.plan_file ? summary_of_request(request_from_plan(*facts.plan_file)) : RequestSummary{};
    Table table{.header = {"Step", "Mechanism", "Count", share_title(shares)}};
    for (const ShareRow& row : share_rows(shares, summary)) {
      table.rows.push_back({row.step, code(row.mechanism), row.count, row.share});
    }
    blocks.emplace_back(Paragraph{"What each step adds to the cost:"});
    blocks.emplace_back(std::move(table));
  }
  blocks.emplace_back(Paragraph{shares_in_words(shares)});
}

// `name` and `parameter` select the parameter that a statement shows.
template <class Parameters>
Words relative_in_words(const Part<NotionAnswer<Parameters>>& part, const char* name, Interval Parameters::*parameter) {
  if (!part) return "not available: " + part.unavailable;
  if (!part->found) return part->none;
  return fmt::format("{} = {}", name, rounded_up(((*part->found).*parameter).upper));
}

Table relatives_in(const Relatives& relatives) {
  return {.header = {"Notion", "What holds, at most"},
          .rows = {{"pure DP", relative_in_words(relatives.pure, "epsilon", &PureParameters::epsilon)},
                   {"zCDP", relative_in_words(relatives.zcdp, "rho", &ZcdpParameters::rho)},
                   {"GDP", relative_in_words(relatives.gdp, "mu", &GdpParameters::mu)}}};
}

// Returns what would lead to a guarantee; empty if nothing does.
std::string remedy(const Facts& facts) {
  const double delta = facts.delta, infinite_mass = facts.epsilon.renyi->infinite_mass;
  if (infinite_mass >= 1) return "";
  if (infinite_mass > 0 && infinite_mass >= delta) {
    return fmt::format(
        " Losses are infinite with a probability of up to {0}, which noise in other steps does not mend: "
        "a delta above {0} may.",
        rounded_up(infinite_mass));
  }
  // Noise makes large losses rarer, but does not bound losses that are unbounded.
  if (delta <= 0 && std::isinf(facts.epsilon.upper())) return " A delta above 0 would.";
  return " More noise, fewer steps or a larger delta would.";
}

void add_promise(Blocks& blocks, const Facts& facts) {
  const auto most = most_likely(facts.epsilon.upper(), facts.delta);
  if (!most) {
    blocks.emplace_back(Paragraph{facts.delta >= 1 ? "A delta of 1 promises nothing, whatever was run."
                                                   : "At this delta the run promises nothing." + remedy(facts)});
    return;
  }
  blocks.emplace_back(Paragraph{
      fmt::format("Whatever may happen because of the results, if it has probability p, then {} makes it at most {}.",
                  change_in_words(facts), *most)});
}

void add_outcomes(Blocks& blocks, const Explanation& promises) {
  for (const OutcomePromise& outcome : promises.outcomes) {
    const Interval range = outcome.range();
    if (range.upper >= 1 && range.lower <= 0) continue;
    blocks.emplace_back(Paragraph{fmt::format(
        "An outcome that has probability {} on one of two neighbouring datasets has a probability between {} "
        "and {} on the other.",
        rounded(outcome.baseline), rounded_down(range.lower), rounded_up(range.upper))});
  }
}

// Adds "more than 10 times with probability at most 0.001"; adds nothing if no factor is bounded.
void add_odds(Blocks& blocks, const Explanation& promises) {
  std::string text;
  for (const BayesTail& tail : promises.bayes_tails) {
    if (tail.upper() >= 1) continue;
    text += fmt::format("{} more than {} times with probability at most {}", text.empty() ? "" : ",",
                        rounded(tail.factor), rounded_up(tail.upper()));
  }
  if (text.empty()) return;
  blocks.emplace_back(Paragraph{
      "Someone who weighs the true dataset against a neighbour sees the odds of the truth grow" + text + "."});
}

void add_tests(Blocks& blocks, const Part<TradeoffAnswer>& tradeoff) {
  if (!tradeoff) {
    blocks.emplace_back(
        Paragraph{"How well a test for one record can do is not known beyond that: " + tradeoff.unavailable + "."});
    return;
  }
  blocks.emplace_back(Paragraph{
      "Someone who knows everything else and decides from the results which of two neighbouring datasets it was, with "
      "false alarms as often as stated, detects the change at most so often:"});
  Table table{.header = {"False alarms", "Detections at most"}};
  for (const TradeoffPoint& point : tradeoff->points) {
    table.rows.push_back({rounded(point.type_one), rounded_up(point.worst.power.upper)});
  }
  blocks.emplace_back(std::move(table));
  blocks.emplace_back(Paragraph{fmt::format("Detections exceed false alarms by at most {} (the membership advantage).",
                                            rounded_up(tradeoff->advantage.upper))});
}

}  // namespace
}  // namespace figures_file

Section figures_section(const Facts& facts) {
  Table epsilons{.header = {fmt::format("At delta = {}", delta_in_full(facts)), "Epsilon", "How"}};
  Blocks words;
  figures_file::add_exact(words, epsilons, facts.epsilon);
  figures_file::add_renyi(words, epsilons, *facts.epsilon.renyi);
  Section section{.title = "Figures", .blocks = {std::move(epsilons)}};
  section.blocks.insert(section.blocks.end(), words.begin(), words.end());
  if (figures_file::has_curve(facts.promises)) {
    section.blocks.emplace_back(Paragraph{"(a, epsilon)-Renyi differential privacy:"});
    section.blocks.emplace_back(figures_file::curve_of(*facts.promises));
  }
  figures_file::add_shares(section.blocks, facts);
  section.blocks.emplace_back(Paragraph{"The same run in other terms:"});
  section.blocks.emplace_back(figures_file::relatives_in(facts.relatives));
  if (facts.relatives.zcdp && facts.relatives.zcdp->found && !facts.inventory.schemes.empty()) {
    section.blocks.emplace_back(
        Paragraph{"zCDP holds at every order, and GDP against every test: for sampled steps they are seldom tight, and "
                  "the figures "
                  "at the chosen delta say more."});
  }
  return section;
}

Section meaning_section(const Facts& facts) {
  Section section{.title = "What it means"};
  figures_file::add_promise(section.blocks, facts);
  if (facts.promises) {
    figures_file::add_outcomes(section.blocks, *facts.promises);
    figures_file::add_odds(section.blocks, *facts.promises);
  }
  figures_file::add_tests(section.blocks, facts.tradeoff);
  return section;
}

}  // namespace renyi::api
