// The guarantee in a sentence, what it depends on, and all of it at a glance.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "api/shown.h"
#include "api/statement/facts_in_words.h"
#include "api/statement/statement.h"
#include "api/words.h"

namespace renyi::api {
namespace summary_file {
namespace {

Words no_guarantee(const Json& facts) {
  const Words start = strong("No guarantee") + fmt::format(" at delta = {}: ", delta_in_full(facts));
  if (number_in(facts.at("delta")) >= 1) return start + "delta = 1 never promises anything.";
  const Json& exact = facts.at("epsilon").at("exact");
  // Exact for the costliest run with such steps, where there is a note: this one may cost less.
  const bool of_this_run = !facts.at("epsilon").contains("note");
  if (of_this_run && is_given(exact) && exact.at("lower") == "inf") {
    return start + "no finite epsilon holds for this run.";
  }
  if (up(best_epsilon(facts)) == "inf") return start + "no finite epsilon was found for this run.";
  return start + fmt::format("an epsilon of {} promises nothing.", up(best_epsilon(facts)));
}

Words guarantee(const Json& facts) {
  if (!is_guarantee(facts)) return no_guarantee(facts);
  return Words("What is published of this run satisfies ") + strong(guarantee_in_words(facts)) +
         fmt::format(": epsilon = {} at delta = {}, under {}.", up(best_epsilon(facts)), delta_in_full(facts),
                     change_in_words(facts));
}

// What must be true of the batches, if a usual loader does not see to it.
void add_condition(Blocks& blocks, const Json& facts) {
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
void add_warning(Blocks& blocks, const Json& facts) {
  if (!facts.contains("dataset_size")) return;
  const double delta = number_in(facts.at("delta")), records = number_in(facts.at("dataset_size"));
  if (delta * records < 1) return;
  blocks.emplace_back(Caution{
      fmt::format("delta = {} is not below 1/N = {}: so large a delta allows publishing a record outright; choose one "
                  "well below 1/N.",
                  delta_in_full(facts), rounded(1 / records))});
}

Words kind_of_figure(const Json& facts) {
  return is_exact(facts) ? "the upper end of the exact interval, rounded up" : "an upper bound, rounded up";
}

Words exact_row(const Json& found) {
  const Json& exact = found.at("exact");
  if (!is_given(exact)) return "not available: " + exact.at("unavailable").get<std::string>();
  const std::string ends = interval(exact);
  if (ends == "inf") return "no finite epsilon";
  const bool noted = found.contains("note") && exact.at("engine") != "bounds";  // bounds are exact for nothing
  const std::string note = noted ? "; " + found.at("note").get<std::string>() : "";
  return fmt::format("epsilon {} {}, by {}{}", ends.find(" to ") == std::string::npos ? "=" : "from", ends,
                     engine_in_words(exact.at("engine").get<std::string>()), note);
}

Words renyi_row(const Json& bound) {
  if (bound.at("epsilon") == "inf") return "no finite epsilon at any order";
  const auto conversion = bound.at("conversion").get<std::string>();
  return fmt::format("epsilon at most {}, read off order {} ({}: {})", up(bound.at("epsilon")),
                     plain(bound.at("order")), conversion, source_of_conversion(conversion));
}

Words delta_row(const Json& facts) {
  if (!facts.contains("dataset_size")) return delta_in_full(facts) + "; to be well below 1/N for N records";
  const double records = number_in(facts.at("dataset_size"));
  return fmt::format("{}; 1/N = {} for N = {} records", delta_in_full(facts), rounded(1 / records),
                     facts.at("dataset_size").dump());
}

Words unit_row(std::int64_t unit) {
  return unit == 1 ? "one record" : fmt::format("one person with up to {} records, all of them at once", unit);
}

Words sampling_row(const Json& facts) {
  std::string text;
  for (const Json& scheme : facts.at("sampling").at("schemes")) {
    const SchemeWords& words = words_for_scheme(scheme.get<std::string>());
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", words.name,
                        words.usual_loader ? "as usual data loaders do" : "not what usual data loaders do");
  }
  if (text.empty()) text = "none";
  for (const ContributionWords& words : contributions_in_words(facts)) text += "; " + words.in_short;
  return text;
}

Table at_a_glance(const Json& facts) {
  const Json& found = facts.at("epsilon");
  const auto relation = facts.at("neighbors").get<std::string>();
  const auto unit = facts.at("unit").get<std::int64_t>();
  Table table{.header = {"", "At a glance"}};
  table.rows = {
      {"Guarantee",
       is_guarantee(facts) ? strong(guarantee_in_words(facts)) + "; " + kind_of_figure(facts) : strong("none")},
      {"Exact", exact_row(found)},
      {"Renyi bound", renyi_row(found.at("renyi"))},
      {"Delta", delta_row(facts)},
      {"Setting", "central: it is about what is published, not about those who hold the records and run the steps"},
      {"Unit of privacy", unit_row(unit)},
      {"Neighbours", fmt::format("{}: {}", relation, difference_in_words(relation, unit))},
      {"Sampling", sampling_row(facts)},
      {"Accountant", fmt::format("renyi {}; its Renyi bound is the least over every real order",
                                 facts.at("renyi").get<std::string>())},
  };
  return table;
}

}  // namespace
}  // namespace summary_file

Blocks summary_of(const Json& facts) {
  Blocks blocks{Paragraph{summary_file::guarantee(facts)}};
  if (is_guarantee(facts)) summary_file::add_condition(blocks, facts);
  summary_file::add_warning(blocks, facts);
  blocks.emplace_back(summary_file::at_a_glance(facts));
  return blocks;
}

}  // namespace renyi::api
