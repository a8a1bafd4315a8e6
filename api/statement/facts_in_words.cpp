#include "api/statement/facts_in_words.h"

#include <fmt/format.h>

#include <array>

#include "api/number_text.h"
#include "api/relation_text.h"
#include "renyi/sampling.h"

namespace renyi::api {
namespace facts_in_words_file {
namespace {

constexpr std::array<SchemeWords, all_schemes.size()> all_words{{
    {Scheme::poisson, "Poisson sampling", "each record enters each step by itself, with the probability stated", false},
    {Scheme::fixed_size, "sampling of a fixed size",
     "every batch is drawn afresh for its step, all batches of that size being equally likely", false},
    {Scheme::with_replacement, "sampling with replacement",
     "every draw of every step is independent, and from all records", false},
    {Scheme::truncated_poisson, "truncated Poisson sampling",
     "each record enters each step by itself, with the probability stated, and of more records than the limit so many "
     "stay, chosen at random",
     false},
    {Scheme::shuffled, "shuffled epochs", "every record is used once an epoch, and no more", true},
    {Scheme::random_allocation, "random allocation",
     "in each epoch every record takes part in exactly one step, or in as many as stated, chosen for it alone and "
     "uniformly",
     false},
}};

std::string rounds(double number) { return fmt::format("{} round{}", number, number == 1 ? "" : "s"); }

// A record that contributes once has no distance between its rounds.
std::string spacing(const Contributions& rule) {
  if (rule.participations == 1) return "";
  return fmt::format(", {} {} apart", rule.fixed_order ? "exactly" : "at least", rounds(rule.min_separation));
}

std::string verdict(const Contributions& rule) {
  if (rule.participations == 1) {
    return "A data loader that passes over the records several times (epochs) exceeds that, and then the figures here "
           "are no bound.";
  }
  const std::string start =
      fmt::format("A data loader that passes over the records more than {} times", rule.participations);
  const std::string end = ", and then the figures here are no bound.";
  if (rule.fixed_order) return start + ", or that shuffles them anew for an epoch, breaks that" + end;
  if (rule.min_separation == 1) return start + " exceeds that" + end;
  return start + ", or that brings a record back sooner, as shuffling anew for each epoch may, breaks that" + end;
}

ContributionWords in_words(const Contributions& rule) {
  const std::string apart = spacing(rule);
  return {
      .in_short = fmt::format("each record in at most {} of {}{}", rounds(rule.participations), rule.mechanism, apart),
      .condition = fmt::format("each record contributes to at most {} of each run of {}{}", rounds(rule.participations),
                               rule.mechanism, apart),
      .verdict = verdict(rule)};
}

}  // namespace
}  // namespace facts_in_words_file

bool is_guarantee(const Facts& facts) { return most_likely(facts.epsilon.upper(), facts.delta).has_value(); }

std::string guarantee_in_words(const Facts& facts) {
  return fmt::format("({}, {})-differential privacy", rounded_up(facts.epsilon.upper()), delta_in_full(facts));
}

std::string delta_in_full(const Facts& facts) {
  const std::string short_form = rounded(facts.delta);
  return number_of(short_form) == facts.delta ? short_form : decimal(facts.delta);
}

std::string_view engine_in_words(Engine engine) {
  switch (engine) {
    case Engine::closed_form: return "a closed form";
    case Engine::contour: return "a contour integral";
    case Engine::lattice: return "the law of the loss on a lattice";
    case Engine::bounds: return "bounds";
  }
  return "";
}

std::string change_in_words(const Facts& facts) { return change_in_words(to_string(facts.neighbors), facts.unit); }

const SchemeWords& words_for_scheme(Scheme scheme) {
  for (const SchemeWords& words : facts_in_words_file::all_words) {
    if (words.scheme == scheme) return words;
  }
  return facts_in_words_file::all_words[0];
}

std::vector<SchemeWords> unusual_schemes(const Facts& facts) {
  std::vector<SchemeWords> found;
  for (const Scheme scheme : facts.inventory.schemes) {
    const SchemeWords& words = words_for_scheme(scheme);
    if (!words.usual_loader) found.push_back(words);
  }
  return found;
}

std::vector<ContributionWords> contributions_in_words(const Facts& facts) {
  std::vector<ContributionWords> all;
  for (const Contributions& rule : facts.inventory.contributions) all.push_back(facts_in_words_file::in_words(rule));
  return all;
}

}  // namespace renyi::api
