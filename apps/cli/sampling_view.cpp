#include "apps/cli/sampling_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "api/steps_in_words.h"
#include "apps/cli/describe.h"
#include "apps/cli/number.h"
#include "apps/cli/relation_view.h"
#include "renyi/mechanism.h"
#include "renyi/sampling.h"

namespace renyi::cli {
namespace {

using api::for_each_mechanism;
using api::Json;

struct SchemeWords {
  Scheme scheme;
  std::string_view text;
};
constexpr std::array<SchemeWords, all_schemes.size()> all_words{{
    {Scheme::poisson, "Poisson: each record enters each step by itself, at that rate."},
    {Scheme::fixed_size, "fixed size: so many different records, drawn afresh for each step."},
    {Scheme::with_replacement, "with replacement: every draw is from all records, afresh for each step."},
    {Scheme::truncated_poisson,
     "truncated Poisson: each record enters each step by itself, at that rate; of more than the limit, so many stay, "
     "at random."},
    {Scheme::shuffled,
     "shuffled epochs, as usual data loaders do: every record once an epoch, so one run of the mechanism an epoch. No "
     "amplification is claimed."},
}};

// The name of the scheme; nothing for a step on all records.
std::string scheme_in(const Json& step) {
  if (step.contains("sampling")) return step.at("sampling").at("scheme").get<std::string>();
  return std::string(step.contains("sampling_rate") ? to_string(Scheme::poisson) : "");
}

bool has_scheme(const Json& steps, std::string_view name) {
  bool found = false;
  for_each_mechanism(steps, [&](const Json& step) { found = found || scheme_in(step) == name; });
  return found;
}

// Is its noise stated beside what one record contributes?
bool is_noise(const Json& step) {
  const auto kind = step.at("mechanism").get<std::string>();
  return kind == SampledGaussian::kind || find_mechanism(kind)->is_noise();
}

// Does a record come in the place of another?
bool exchanges(const Json& step, std::string_view relation) {
  const std::string scheme = scheme_in(step);
  if (scheme.empty() || !is_noise(step)) return false;
  return relation == to_string(Neighbors::replace_one) || scheme == to_string(Scheme::fixed_size) ||
         scheme == to_string(Scheme::with_replacement);
}

std::string_view loaders(const Question& question) {
  return question.facts.of_epochs ? "Shuffled loaders differ: this is no bound for them; --sampling shuffled "
                                    "--neighbors zero-out gives one."
                                  : "Shuffled loaders differ: this is no bound for them.";
}

}  // namespace

void describe_sampling(Report& report, const Question& question) {
  const Json& steps = question.request.at("steps");
  std::string_view label = "sampling";
  for (const auto& [scheme, text] : all_words) {
    if (!has_scheme(steps, to_string(scheme))) continue;
    const bool usual = scheme == Scheme::shuffled;
    report.row(label, usual ? std::string(text) : fmt::format("{} {}", text, loaders(question)));
    label = "";
  }
  bool exchanged = false;
  for_each_mechanism(steps, [&](const Json& step) { exchanged = exchanged || exchanges(step, relation_of(question)); });
  if (!exchanged) return;
  report.row("sensitivity",
             "of sampled noise: what one record contributes at most (1 unless stated); another in its place moves the "
             "query by up to twice that.");
}

void describe_overflow(Report& report, const Json& answer) {
  if (!answer.contains("sampling")) return;
  double most = 0;
  for (const Json& step : answer.at("sampling")) most = std::max(most, number_in(step.at("overflow_probability")));
  report.row("overflow",
             fmt::format("a batch overflows with probability at most {}: its cost is in the figure", rounded_up(most)));
}

void describe_under_poisson(Report& report, const Json& answer, const std::string& figure) {
  if (!answer.contains("under_poisson")) return;
  const Json& part = answer.at("under_poisson");
  const std::string key = figure + "_estimate";
  report.row("if Poisson", part.contains(key)
                               ? fmt::format("{} (what it would be under Poisson sampling: no bound for this run)",
                                             rounded(number_in(part.at(key))))
                               : "unavailable: " + part.at("unavailable").get<std::string>());
}

}  // namespace renyi::cli
