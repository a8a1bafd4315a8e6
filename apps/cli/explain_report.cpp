#include "apps/cli/explain_report.h"

#include <fmt/format.h>

#include <array>

#include "apps/cli/columns.h"
#include "apps/cli/describe.h"
#include "apps/cli/explain_sections.h"
#include "apps/cli/relation_view.h"
#include "apps/cli/warnings.h"

namespace renyi::cli {
namespace {

using api::Json;
using Rows = std::vector<std::vector<std::string>>;

// What the two neighbouring worlds are to the person the record is about.
struct Worlds {
  std::string_view relation, one, other;
};
constexpr std::array<Worlds, 3> all_worlds{{
    {"add-or-remove-one", "without your record", "with it"},
    {"replace-one", "with another record in place of yours", "with yours"},
    {"zero-out", "with your record zeroed out", "with it"},
}};
// Of a person with several records.
constexpr std::array<Worlds, 3> all_worlds_of_several{{
    {"add-or-remove-one", "without your records", "with them"},
    {"replace-one", "with other records in place of yours", "with yours"},
    {"zero-out", "with your records zeroed out", "with them"},
}};

const Worlds& worlds_of(const Question& question) {
  const auto& table = unit_of(question) > 1 ? all_worlds_of_several : all_worlds;
  const std::string relation = relation_of(question);
  for (const Worlds& worlds : table) {
    if (worlds.relation == relation) return worlds;
  }
  return table[0];
}

std::string end_source(const Json& best, const std::string& end) {
  const bool by_complement = best.at(end + "_form") == "complement";
  return plain(best.at(end + "_order")) + (by_complement ? "*" : "");
}

// ---- bad outcomes

void add_range(Rows& rows, const std::string& label, const Json& range, const std::string& source) {
  rows.push_back({label, down(range.at("lower")), up(range.at("upper")), source});
}

bool has_exact(const Json& outcome) { return outcome.contains("exact") && outcome.at("exact").contains("lower"); }

void add_outcome(Rows& rows, const Json& outcome, const Json& answer) {
  const Json& best = outcome.at("renyi");
  add_range(rows, plain(outcome.at("baseline")), best,
            fmt::format("the whole curve, at orders {} and {}", end_source(best, "lower"), end_source(best, "upper")));
  if (has_exact(outcome)) {
    add_range(rows, "", outcome.at("exact"), "exact: f(1 - p) and 1 - f(p) of the best test");
  }
  for (const Json& at : outcome.at("orders"))
    add_range(rows, "", at, fmt::format("order {} alone", plain(at.at("order"))));
  if (outcome.at("pure").contains("lower")) {
    add_range(rows, "", outcome.at("pure"), fmt::format("pure DP, epsilon = {}", up(answer.at("pure_epsilon"))));
  }
  if (outcome.contains("approximate")) {
    add_range(rows, "", outcome.at("approximate"),
              fmt::format("(epsilon, delta)-DP, epsilon = {}", up(answer.at("approximate").at("epsilon"))));
  }
}

std::string in_words(const Json& outcome, const Worlds& worlds) {
  const Json& best = outcome.at(has_exact(outcome) ? "exact" : "renyi");
  return fmt::format("In words: what has probability {} {} has, {}, a probability between {} and {}.",
                     plain(outcome.at("baseline")), worlds.one, worlds.other, down(best.at("lower")),
                     up(best.at("upper")));
}

std::string outcomes(const Question& question, const Json& answer) {
  const Worlds& worlds = worlds_of(question);
  std::string text = section(
      "Bad outcomes",
      fmt::format("Think of anything that may happen because of the results. If it has probability p {}, then {} the "
                  "probability is at least and at most what follows, and the other way round.",
                  worlds.one, worlds.other));
  Rows rows{{"p", "at least", "at most", "proved by"}};
  for (const Json& outcome : answer.at("outcomes")) add_outcome(rows, outcome, answer);
  text += '\n' + columns(rows) + '\n';
  text += wrapped(in_words(answer.at("outcomes").back(), worlds), 0) + '\n';
  if (text.find('*') != std::string::npos)
    text += "An order marked * bounds the probability that it does not happen.\n";
  if (const Json& last = answer.at("outcomes").back(); last.contains("exact") && !has_exact(last)) {
    text += wrapped("Exact bounds are unavailable: " + last.at("exact").at("unavailable").get<std::string>() + ".", 0) +
            '\n';
  }
  if (answer.contains("approximate") && answer.at("approximate").contains("delta_apart")) {
    text += wrapped("That epsilon pays apart: " + apart_in_words(answer.at("approximate")) + ".", 0) + '\n';
  }
  if (is_unbounded(answer)) text += "Pure DP promises nothing here: the loss is unbounded.\n";
  return text;
}

}  // namespace

std::string explain_report(const Question& question, const Json& answer) {
  Report head(Style::of_standard_output());
  head.headline("What this run promises", " (lower ends rounded down, upper ends and epsilons up)");
  describe_run(head, question);
  std::string text = head.text() + outcomes(question, answer) + bayes_section(answer);
  if (answer.contains("group")) text += group_section(question, answer);
  text += properties_section(answer);
  Report tail(Style::of_standard_output());
  for (const std::string& warning : warnings(question)) tail.blank_line().warning(warning);
  return text + tail.text();
}

}  // namespace renyi::cli
