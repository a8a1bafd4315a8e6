// The figures of a statement, and what they mean.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "api/shown.h"
#include "api/statement/facts_in_words.h"
#include "api/statement/statement.h"
#include "api/words.h"

namespace renyi::api {
namespace figures_file {
namespace {

std::string text_at(const Json& object, const char* key) { return object.at(key).get<std::string>(); }

std::vector<Words> exact_line(const char* name, const Json& ends) {
  return {name, interval(ends), fmt::format("by {}", engine_in_words(text_at(ends, "engine")))};
}

std::string exact_in_words(const Json& found) {
  const std::string rounding = " Lower ends are rounded down, upper ends and bounds up.";
  if (found.at("exact").at("engine") == "bounds") {
    return "No engine gives an exact figure here: the ends of the interval are bounds." + rounding;
  }
  if (found.contains("note")) {
    return fmt::format("The interval is {}. Parameters are taken as fixed in advance.", text_at(found, "note")) +
           rounding;
  }
  return "Exact: the interval holds the smallest epsilon that is true of the plan as stated at this delta, with "
         "parameters fixed in advance." +
         rounding;
}

void add_exact(Blocks& blocks, Table& table, const Json& found) {
  const Json& exact = found.at("exact");
  if (!is_given(exact)) {
    blocks.emplace_back(Paragraph{"There is no exact figure: " + text_at(exact, "unavailable") + "."});
    return;
  }
  table.rows.push_back({"exact", interval(exact), "the larger of both directions"});
  table.rows.push_back(exact_line("direction remove", exact.at("remove")));
  table.rows.push_back(exact_line("direction add", exact.at("add")));
  blocks.emplace_back(Paragraph{exact_in_words(found)});
  if (exact.contains("note")) blocks.emplace_back(Paragraph{"Note: " + text_at(exact, "note") + "."});
}

void add_renyi(Blocks& blocks, Table& table, const Json& bound) {
  const auto conversion = text_at(bound, "conversion");
  const bool finite = bound.at("epsilon") != "inf";
  table.rows.push_back(
      {"Renyi bound", finite ? "at most " + up(bound.at("epsilon")) : "inf",
       finite ? fmt::format("order {}, {} ({})", plain(bound.at("order")), conversion, source_of_conversion(conversion))
              : "no order gives a finite one"});
  if (!bound.contains("delta_apart")) return;
  blocks.emplace_back(Paragraph{
      fmt::format("In the Renyi bound {} of delta pays apart for losses that are infinite: no order bounds them.",
                  up(bound.at("delta_apart")))});
}

// Is there an order that says something?
bool has_curve(const Json& promises) {
  if (!is_given(promises)) return false;
  for (const Json& at : promises.at("orders")) {
    if (at.at("epsilon") != "inf") return true;
  }
  return false;
}

Table curve_of(const Json& promises) {
  Table table{.header = {"order a"}, .rows = {{"epsilon at most"}}};
  for (const Json& at : promises.at("orders")) {
    table.header.push_back(plain(at.at("order")));
    table.rows[0].emplace_back(up(at.at("epsilon")));
  }
  return table;
}

Words relative_in_words(const Json& found, const char* key) {
  if (!is_given(found)) return "not available: " + text_at(found, "unavailable");
  return found.contains("none") ? text_at(found, "none") : fmt::format("{} = {}", key, up(found.at(key)));
}

Table relatives_in(const Json& relatives) {
  return {.header = {"Notion", "What holds, at most"},
          .rows = {{"pure DP", relative_in_words(relatives.at("pure"), "epsilon")},
                   {"zCDP", relative_in_words(relatives.at("zcdp"), "rho")},
                   {"GDP", relative_in_words(relatives.at("gdp"), "mu")}}};
}

// What would give a promise; empty where nothing does.
std::string remedy(const Json& facts) {
  const Json& bound = facts.at("epsilon").at("renyi");
  const double delta = number_in(facts.at("delta"));
  const double apart = bound.contains("delta_apart") ? number_in(bound.at("delta_apart")) : 0;
  if (apart >= 1) return "";
  if (apart > 0 && apart >= delta) {
    return fmt::format(
        " Losses are infinite with a probability of up to {0}, which noise in other steps does not mend: "
        "a delta above {0} may.",
        up(bound.at("delta_apart")));
  }
  // Noise makes losses rarer, and does not bound those that are unbounded.
  if (delta <= 0 && best_epsilon(facts) == "inf") return " A delta above 0 would.";
  return " More noise, fewer steps or a larger delta would.";
}

void add_promise(Blocks& blocks, const Json& facts) {
  const auto most = most_likely(number_in(best_epsilon(facts)), number_in(facts.at("delta")));
  if (!most) {
    blocks.emplace_back(Paragraph{number_in(facts.at("delta")) >= 1
                                      ? "A delta of 1 promises nothing, whatever was run."
                                      : "At this delta the run promises nothing." + remedy(facts)});
    return;
  }
  blocks.emplace_back(Paragraph{
      fmt::format("Whatever may happen because of the results, if it has probability p, then {} makes it at most {}.",
                  change_in_words(facts), *most)});
}

// The best range there is.
const Json& range_in(const Json& outcome) {
  const bool exact = outcome.contains("exact") && is_given(outcome.at("exact"));
  return outcome.at(exact ? "exact" : "renyi");
}

void add_outcomes(Blocks& blocks, const Json& promises) {
  for (const Json& outcome : promises.at("outcomes")) {
    const Json& range = range_in(outcome);
    if (number_in(range.at("upper")) >= 1 && number_in(range.at("lower")) <= 0) continue;
    blocks.emplace_back(Paragraph{fmt::format(
        "An outcome that has probability {} on one of two neighbouring datasets has a probability between {} "
        "and {} on the other.",
        plain(outcome.at("baseline")), down(range.at("lower")), up(range.at("upper")))});
  }
}

// "more than 10 times with probability at most 0.001"; nothing where no factor is bounded.
void add_odds(Blocks& blocks, const Json& promises) {
  std::string text;
  for (const Json& tail : promises.at("bayes").at("tails")) {
    if (number_in(tail.at("probability")) >= 1) continue;
    text += fmt::format("{} more than {} times with probability at most {}", text.empty() ? "" : ",",
                        plain(tail.at("factor")), up(tail.at("probability")));
  }
  if (text.empty()) return;
  blocks.emplace_back(Paragraph{
      "Someone who weighs the true dataset against a neighbour sees the odds of the truth grow" + text + "."});
}

void add_tests(Blocks& blocks, const Json& tradeoff) {
  if (!is_given(tradeoff)) {
    blocks.emplace_back(Paragraph{"How well a test for one record can do is not known beyond that: " +
                                  tradeoff.at("unavailable").get<std::string>() + "."});
    return;
  }
  blocks.emplace_back(Paragraph{
      "Someone who knows everything else and decides from the results which of two neighbouring datasets it was, with "
      "false alarms as often as stated, detects the change at most so often:"});
  Table table{.header = {"False alarms", "Detections at most"}};
  for (const Json& point : tradeoff.at("points")) {
    table.rows.push_back({plain(point.at("type_1_error")), up(point.at("power").at("upper"))});
  }
  blocks.emplace_back(std::move(table));
  blocks.emplace_back(Paragraph{fmt::format("Detections exceed false alarms by at most {} (the membership advantage).",
                                            up(tradeoff.at("advantage").at("upper")))});
}

}  // namespace
}  // namespace figures_file

Section figures_section(const Json& facts) {
  const Json& found = facts.at("epsilon");
  Table epsilons{.header = {fmt::format("At delta = {}", delta_in_full(facts)), "Epsilon", "How"}};
  Blocks words;
  figures_file::add_exact(words, epsilons, found);
  figures_file::add_renyi(words, epsilons, found.at("renyi"));
  Section section{.title = "Figures", .blocks = {std::move(epsilons)}};
  section.blocks.insert(section.blocks.end(), words.begin(), words.end());
  if (figures_file::has_curve(facts.at("promises"))) {
    section.blocks.emplace_back(Paragraph{"(a, epsilon)-Renyi differential privacy:"});
    section.blocks.emplace_back(figures_file::curve_of(facts.at("promises")));
  }
  section.blocks.emplace_back(Paragraph{"The same run in other terms:"});
  section.blocks.emplace_back(figures_file::relatives_in(facts.at("relatives")));
  if (facts.at("relatives").at("zcdp").contains("rho") && !facts.at("sampling").at("schemes").empty()) {
    section.blocks.emplace_back(
        Paragraph{"zCDP holds at every order, and GDP against every test: for sampled steps they are seldom tight, and "
                  "the figures "
                  "at the chosen delta say more."});
  }
  return section;
}

Section meaning_section(const Json& facts) {
  Section section{.title = "What it means"};
  figures_file::add_promise(section.blocks, facts);
  if (is_given(facts.at("promises"))) {
    figures_file::add_outcomes(section.blocks, facts.at("promises"));
    figures_file::add_odds(section.blocks, facts.at("promises"));
  }
  figures_file::add_tests(section.blocks, facts.at("tradeoff"));
  return section;
}

}  // namespace renyi::api
