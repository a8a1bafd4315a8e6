#include "api/statement/facts_in_words.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "api/shown.h"
#include "api/words.h"
#include "json/write.h"
#include "renyi/sampling.h"

namespace renyi::api {
namespace facts_in_words_file {
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

struct Rule {
  std::string mechanism{};
  std::int64_t most = 1;
  std::int64_t apart = 1;
  bool fixed_order = false;
};

std::string rounds(std::int64_t number) { return fmt::format("{} round{}", number, number == 1 ? "" : "s"); }

// What is contributed once is not apart from anything.
std::string spacing(const Rule& rule) {
  if (rule.most == 1) return "";
  return fmt::format(", {} {} apart", rule.fixed_order ? "exactly" : "at least", rounds(rule.apart));
}

std::string verdict(const Rule& rule) {
  if (rule.most == 1) {
    return "A data loader that passes over the records several times (epochs) exceeds that, and then the figures here "
           "are no bound.";
  }
  const std::string start = fmt::format("A data loader that passes over the records more than {} times", rule.most);
  const std::string end = ", and then the figures here are no bound.";
  if (rule.fixed_order) return start + ", or that shuffles them anew for an epoch, breaks that" + end;
  if (rule.apart == 1) return start + " exceeds that" + end;
  return start + ", or that brings a record back sooner, as shuffling anew for each epoch may, breaks that" + end;
}

ContributionWords in_words(const Rule& rule) {
  const std::string apart = spacing(rule);
  return {.in_short = fmt::format("each record in at most {} of {}{}", rounds(rule.most), rule.mechanism, apart),
          .condition = fmt::format("each record contributes to at most {} of each run of {}{}", rounds(rule.most),
                                   rule.mechanism, apart),
          .verdict = verdict(rule)};
}

}  // namespace
}  // namespace facts_in_words_file

bool is_given(const Json& part) { return !part.contains("unavailable"); }

const Json& best_epsilon(const Json& facts) {
  const Json& found = facts.at("epsilon");
  return is_given(found.at("exact")) ? found.at("exact").at("upper") : found.at("renyi").at("epsilon");
}

bool is_exact(const Json& facts) {
  const Json& exact = facts.at("epsilon").at("exact");
  return is_given(exact) && exact.at("engine") != "bounds";
}

bool is_guarantee(const Json& facts) {
  return most_likely(number_in(best_epsilon(facts)), number_in(facts.at("delta"))).has_value();
}

std::string guarantee_in_words(const Json& facts) {
  return fmt::format("({}, {})-differential privacy", up(best_epsilon(facts)), delta_in_full(facts));
}

std::string delta_in_full(const Json& facts) {
  const double delta = number_in(facts.at("delta"));
  const std::string short_form = rounded(delta);
  return std::strtod(short_form.c_str(), nullptr) == delta ? short_form : json::decimal(delta);
}

std::string_view engine_in_words(std::string_view engine) {
  if (engine == "closed-form") return "a closed form";
  if (engine == "contour") return "a contour integral";
  return engine == "lattice" ? "the law of the loss on a lattice" : "bounds";
}

std::string change_in_words(const Json& facts) {
  return change_in_words(facts.at("neighbors").get<std::string>(), facts.at("unit").get<std::int64_t>());
}

const SchemeWords& words_for_scheme(std::string_view scheme) {
  for (const SchemeWords& words : facts_in_words_file::all_words) {
    if (words.scheme == scheme) return words;
  }
  return facts_in_words_file::all_words[0];
}

std::vector<SchemeWords> unusual_schemes(const Json& facts) {
  std::vector<SchemeWords> found;
  for (const Json& scheme : facts.at("sampling").at("schemes")) {
    const SchemeWords& words = words_for_scheme(scheme.get<std::string>());
    if (!words.usual_loader) found.push_back(words);
  }
  return found;
}

std::vector<ContributionWords> contributions_in_words(const Json& facts) {
  std::vector<ContributionWords> all;
  if (!facts.contains("contributions")) return all;
  for (const Json& rule : facts.at("contributions")) {
    all.push_back(facts_in_words_file::in_words({.mechanism = rule.at("mechanism").get<std::string>(),
                                                 .most = rule.at("participations").get<std::int64_t>(),
                                                 .apart = rule.at("min_separation").get<std::int64_t>(),
                                                 .fixed_order = rule.at("fixed_order").get<bool>()}));
  }
  return all;
}

}  // namespace renyi::api
