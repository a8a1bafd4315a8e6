// {"op":"explain","steps":[...],"baseline":[0.5],"orders":[2],"delta":1e-5,"factors":[2],"group_size":4}
//   -> what the plan guarantees; {"op":"explain","reference_table":true} -> the published example
#include "api/explain.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "api/json/answers.h"
#include "api/json/ops.h"
#include "api/json/options.h"
#include "api/json/shared_writers.h"
#include "json/write.h"
#include "renyi/extras/group_privacy.h"
#include "renyi/papers/bad_outcomes.h"

namespace renyi::api {

namespace explain_file {
namespace {

using json::Field;
using json::Json;

Json write_range(const Interval& range) { return write_interval(range.lower, range.upper); }

void write_end(Json& json, const std::string& name, const OutcomeEnd& end) {
  json[name] = json::number(end.probability);
  json[name + "_order"] = json::number(end.order);
  json[name + "_form"] = end.by_complement ? "complement" : "direct";
}

Json write_best(const OutcomeRange& range) {
  Json json = Json::object();
  write_end(json, "lower", range.lower);
  write_end(json, "upper", range.upper);
  return json;
}

Json unavailable(const std::string& reason) {
  Json json = Json::object();
  json["unavailable"] = reason;
  return json;
}

Json write_outcome(const OutcomePromise& outcome, const Explanation& all) {
  Json json = Json::object();
  json["baseline"] = json::number(outcome.baseline);
  json["renyi"] = write_best(outcome.best);
  json["orders"] = Json::array();
  for (std::size_t i = 0; i < outcome.at_orders.size(); ++i) {
    Json row = write_range(outcome.at_orders[i]);
    row["order"] = json::number(all.orders[i].order);
    json["orders"].push_back(std::move(row));
  }
  const char* why_not = all.is_unbounded ? "the loss is unbounded" : "the loss is not known to be bounded";
  json["pure"] = outcome.pure ? write_range(*outcome.pure) : unavailable(why_not);
  if (outcome.approximate) json["approximate"] = write_range(*outcome.approximate);
  if (outcome.exact) json["exact"] = write_range(*outcome.exact);
  if (!all.exact_obstacle.empty()) json["exact"] = unavailable(all.exact_obstacle);
  return json;
}

Json write_orders(const Explanation& all) {
  Json rows = Json::array();
  for (const OrderPromise& at : all.orders) {
    Json row = Json::object();
    row["order"] = json::number(at.order);
    row["epsilon"] = json::number(at.epsilon);
    row["bayes_moment"] = json::number(at.bayes_moment);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json write_tail(const TailProbability& probability) {
  Json json = write_interval(probability.lower, probability.upper);
  json["method"] = std::string(to_string(probability.method));
  return json;
}

// Writes the Renyi bound and the exact interval.
Json write_epsilon(const Cost& cost) {
  Json json = write_bound(*cost.renyi, cost.quantity);
  if (cost.exact || cost.obstacle) json["exact"] = write_exact(cost);
  return json;
}

Json write_bayes(const Explanation& all) {
  Json json = Json::object();
  json["expected_log_factor"] = json::number(all.expected_log_bayes_factor);
  json["largest_factor"] = json::number(all.largest_bayes_factor);
  json["tails"] = Json::array();
  for (const BayesTail& tail : all.bayes_tails) {
    Json row = Json::object();
    row["factor"] = json::number(tail.factor);
    row["probability"] = json::number(tail.bound.upper);
    row["order"] = json::number(tail.bound.order);
    if (tail.exact) row["exact"] = write_tail(*tail.exact);
    if (!tail.exact_obstacle.empty()) row["exact"] = unavailable(tail.exact_obstacle);
    json["tails"].push_back(std::move(row));
  }
  return json;
}

Json write_group(const GroupPromise& group) {
  Json json = Json::object();
  json["size"] = group.size;
  json["stability"] = std::int64_t{1} << group.doublings;
  json["orders"] = Json::array();
  for (const GroupOrder& at : group.orders) {
    Json row = Json::object();
    row["order"] = json::number(at.order);
    row["from_order"] = json::number(at.from_order);
    row["epsilon"] = json::number(at.epsilon);
    json["orders"].push_back(std::move(row));
  }
  json["pure_epsilon"] = json::number(group.pure_epsilon);
  if (group.approximate) json["approximate"] = write_bound(*group.approximate, Quantity::epsilon);
  if (group.scaled) json["scaled"] = write_epsilon(*group.scaled);
  return json;
}

Json write_properties() {
  Json rows = Json::array();
  for (const Property& property : standing_properties()) {
    Json row = Json::object();
    row["name"] = std::string(property.name);
    row["statement"] = std::string(property.statement);
    row["source"] = std::string(property.source);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json write_reference_table(const std::vector<ReferenceRow>& rows) {
  Json answer = Json::object();
  answer["epsilon"] = reference_epsilon;
  answer["reference_table"] = Json::array();
  for (const ReferenceRow& row : rows) {
    Json cell = Json::object();
    cell["baseline"] = json::number(row.baseline);
    cell["order"] = json::number(row.order);
    cell.update(write_range(row.range));
    answer["reference_table"].push_back(std::move(cell));
  }
  return answer;
}

constexpr std::array<std::string_view, 6> keys{"baseline", "orders",     "delta",
                                               "factors",  "group_size", "reference_table"};

ExplainOptions read_options(const Field& request) {
  ExplainOptions options;
  if (const auto field = request.find("baseline")) {
    options.baselines = read_numbers(*field, "probabilities in (0, 1)", [](double p) { return p > 0 && p < 1; });
  }
  if (const auto field = request.find("orders")) options.orders = read_orders(*field);
  if (const auto field = request.find("factors")) {
    options.factors = read_numbers(*field, "numbers of at least 1", [](double b) { return b >= 1; });
  }
  if (request.find("delta")) options.delta = read_delta(request);
  if (const auto field = request.find("group_size")) {
    options.group_size = field->integer(2, std::int64_t{1} << most_doublings);
  }
  return options;
}

ExplainRequest read(const Request& request) {
  if (const auto table = request.find("reference_table")) {
    if (table->value() != true) table->refuse("only true");
    request.allow_only(std::array<std::string_view, 5>{"op", "id", "reference_table", "time_limit", "memory"});
    return {.reference_table = true};
  }
  ExplainRequest asked{.plan = request.plan()};
  asked.options = read_options(request);
  return asked;
}

Json write_answer(const ExplainAnswer& found) {
  return found.reference_table.empty() ? write_promises(found.promises) : write_reference_table(found.reference_table);
}

}  // namespace
}  // namespace explain_file

// Writes how the steps share the Renyi divergence of the plan (docs/format/requests.md, "explain").
json::Json write_shares(const StepShares& shares) {
  using namespace explain_file;
  Json json = Json::object();
  json["order"] = json::number(shares.order);
  json["direction"] = std::string(to_string(shares.direction));
  json["divergence"] = json::number(shares.divergence.upper());
  json["of_finite_parts"] = shares.of_finite_parts;
  json["steps"] = Json::array();
  for (const StepShare& step : shares.steps) {
    Json row = Json::object();
    row["path"] = step.path;
    if (!step.name.empty()) row["name"] = step.name;
    if (!step.comment.empty()) row["comment"] = step.comment;
    row["mechanism"] = step.mechanism;
    row["count"] = step.count;
    row["divergence"] = json::number(step.divergence.upper());
    if (step.share) row["share"] = json::number(*step.share);
    json["steps"].push_back(std::move(row));
  }
  if (!shares.unavailable.empty()) json["unavailable"] = shares.unavailable;
  return json;
}

// Writes what a plan guarantees (docs/format/requests.md, "explain").
json::Json write_promises(const Explanation& all) {
  using namespace explain_file;
  Json answer = Json::object();
  answer["orders"] = write_orders(all);
  answer["pure_epsilon"] = json::number(all.pure_epsilon);
  if (all.approximate) answer["approximate"] = write_epsilon(*all.approximate);
  answer["outcomes"] = Json::array();
  for (const OutcomePromise& outcome : all.outcomes) answer["outcomes"].push_back(write_outcome(outcome, all));
  answer["bayes"] = write_bayes(all);
  if (all.group) answer["group"] = write_group(*all.group);
  if (all.shares) answer["shares"] = write_shares(*all.shares);
  if (const auto note = all.note(); !note.empty()) answer["note"] = std::string(note);
  answer["always"] = write_properties();
  return answer;
}

constinit const Op explain_op{"explain", explain_file::keys, run<explain_file::read, explain_file::write_answer>};

ExplainRequest read_explain(const Document& request) { return explain_file::read(checked(explain_op, request)); }

std::string write(const Document& request, const ExplainAnswer& answer) {
  return written(explain_op, request, explain_file::write_answer(answer));
}

}  // namespace renyi::api
