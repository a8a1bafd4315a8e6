// Writes the guarantee as a sentence, its conditions, and a table that summarizes it.
#include <fmt/format.h>

#include <cmath>

#include "api/certainty.h"
#include "api/number_text.h"
#include "api/relation_text.h"
#include "api/statement/facts_in_words.h"
#include "api/statement/statement.h"
#include "renyi/version.h"

namespace renyi::api {
namespace summary_file {
namespace {

Words no_guarantee(const Facts& facts) {
  const Words start = strong("No guarantee") + fmt::format(" at delta = {}: ", delta_in_full(facts));
  if (facts.delta >= 1) return start + "delta = 1 never promises anything.";
  const Cost& cost = facts.epsilon;
  // If there is a note, the interval is exact for the most expensive run with such steps, and this run may cost less.
  if (cost.note().empty() && cost.exact && std::isinf(cost.exact->worst.lower)) {
    return start + "no finite epsilon holds for this run.";
  }
  if (std::isinf(cost.upper())) return start + "no finite epsilon was found for this run.";
  return start + fmt::format("an epsilon of {} promises nothing.", rounded_up(cost.upper()));
}

Words guarantee(const Facts& facts) {
  if (!is_guarantee(facts)) return no_guarantee(facts);
  return Words("What is published of this run satisfies ") + strong(guarantee_in_words(facts)) +
         fmt::format(": epsilon = {} at delta = {}, under {}.", rounded_up(facts.epsilon.upper()), delta_in_full(facts),
                     change_in_words(facts));
}

// Adds the condition that the batches must meet, if a usual data loader does not ensure it.
void add_condition(Blocks& blocks, const Facts& facts) {
  for (const SchemeWords& words : unusual_schemes(facts)) {
    blocks.emplace_back(
        Caution{fmt::format("this holds only under {}: {}. A usual data loader, which shuffles, does not do that.",
                            words.name, words.condition)});
  }
  for (const ContributionWords& words : contributions_in_words(facts)) {
    blocks.emplace_back(Caution{fmt::format("this holds only if {}. {}", words.condition, words.verdict)});
  }
}

// Publishing one record chosen at random is (0, 1/N)-private.
void add_warning(Blocks& blocks, const Facts& facts) {
  if (!facts.dataset_size) return;
  const auto records = static_cast<double>(*facts.dataset_size);
  if (facts.delta * records < 1) return;
  blocks.emplace_back(Caution{
      fmt::format("delta = {} is not below 1/N = {}: so large a delta allows publishing a record outright; choose one "
                  "well below 1/N.",
                  delta_in_full(facts), rounded(1 / records))});
}

Words kind_of_figure(const Facts& facts) {
  return facts.epsilon.is_exact() ? "the upper end of the exact interval, rounded up" : "an upper bound, rounded up";
}

Words exact_row(const Cost& cost) {
  if (!cost.exact) return "not available: " + cost.obstacle->why;
  const ExactInterval& worst = cost.exact->worst;
  const std::string ends = interval(worst.lower, worst.upper);
  if (ends == "inf") return "no finite epsilon";
  const bool noted = cost.is_exact() && !cost.note().empty();  // the note is about exactness, which bounds do not have
  return fmt::format("epsilon {} {}, by {}{}", ends.find(" to ") == std::string::npos ? "=" : "from", ends,
                     engine_in_words(worst.engine), noted ? fmt::format("; {}", cost.note()) : "");
}

Words renyi_row(const RenyiBound& bound) {
  if (std::isinf(bound.upper)) return "no finite epsilon at any order";
  const std::string_view conversion = to_string(bound.conversion);
  return fmt::format("epsilon at most {}, read off order {} ({}: {})", rounded_up(bound.upper), rounded(bound.order),
                     conversion, source_of_conversion(conversion));
}

Words delta_row(const Facts& facts) {
  if (!facts.dataset_size) return delta_in_full(facts) + "; to be well below 1/N for N records";
  return fmt::format("{}; 1/N = {} for N = {} records", delta_in_full(facts),
                     rounded(1 / static_cast<double>(*facts.dataset_size)), *facts.dataset_size);
}

Words unit_row(std::int64_t unit) {
  return unit == 1 ? "one record" : fmt::format("one person with up to {} records, all of them at once", unit);
}

Words sampling_row(const Facts& facts) {
  std::string text;
  for (const Scheme scheme : facts.inventory.schemes) {
    const SchemeWords& words = words_for_scheme(scheme);
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", words.name,
                        words.usual_loader ? "as usual data loaders do" : "not what usual data loaders do");
  }
  if (text.empty()) text = "none";
  for (const ContributionWords& words : contributions_in_words(facts)) text += "; " + words.in_short;
  return text;
}

Table at_a_glance(const Facts& facts) {
  const std::string_view relation = to_string(facts.neighbors);
  Table table{.header = {"", "At a glance"}};
  table.rows = {
      {"Guarantee",
       is_guarantee(facts) ? strong(guarantee_in_words(facts)) + "; " + kind_of_figure(facts) : strong("none")},
      {"Exact", exact_row(facts.epsilon)},
      {"Renyi bound", renyi_row(*facts.epsilon.renyi)},
      {"Delta", delta_row(facts)},
      {"Setting", "central: it is about what is published, not about those who hold the records and run the steps"},
      {"Unit of privacy", unit_row(facts.unit)},
      {"Neighbours", fmt::format("{}: {}", relation, difference_in_words(relation, facts.unit))},
      {"Sampling", sampling_row(facts)},
      {"Certainty", fmt::format("{}; a certificate of renyi certify is {}", in_words(Certainty::bound),
                                in_words(Certainty::proven))},
      {"Accountant", fmt::format("renyi {}; its Renyi bound is the least over every real order", version)},
  };
  return table;
}

}  // namespace
}  // namespace summary_file

Blocks summary_of(const Facts& facts) {
  Blocks blocks{Paragraph{summary_file::guarantee(facts)}};
  if (is_guarantee(facts)) summary_file::add_condition(blocks, facts);
  summary_file::add_warning(blocks, facts);
  blocks.emplace_back(summary_file::at_a_glance(facts));
  return blocks;
}

}  // namespace renyi::api
