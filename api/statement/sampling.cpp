// How the records are drawn, and whether a usual data loader does it.
#include "renyi/sampling.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "api/shown.h"
#include "api/statement/contributions.h"
#include "api/statement/guarantee.h"
#include "api/statement/scheme_words.h"
#include "api/statement/statement.h"

namespace renyi::api {
namespace {

constexpr std::array<SchemeWords, all_schemes.size()> all_words{{
    {"poisson", "Poisson sampling", "each record enters each step by itself, with the probability stated", false},
    {"fixed-size", "sampling of a fixed size",
     "every batch is drawn afresh for its step, all batches of that size being equally likely", false},
    {"with-replacement", "sampling with replacement", "every draw of every step is independent, and from all records",
     false},
    {"truncated-poisson", "truncated Poisson sampling",
     "each record enters each step by itself, with the probability stated, and of more records than the limit so many "
     "stay, chosen at random",
     false},
    {"shuffled", "shuffled epochs", "every record is used once an epoch, and no more", true},
}};

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

}  // namespace

const SchemeWords& words_for_scheme(std::string_view scheme) {
  for (const SchemeWords& words : all_words) {
    if (words.scheme == scheme) return words;
  }
  return all_words[0];
}

std::vector<SchemeWords> unusual_schemes(const Json& facts) {
  std::vector<SchemeWords> found;
  for (const Json& scheme : facts.at("sampling").at("schemes")) {
    const SchemeWords& words = words_for_scheme(scheme.get<std::string>());
    if (!words.usual_loader) found.push_back(words);
  }
  return found;
}

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

}  // namespace renyi::api
