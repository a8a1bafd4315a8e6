#include "api/statement/statement.h"

#include "api/json/said.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "api/shown.h"
#include "api/statement/facts_in_words.h"
#include "api/words.h"

namespace renyi::api {
namespace statement_file {
namespace {

bool has_form(const Json& facts, std::string_view name) {
  for (const Json& form : facts.at("forms")) {
    if (form == name) return true;
  }
  return false;
}

std::vector<Words> steps_of(const Json& plan) {
  if (!is_given(plan)) {
    return {fmt::format("steps that plan files cannot hold ({})", plan.at("unavailable").get<std::string>())};
  }
  std::vector<Words> lines;
  for (const std::string& line : steps_in_words(plan.at("steps"))) lines.push_back(code(line));
  if (lines.empty()) lines.emplace_back("nothing");
  return lines;
}

void list_mechanisms(Blocks& blocks, const Json& facts) {
  if (facts.at("mechanisms").empty()) return;
  List list;
  for (const Json& mechanism : facts.at("mechanisms")) {
    list.items.push_back(code(mechanism.at("kind").get<std::string>()) + ": " +
                         mechanism.at("summary").get<std::string>());
  }
  blocks.emplace_back(Paragraph{"Where:"});
  blocks.emplace_back(std::move(list));
}

std::string published(const Json& facts) {
  std::string text =
      "The results of every step count as published, intermediate ones included, and so does whatever is computed from "
      "them alone, such as checkpoints of a model.";
  if (has_form(facts, "select")) {
    text +=
        " Of the best of several runs, only that run's result is published; the results of the others, and how many "
        "there were, stay secret.";
  }
  if (has_form(facts, "parallel")) {
    text +=
        " Disjoint parts of the records were fixed in advance, each record lies in one of them, and the costliest "
        "part counts.";
  }
  return text;
}

// What was run, and what of it is published.
Section run_section(const Json& facts) {
  Section section{.title = "What was run"};
  List list{steps_of(facts.at("plan"))};
  for (const Json& remark : facts.at("remarks")) list.items.emplace_back(remark.get<std::string>());
  section.blocks.emplace_back(std::move(list));
  list_mechanisms(section.blocks, facts);
  section.blocks.emplace_back(Paragraph{published(facts)});
  return section;
}

Words unit_in_words(std::int64_t unit) {
  if (unit == 1) {
    return "The unit of privacy is one record. Someone with several records in the data is protected less than the "
           "figures say; a larger unit in the plan gives the figures for such persons.";
  }
  return fmt::format(
      "The unit of privacy is one person: up to {} records, all of them protected at once. Someone with more records "
      "is "
      "protected less than the figures say.",
      unit);
}

// Who is protected against what: the unit of privacy and the neighbouring relation.
Section protection_section(const Json& facts) {
  const auto relation = facts.at("neighbors").get<std::string>();
  const auto unit = facts.at("unit").get<std::int64_t>();
  Section section{.title = "What is protected",
                  .blocks = {Paragraph{unit_in_words(unit)},
                             Paragraph{Words("Neighbouring datasets (") + code(relation) +
                                       fmt::format("): {}. The guarantee compares what is published on any two such "
                                                   "datasets, in both directions.",
                                                   difference_in_words(relation, unit))}}};
  if (facts.contains("assumes")) {
    section.blocks.emplace_back(
        Paragraph{strong("The figures assume") + " that " + facts.at("assumes").get<std::string>() + "."});
  }
  return section;
}

Words loader_verdict(const SchemeWords& words) {
  if (words.usual_loader) {
    return "This is what a usual data loader does: it shuffles the records and cuts them into batches. No "
           "amplification "
           "by sampling is claimed: each record counts as used in full once an epoch.";
  }
  return strong("A usual data loader does not do this.") +
         " It shuffles the records and cuts them into batches; for such batches the figures here are no bound. A "
         "sampler "
         "made for the scheme does it; otherwise state the scheme " +
         code("shuffled") + " and report its figures, which are much larger as a rule.";
}

Words overflow_words(const Json& found) {
  double most = 0;
  for (const Json& step : found.at("sampling")) most = std::max(most, number_in(step.at("overflow_probability")));
  return fmt::format("A batch exceeds its limit with probability at most {}; what that costs is in the figures.",
                     up(most));
}

Words if_poisson(const Json& part) {
  if (!is_given(part)) return "";
  return fmt::format(
      "Under Poisson sampling epsilon would be about {}: an estimate for another way to draw, and no bound for this "
      "run.",
      plain(part.at("epsilon_estimate")));
}

Words unsampled_words(bool some_sampled, bool some_limited) {
  if (some_sampled) {
    return some_limited ? "The other steps are not sampled." : "The other steps are not sampled: they use all records.";
  }
  return some_limited ? "No step is sampled: nothing is gained from drawing records at random."
                      : "No step is sampled: nothing is gained, or assumed, from how records are drawn.";
}

void add_unsampled(Blocks& blocks, const Json& facts) {
  const Json& sampling = facts.at("sampling");
  const auto limits = contributions_in_words(facts);
  if (sampling.at("on_all_records").get<bool>()) {
    blocks.emplace_back(Paragraph{unsampled_words(!sampling.at("schemes").empty(), !limits.empty())});
  }
  for (const ContributionWords& words : limits) {
    blocks.emplace_back(Paragraph{fmt::format("The figures assume that {}. {}", words.condition, words.verdict)});
  }
}

// How the records are drawn, and whether a usual data loader does it.
Section sampling_section(const Json& facts) {
  Section section{.title = "How the records are drawn"};
  const Json& sampling = facts.at("sampling");
  for (const Json& scheme : sampling.at("schemes")) {
    const SchemeWords& words = words_for_scheme(scheme.get<std::string>());
    section.blocks.emplace_back(Paragraph{fmt::format("The figures assume {}: {}.", words.name, words.condition)});
    section.blocks.emplace_back(Paragraph{loader_verdict(words)});
  }
  const Json& found = facts.at("epsilon");
  if (found.contains("sampling")) section.blocks.emplace_back(Paragraph{overflow_words(found)});
  if (found.contains("under_poisson") && is_given(found.at("under_poisson"))) {
    section.blocks.emplace_back(Paragraph{if_poisson(found.at("under_poisson"))});
  }
  add_unsampled(section.blocks, facts);
  return section;
}

List assumptions() {
  return {
      .items = {
          "Each step ran as stated: noise drawn independently and in full, and what one record contributes bounded "
          "(by clipping, say) as the sensitivity or noise multiplier assumes.",
          "All parameters were fixed in advance: noise, rates and numbers of steps chosen in view of the records or "
          "of earlier results are not accounted for. The results themselves may guide later steps.",
          "How many records there are, where the plan uses it, counts as known.",
      }};
}

List gaps(bool selection) {
  return {.items = {
              selection
                  ? "Other uses of the same records: tuning and model selection beyond the selection stated above, "
                    "preprocessing, evaluation, earlier and later releases."
                  : "Other uses of the same records: tuning of hyperparameters, model selection, preprocessing, "
                    "evaluation, earlier and later releases. Each costs privacy of its own unless it is a step "
                    "above.",
              "The implementation: noise in floating-point arithmetic, weak random numbers, timing and other side "
              "channels, mistakes.",
              "Those who hold the records or run the steps, and what they publish otherwise.",
              "What the results say of people in general, whether or not their records were used.",
          }};
}

// What is taken for granted, and what is not covered.
Section limits_section(const Json& facts) {
  return {.title = "What is assumed, and what is not covered",
          .blocks = {Paragraph{"Assumed, beside how records are drawn:"}, assumptions(), Paragraph{"Not covered:"},
                     gaps(has_form(facts, "select"))}};
}

// The plan file, a step a line.
std::string in_lines(const Json& plan) {
  std::string head, steps;
  for (const auto& member : plan.items()) {
    if (member.key() != "steps") head += fmt::format("{}:{},", Json(member.key()).dump(), write(member.value()));
  }
  for (const Json& step : plan.at("steps")) steps += (steps.empty() ? "\n  " : ",\n  ") + write(step);
  return fmt::format("{{{}\"steps\":[{}]}}", head, steps);
}

std::string command(const Json& facts) {
  const std::string records =
      facts.contains("dataset_size") ? " --dataset-size " + facts.at("dataset_size").dump() : "";
  return fmt::format("renyi report plan.json --delta {0}{1}\nrenyi epsilon plan.json --delta {0}{1}",
                     delta_in_full(facts), records);
}

// How to get the same figures again.
Section checking_section(const Json& facts) {
  const auto version = facts.at("renyi").get<std::string>();
  if (!is_given(facts.at("plan"))) return {};
  return {.title = "How to check it",
          .blocks = {Paragraph{Words("The plan, as a file ") + code("plan.json") + ":"},
                     CodeBlock{"json", in_lines(facts.at("plan"))},
                     Paragraph{fmt::format("The figures, by renyi {}:", version)}, CodeBlock{"sh", command(facts)}}};
}

// Where the mathematics comes from.
Section references_section(const Json& facts) {
  Section section{.title = "References"};
  List list;
  for (const Json& reference : facts.at("references")) {
    list.items.push_back(code(reference.at("key").get<std::string>()) + ": " + reference.at("text").get<std::string>());
  }
  if (list.items.empty()) return section;
  section.blocks.emplace_back(std::move(list));
  section.blocks.emplace_back(
      Paragraph{Words("BibTeX entries by these keys: ") + code("renyi mechanisms --bibtex") + "."});
  return section;
}

}  // namespace
}  // namespace statement_file

Page statement_of(const Json& facts) {
  Page document{.title = facts.value("title", std::string("Privacy statement")), .lead = summary_of(facts)};
  for (const auto section :
       {statement_file::run_section, statement_file::protection_section, statement_file::sampling_section,
        figures_section, meaning_section, statement_file::limits_section, statement_file::checking_section,
        statement_file::references_section}) {
    Section made = section(facts);
    if (!made.blocks.empty()) document.sections.push_back(std::move(made));
  }
  return document;
}

}  // namespace renyi::api
