#include "apps/cli/describe.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "apps/cli/number.h"
#include "apps/cli/relation_view.h"
#include "apps/cli/sampling_view.h"
#include "apps/cli/steps_view.h"

namespace renyi::cli {
namespace {

using api::Json;

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

template <std::size_t N>
std::string_view text_of(const std::array<Named, N>& table, std::string_view name) {
  for (const Named& row : table) {
    if (row.name == name) return row.text;
  }
  return "";
}

}  // namespace

double number_in(const Json& value) {
  return value == "inf" ? std::numeric_limits<double>::infinity() : value.get<double>();
}

void describe_run(Report& report, const Question& question) {
  const RunFacts& facts = question.facts;
  list_run(report, question.request.at("steps"));
  if (!facts.rate_rule.empty()) report.row("rate", facts.rate_rule);
  if (!facts.batch_rule.empty()) report.row("batches", facts.batch_rule);
  if (!facts.steps_rule.empty()) report.row("steps", facts.steps_rule);
  describe_relation(report, question);
  describe_sampling(report, question);
}

void describe_bound(Report& report, const Json& bound) {
  const auto conversion = bound.at("conversion").get<std::string>();
  report.row("order", rounded(number_in(bound.at("order"))));
  report.row("conversion", fmt::format("{} ({})", conversion, text_of(sources, conversion)));
  if (bound.contains("delta_apart")) report.row("paid apart", apart_in_words(bound));
}

std::string apart_in_words(const Json& bound) {
  return fmt::format("{} of delta, for losses that are infinite: no order bounds them",
                     rounded_up(number_in(bound.at("delta_apart"))));
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
      change_in_words(question), most);
}

}  // namespace renyi::cli
