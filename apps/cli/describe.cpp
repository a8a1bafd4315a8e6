#include "apps/cli/describe.h"

#include <fmt/format.h>

#include "api/conversion_source.h"
#include "apps/cli/number.h"
#include "apps/cli/relation_view.h"
#include "apps/cli/sampling_view.h"
#include "apps/cli/steps_view.h"

namespace renyi::cli {

using api::Json;

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
  report.row("conversion", fmt::format("{} ({})", conversion, api::source_of_conversion(conversion)));
  if (bound.contains("delta_apart")) report.row("paid apart", apart_in_words(bound));
}

std::string apart_in_words(const Json& bound) {
  return fmt::format("{} of delta, for losses that are infinite: no order bounds them",
                     rounded_up(number_in(bound.at("delta_apart"))));
}

std::string promise(const Question& question, double epsilon, double delta) {
  const auto most = api::most_likely(epsilon, delta);
  if (delta >= 1) return "In words: this promises nothing, as delta = 1 never does.";
  if (!most) return "In words: this promises nothing. More noise, fewer steps or a larger delta would.";
  return fmt::format(
      "In words: whatever may happen because of the results, if it has probability p, then {} "
      "makes it at most {}.",
      change_in_words(question), *most);
}

}  // namespace renyi::cli
