#include "apps/cli/describe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "apps/cli/number.h"

namespace renyi::cli {
namespace {

using api::Json;

constexpr std::size_t shown_steps = 6;

struct Named {
  std::string_view name;
  std::string_view text;
};

constexpr std::array<Named, 4> sources{{
    {"tight", "Canonne, Kamath, Steinke 2020, Proposition 12"},
    {"classical", "Mironov 2017, Proposition 3"},
    {"pure", "order infinity is pure differential privacy"},
    {"total-variation", "Bretagnolle and Huber's bound on delta(0)"},
}};

constexpr std::array<Named, 3> relations{{
    {"add-or-remove-one", "datasets differ by one record more or less"},
    {"replace-one", "datasets differ by one record replaced"},
    {"zero-out", "datasets differ by one record zeroed out"},
}};

constexpr std::array<Named, 3> changes{{
    {"add-or-remove-one", "adding or removing any one record"},
    {"replace-one", "replacing any one record"},
    {"zero-out", "zeroing out any one record"},
}};

template <std::size_t N>
std::string_view text_of(const std::array<Named, N>& table, std::string_view name) {
  for (const Named& row : table) {
    if (row.name == name) return row.text;
  }
  return "";
}

std::string relation_of(const Question& question) {
  return question.request.value("neighbors", std::string("add-or-remove-one"));
}

std::string shown(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_integer() ? value.dump() : rounded(value.get<double>());
}

std::string describe_mechanism(const Json& step) {
  std::vector<std::string> words{step.at("mechanism").get<std::string>()};
  for (const auto& member : step.items()) {
    if (member.key() == "mechanism" || member.key() == "count") continue;
    words.push_back(fmt::format("{}={}", member.key(), shown(member.value())));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

// One line a step; the steps of a group below it, indented.
void list_steps(const Json& steps, const std::string& indent, std::vector<std::string>& lines) {
  for (const Json& step : steps) {
    const std::string count = step.contains("count") ? shown(step.at("count")) : "1";
    const bool group = step.contains("plan");
    lines.push_back(fmt::format("{}{} x {}", indent, count, group ? "the group:" : describe_mechanism(step)));
    if (group) list_steps(step.at("plan"), indent + "> ", lines);
  }
}

bool samples(const Json& steps) {
  for (const Json& step : steps) {
    if (step.contains("sampling_rate") || (step.contains("plan") && samples(step.at("plan")))) return true;
  }
  return false;
}

void list_run(Report& report, const Json& steps) {
  std::vector<std::string> lines;
  list_steps(steps, "", lines);
  if (lines.empty()) lines.emplace_back("nothing");
  const std::size_t count = lines.size() > shown_steps ? shown_steps - 1 : lines.size();
  for (std::size_t i = 0; i < count; ++i) report.row(i == 0 ? "run" : "", lines[i]);
  if (count < lines.size()) report.row("", fmt::format("... and {} more lines of steps", lines.size() - count));
}

}  // namespace

double number_in(const Json& value) {
  return value == "inf" ? std::numeric_limits<double>::infinity() : value.get<double>();
}

void describe_run(Report& report, const Question& question) {
  const Json& steps = question.request.at("steps");
  const std::string relation = relation_of(question);
  list_run(report, steps);
  if (!question.facts.rate_rule.empty()) report.row("rate", question.facts.rate_rule);
  if (!question.facts.steps_rule.empty()) report.row("steps", question.facts.steps_rule);
  report.row("neighbors", fmt::format("{}: {}", relation, text_of(relations, relation)));
  if (samples(steps)) {
    report.row("sampling",
               "Poisson: each record enters each step by itself, at that rate. "
               "Shuffled loaders differ: this is no bound for them.");
  }
}

void describe_bound(Report& report, const Json& bound) {
  const auto conversion = bound.at("conversion").get<std::string>();
  report.row("order", rounded(number_in(bound.at("order"))));
  report.row("conversion", fmt::format("{} ({})", conversion, text_of(sources, conversion)));
}

// Pr[S] <= e^epsilon Pr'[S] + delta for every event S: nothing less, and nothing more.
std::string promise(const Question& question, double epsilon, double delta) {
  const double factor = std::nextafter(std::exp(epsilon), std::numeric_limits<double>::infinity());
  if (delta >= 1) return "In words: this promises nothing, as delta = 1 never does.";
  if (!std::isfinite(factor))
    return "In words: this promises nothing. More noise, fewer steps or a larger delta would.";
  const std::string most = fmt::format("{} p{}", rounded_up(epsilon == 0 ? 1 : factor),
                                       delta == 0 ? "" : fmt::format(" + {}", rounded_up(delta)));
  return fmt::format(
      "In words: whatever may happen because of the results, if it has probability p, then {} "
      "makes it at most {}.",
      std::string(text_of(changes, relation_of(question))), most);
}

}  // namespace renyi::cli
