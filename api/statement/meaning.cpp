// What the guarantee means to a person, and to someone who looks for one.
#include <fmt/format.h>

#include "api/shown.h"
#include "api/statement/guarantee.h"
#include "api/statement/statement.h"

namespace renyi::api {
namespace {

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

Section meaning_section(const Json& facts) {
  Section section{.title = "What it means"};
  add_promise(section.blocks, facts);
  if (is_given(facts.at("promises"))) {
    add_outcomes(section.blocks, facts.at("promises"));
    add_odds(section.blocks, facts.at("promises"));
  }
  add_tests(section.blocks, facts.at("tradeoff"));
  return section;
}

}  // namespace renyi::api
