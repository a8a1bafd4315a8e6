#include "api/statement/facts.h"

#include <fmt/format.h>

#include "api/ops.h"
#include "api/statement/inventory.h"
#include "json/write.h"
#include "renyi/error.h"
#include "renyi/plan_json.h"
#include "renyi/version.h"

namespace renyi::api {
namespace {

using json::Json;

// What is shown of the promises: a rare bad outcome, the orders of the curve, factors that would be noticed.
const Json usual_promises = Json::parse(R"({"baseline":[0.01],"orders":[2,4,8,16,32,64],"factors":[10,100]})");
const Json usual_errors = Json::parse(R"({"type_1_errors":[0.001,0.01,0.1]})");

Json unavailable(const std::string& why) { return Json::object({{"unavailable", why}}); }

// The answer of another operation, or why there is none.
Json part_by(const Op& op, const Json& members, const Plan& plan) {
  try {
    return op.run(Request(members, &plan));
  } catch (const Unsupported& error) {
    return unavailable(error.why());
  } catch (const NotConverged& error) {
    return unavailable(error.what());
  }
}

Json relative(const Plan& plan, const char* notion) {
  const Json found = part_by(relate_op, Json::object({{"to", notion}}), plan);
  return found.contains(notion) ? found.at(notion) : found;
}

Json relatives_of(const Plan& plan) {
  Json all = Json::object();
  for (const char* notion : {"pure", "zcdp", "gdp"}) all[notion] = relative(plan, notion);
  return all;
}

Json errors_asked(const Json& exact_options) {
  Json members = usual_errors;
  for (const char* key : {"tolerance", "memory"}) {
    if (exact_options.contains(key)) members[key] = exact_options.at(key);
  }
  return members;
}

// Mechanisms of one's own have no form in plan files.
Json document_of(const Plan& plan) {
  try {
    return json::parse(write_plan(plan));
  } catch (const Unsupported& error) {
    return unavailable(error.why());
  }
}

Json mechanisms_in(const Inventory& found) {
  Json all = Json::array();
  for (const Mechanism& mechanism : found.mechanisms) {
    all.push_back(
        Json::object({{"kind", std::string(mechanism.kind())}, {"summary", std::string(mechanism.summary())}}));
  }
  return all;
}

Json references_in(const Inventory& found) {
  Json all = Json::array();
  for (const Reference& reference : found.references) {
    all.push_back(Json::object({{"key", std::string(reference.key)},
                                {"text", std::string(reference.text)},
                                {"bibtex", std::string(reference.bibtex)}}));
  }
  return all;
}

Json sampling_in(const Inventory& found) {
  Json schemes = Json::array();
  for (const Scheme scheme : found.schemes) schemes.push_back(std::string(to_string(scheme)));
  return Json::object({{"schemes", schemes}, {"on_all_records", found.on_all_records}});
}

Json contributions_in(const Inventory& found) {
  Json all = Json::array();
  for (const Contributions& rule : found.contributions) {
    all.push_back(Json::object({{"mechanism", rule.mechanism},
                                {"participations", static_cast<std::int64_t>(rule.participations)},
                                {"min_separation", static_cast<std::int64_t>(rule.min_separation)},
                                {"fixed_order", rule.fixed_order}}));
  }
  return all;
}

Json forms_in(const Inventory& found) {
  Json forms = Json::array();
  if (found.parallel) forms.push_back("parallel");
  if (found.selection) forms.push_back("select");
  return forms;
}

void describe_plan(Json& facts, const Plan& plan, const Inventory& found) {
  facts["plan"] = document_of(plan);
  facts["neighbors"] = std::string(to_string(plan.neighbors()));
  facts["unit"] = plan.unit();
  facts["mechanisms"] = mechanisms_in(found);
  facts["forms"] = forms_in(found);
  facts["sampling"] = sampling_in(found);
  if (!found.contributions.empty()) facts["contributions"] = contributions_in(found);
}

// Samplings in parallel parts know the size of their part.
void check_size(std::int64_t records, const Inventory& found) {
  if (found.parallel || !found.dataset_size || static_cast<double>(records) == *found.dataset_size) return;
  throw InvalidArgument("dataset_size", std::to_string(records),
                        fmt::format("{}, as the sampling of the plan says", *found.dataset_size));
}

// As whoever asks says, or as the samplings know.
std::optional<std::int64_t> records_in(const StatementAsked& asked, const Inventory& found) {
  if (asked.dataset_size || !found.dataset_size) return asked.dataset_size;
  return static_cast<std::int64_t>(*found.dataset_size);
}

}  // namespace

Json facts_of(const Plan& plan, const StatementAsked& asked) {
  const Inventory found = inventory_of(plan);
  if (asked.dataset_size) check_size(*asked.dataset_size, found);
  Json facts = Json::object();
  facts["renyi"] = std::string(version);
  if (!asked.title.empty()) facts["title"] = asked.title;
  facts["delta"] = asked.exact_options.at("delta");
  if (const auto records = records_in(asked, found)) facts["dataset_size"] = *records;
  describe_plan(facts, plan, found);
  facts["remarks"] = asked.remarks;
  facts["epsilon"] = epsilon_op.run(Request(asked.exact_options, &plan));
  facts["relatives"] = relatives_of(plan);
  facts["promises"] = part_by(explain_op, usual_promises, plan);
  facts["tradeoff"] = part_by(tradeoff_op, errors_asked(asked.exact_options), plan);
  facts["references"] = references_in(found);
  return facts;
}

}  // namespace renyi::api
