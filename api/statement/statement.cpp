#include "api/statement/statement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/api.h"
#include "api/number_text.h"
#include "api/relation_text.h"
#include "api/request_summary.h"
#include "api/statement/facts_in_words.h"
#include "api/step_shares.h"
#include "renyi/version.h"

namespace renyi::api {
namespace statement_file {
namespace {

std::vector<Words> steps_of(const Part<std::string>& plan_file) {
  if (!plan_file) return {fmt::format("steps that plan files cannot hold ({})", plan_file.unavailable)};
  std::vector<Words> lines;
  for (const std::string& line : summary_of_request(request_from_plan(*plan_file)).steps) lines.push_back(code(line));
  if (lines.empty()) lines.emplace_back("nothing");
  return lines;
}

void list_mechanisms(Blocks& blocks, const Facts& facts) {
  if (facts.inventory.mechanisms.empty()) return;
  List list;
  for (const Mechanism& mechanism : facts.inventory.mechanisms) {
    list.items.push_back(code(std::string(mechanism.kind())) + ": " + std::string(mechanism.summary()));
  }
  blocks.emplace_back(Paragraph{"Where:"});
  blocks.emplace_back(std::move(list));
}

std::string published(const Facts& facts) {
  std::string text =
      "The results of every step count as published, intermediate ones included, and so does whatever is computed from "
      "them alone, such as checkpoints of a model.";
  if (facts.inventory.selection) {
    text +=
        " Of the best of several runs, only that run's result is published; the results of the others, and how many "
        "there were, stay secret.";
  }
  if (facts.inventory.parallel) {
    text +=
        " Disjoint parts of the records were fixed in advance, each record lies in one of them, and the costliest "
        "part counts.";
  }
  return text;
}

void add_comments(Blocks& blocks, const Facts& facts) {
  if (!facts.shares) return;
  List list;
  for (const std::string& comment : comments_of(*facts.shares)) list.items.emplace_back(comment);
  if (list.items.empty()) return;
  blocks.emplace_back(Paragraph{"Comments on the steps:"});
  blocks.emplace_back(std::move(list));
}

// Describes what was run, and which part of it is published.
Section run_section(const Facts& facts) {
  Section section{.title = "What was run"};
  List list{steps_of(facts.plan_file)};
  for (const std::string& remark : facts.remarks) list.items.emplace_back(remark);
  section.blocks.emplace_back(std::move(list));
  add_comments(section.blocks, facts);
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

// Describes who is protected against what: the unit of privacy and the neighbouring relation.
Section protection_section(const Facts& facts) {
  const std::string relation(to_string(facts.neighbors));
  Section section{.title = "What is protected",
                  .blocks = {Paragraph{unit_in_words(facts.unit)},
                             Paragraph{Words("Neighbouring datasets (") + code(relation) +
                                       fmt::format("): {}. The guarantee compares what is published on any two such "
                                                   "datasets, in both directions.",
                                                   difference_in_words(relation, facts.unit))}}};
  if (!facts.assumes.empty()) {
    section.blocks.emplace_back(Paragraph{strong("The figures assume") + " that " + facts.assumes + "."});
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

Words overflow_words(const std::vector<Overflow>& overflows) {
  double most = 0;
  for (const Overflow& overflow : overflows) most = std::max(most, overflow.probability);
  return fmt::format("A batch exceeds its limit with probability at most {}; what that costs is in the figures.",
                     rounded_up(most));
}

Words if_poisson(double epsilon) {
  return fmt::format(
      "Under Poisson sampling epsilon would be about {}: an estimate for another way to draw, and no bound for this "
      "run.",
      rounded(epsilon));
}

Words if_allocated(double epsilon) {
  return fmt::format(
             "With random allocation, where in each epoch every record takes part in one batch that it is given "
             "independently of the others, the same training would cost epsilon {} at most. For that, draw the batches "
             "by ",
             rounded_up(epsilon)) +
         code("renyi.loaders.RandomAllocationLoader") + ", and state the scheme " + code("random-allocation") + ".";
}

Words unsampled_words(bool some_sampled, bool some_limited) {
  if (some_sampled) {
    return some_limited ? "The other steps are not sampled." : "The other steps are not sampled: they use all records.";
  }
  return some_limited ? "No step is sampled: nothing is gained from drawing records at random."
                      : "No step is sampled: nothing is gained, or assumed, from how records are drawn.";
}

void add_unsampled(Blocks& blocks, const Facts& facts) {
  const auto limits = contributions_in_words(facts);
  if (facts.inventory.on_all_records) {
    blocks.emplace_back(Paragraph{unsampled_words(!facts.inventory.schemes.empty(), !limits.empty())});
  }
  for (const ContributionWords& words : limits) {
    blocks.emplace_back(Paragraph{fmt::format("The figures assume that {}. {}", words.condition, words.verdict)});
  }
}

// Describes how the records are drawn, and whether a usual data loader does it.
Section sampling_section(const Facts& facts) {
  Section section{.title = "How the records are drawn"};
  for (const Scheme scheme : facts.inventory.schemes) {
    const SchemeWords& words = words_for_scheme(scheme);
    section.blocks.emplace_back(Paragraph{fmt::format("The figures assume {}: {}.", words.name, words.condition)});
    section.blocks.emplace_back(Paragraph{loader_verdict(words)});
  }
  const Cost& cost = facts.epsilon;
  if (!cost.overflows.empty()) section.blocks.emplace_back(Paragraph{overflow_words(cost.overflows)});
  if (cost.under_poisson && cost.under_poisson->estimate) {
    section.blocks.emplace_back(Paragraph{if_poisson(*cost.under_poisson->estimate)});
  }
  if (facts.allocated) section.blocks.emplace_back(Paragraph{if_allocated(*facts.allocated)});
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
          "How many records there are is public, where rates, batches or steps follow from it: the claim is then about "
          "datasets "
          "of equally many records, as zero-out states it.",
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

// Describes what is assumed, and what is not covered.
Section limits_section(const Facts& facts) {
  return {.title = "What is assumed, and what is not covered",
          .blocks = {Paragraph{"Assumed, beside how records are drawn:"}, assumptions(), Paragraph{"Not covered:"},
                     gaps(facts.inventory.selection)}};
}

std::string command(const Facts& facts) {
  const std::string records = facts.dataset_size ? fmt::format(" --dataset-size {}", *facts.dataset_size) : "";
  return fmt::format("renyi report plan.json --delta {0}{1}\nrenyi epsilon plan.json --delta {0}{1}",
                     delta_in_full(facts), records);
}

// Describes how to reproduce the values.
Section checking_section(const Facts& facts) {
  if (!facts.plan_file) return {};
  return {.title = "How to check it",
          .blocks = {Paragraph{Words("The plan, as a file ") + code("plan.json") + ":"},
                     CodeBlock{"json", plan_in_lines(*facts.plan_file)},
                     Paragraph{fmt::format("The figures, by renyi {}:", version)}, CodeBlock{"sh", command(facts)}}};
}

// The publications of the two figures, by the keys that `renyi mechanisms --bibtex` has.
constexpr Reference conversion_source{
    "canonne2020",
    "Canonne, Kamath, Steinke 2020, The discrete Gaussian for differential privacy (arXiv:2004.00010v5), "
    "Proposition 12, for the Rényi bound",
    {}};
constexpr Reference composition_source{
    "zhudongwang2022",
    "Zhu, Dong, Wang 2022, Optimal accounting of differential privacy via characteristic function "
    "(arXiv:2106.08567v3), for the exact interval: the pairs of the steps, composed",
    {}};

// Returns the publications on which the analysis rests: those of the steps, then those of the figures.
std::vector<Reference> references_of(const Facts& facts) {
  std::vector<Reference> all = facts.inventory.references;
  const Cost& cost = facts.epsilon;
  if (cost.renyi && cost.renyi->conversion == Conversion::tight && std::isfinite(cost.renyi->upper)) {
    all.push_back(conversion_source);
  }
  if (cost.is_exact()) all.push_back(composition_source);
  return all;
}

Section references_section(const Facts& facts) {
  Section section{.title = "References"};
  List list;
  for (const Reference& reference : references_of(facts)) {
    list.items.push_back(code(std::string(reference.key)) + ": " + std::string(reference.text));
  }
  if (list.items.empty()) return section;
  section.blocks.emplace_back(std::move(list));
  section.blocks.emplace_back(
      Paragraph{Words("BibTeX entries by these keys: ") + code("renyi mechanisms --bibtex") + "."});
  return section;
}

}  // namespace
}  // namespace statement_file

Page statement_of(const Facts& facts) {
  Page document{.title = facts.title.empty() ? "Privacy statement" : facts.title, .lead = summary_of(facts)};
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
