// What a run promises as comma-separated values: one promise a row.
#include "apps/cli/csv.h"
#include "apps/cli/explain_report.h"

namespace renyi::cli {
namespace {

using api::Json;
using Rows = std::vector<std::vector<Json>>;

void add_outcome(Rows& rows, const Json& outcome) {
  const Json& p = outcome.at("baseline");
  const Json& best = outcome.at("renyi");
  rows.push_back(
      {"outcome-renyi", p, best.at("lower"), best.at("upper"), best.at("lower_order"), best.at("upper_order")});
  for (const Json& at : outcome.at("orders")) {
    rows.push_back({"outcome-order", p, at.at("lower"), at.at("upper"), at.at("order"), at.at("order")});
  }
  if (const Json& pure = outcome.at("pure"); pure.contains("lower")) {
    rows.push_back({"outcome-pure", p, pure.at("lower"), pure.at("upper"), "inf", "inf"});
  }
  if (outcome.contains("exact") && outcome.at("exact").contains("lower")) {
    rows.push_back({"outcome-exact", p, outcome.at("exact").at("lower"), outcome.at("exact").at("upper"), "", ""});
  }
  if (outcome.contains("approximate")) {
    const Json& range = outcome.at("approximate");
    rows.push_back({"outcome-approximate", p, range.at("lower"), range.at("upper"), "", ""});
  }
}

void add_group(Rows& rows, const Json& group) {
  for (const Json& at : group.at("orders")) {
    rows.push_back({"group-rdp", group.at("size"), "", at.at("epsilon"), "", at.at("order")});
  }
  rows.push_back({"group-pure", group.at("size"), "", group.at("pure_epsilon"), "", "inf"});
  for (const char* kind : {"approximate", "scaled"}) {
    if (!group.contains(kind)) continue;
    const Json& bound = group.at(kind);
    rows.push_back({std::string("group-") + kind, group.at("size"), "", bound.at("epsilon"), "", bound.at("order")});
  }
}

}  // namespace

std::string explain_rows(const Json& answer) {
  Rows rows;
  for (const Json& at : answer.at("orders")) {
    rows.push_back({"epsilon-rdp", at.at("order"), "", at.at("epsilon"), "", at.at("order")});
  }
  rows.push_back({"epsilon-pure", "", "", answer.at("pure_epsilon"), "", "inf"});
  if (answer.contains("approximate")) {
    const Json& bound = answer.at("approximate");
    rows.push_back({"epsilon-approximate", "", "", bound.at("epsilon"), "", bound.at("order")});
  }
  for (const Json& outcome : answer.at("outcomes")) add_outcome(rows, outcome);
  for (const Json& tail : answer.at("bayes").at("tails")) {
    rows.push_back({"bayes-tail", tail.at("factor"), "", tail.at("probability"), "", tail.at("order")});
  }
  for (const Json& at : answer.at("orders")) {
    rows.push_back({"bayes-moment", at.at("order"), "", at.at("bayes_moment"), "", at.at("order")});
  }
  rows.push_back({"bayes-largest", "", "", answer.at("bayes").at("largest_factor"), "", "inf"});
  rows.push_back({"bayes-log", "", "", answer.at("bayes").at("expected_log_factor"), "", 1});
  if (answer.contains("group")) add_group(rows, answer.at("group"));
  return csv({"promise", "at", "lower", "upper", "lower_order", "upper_order"}, rows);
}

}  // namespace renyi::cli
