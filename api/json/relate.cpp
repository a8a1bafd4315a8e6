// {"op":"relate","steps":[...],"to":"zcdp"} -> {"zcdp":{"rho","rho_lower","xi",...,"source"}}
#include "api/relate.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "api/json/ops.h"
#include "api/json/shared_writers.h"
#include "json/write.h"

namespace renyi::api {

json::Json write_relation(const NamedRelation& relation) {
  json::Json written = json::Json::object();
  if (!relation.given_name.empty()) written[std::string(relation.given_name)] = json::number(relation.given);
  if (!relation.none.empty()) written["none"] = relation.none;
  for (const NamedParameter& parameter : relation.parameters) {
    const std::string name(parameter.name);
    written[name] = json::number(parameter.upper);
    if (parameter.lower) written[name + "_lower"] = json::number(*parameter.lower);
  }
  if (relation.mu_estimate) written["mu_estimate"] = json::number(*relation.mu_estimate);
  if (!relation.note.empty()) written["note"] = relation.note;
  written["source"] = std::string(relation.source);
  return written;
}

namespace relate_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 4> keys{"to", "rho", "omega", "lambda"};
constexpr std::array<double, 6> usual_omegas{2, 4, 8, 16, 32, 64};
constexpr std::array<double, 6> usual_lambdas{1, 2, 4, 8, 16, 32};
constexpr std::size_t most_numbers = 100;  // each needs a search

std::vector<Notion> read_notions(const Field& request) {
  const auto to = request.find("to");
  if (to) return {to->choose(all_notions())};
  return {all_notions().begin(), all_notions().end()};
}

// Finds a member that only one notion accepts.
std::optional<Field> find_for(const Field& request, std::string_view key, Notion notion) {
  auto field = request.find(key);
  const auto to = request.find("to");
  if (field && to && to->value() != to_string(notion)) {
    field->refuse(std::string(key) + " only where \"to\" is " + std::string(to_string(notion)) + ", or left out");
  }
  return field;
}

double read_rho(const Field& field) {
  constexpr std::string_view allowed = "a number of at least 0";
  if (!field.value().is_number() || !(field.number() >= 0)) field.refuse(allowed);
  return field.number();
}

// Reads one number or several, each above `lowest`.
std::vector<double> read_one_or_more(const Field& field, double lowest, std::string_view allowed) {
  static_assert(largest_order == 1e100);
  const bool several = field.value().is_array();
  if (several && (field.value().empty() || field.value().size() > most_numbers)) {
    field.refuse("a number, or an array of 1 to 100");
  }
  std::vector<double> values;
  for (const Field& one : several ? field.items() : std::vector<Field>{field}) {
    if (!one.value().is_number() || !(one.number() > lowest && one.number() <= largest_order)) one.refuse(allowed);
    values.push_back(one.number());
  }
  return values;
}

std::vector<double> read_omegas(const Field& request) {
  const auto field = find_for(request, "omega", Notion::tcdp);
  if (!field) return {usual_omegas.begin(), usual_omegas.end()};
  return read_one_or_more(*field, 1, "a number in (1, 1e100]");
}

std::vector<double> read_lambdas(const Field& request) {
  const auto field = find_for(request, "lambda", Notion::moments);
  if (!field) return {usual_lambdas.begin(), usual_lambdas.end()};
  return read_one_or_more(*field, 0, "a number in (0, 1e100]");
}

RelateRequest read(const Request& request) {
  RelateRequest asked{.plan = request.plan()};
  asked.notions = read_notions(request);
  if (const auto field = find_for(request, "rho", Notion::zcdp)) asked.rho = read_rho(*field);
  asked.omegas = read_omegas(request);
  asked.lambdas = read_lambdas(request);
  return asked;
}

Json write_notion(const NamedNotion& notion) {
  if (!notion.several) return write_relation(notion.relations.front());
  Json rows = Json::array();
  for (const NamedRelation& relation : notion.relations) rows.push_back(write_relation(relation));
  return rows;
}

Json write(const RelateAnswer& found) {
  Json answer = Json::object();
  for (const NamedNotion& notion : by_name(found)) answer[std::string(to_string(notion.notion))] = write_notion(notion);
  return answer;
}

}  // namespace
}  // namespace relate_file

constinit const Op relate_op{"relate", relate_file::keys, run<relate_file::read, relate_file::write>};

RelateRequest read_relate(const Document& request) { return relate_file::read(checked(relate_op, request)); }

std::string write(const Document& request, const RelateAnswer& answer) {
  return written(relate_op, request, relate_file::write(answer));
}

}  // namespace renyi::api
