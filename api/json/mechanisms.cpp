// {"op":"mechanisms","kind"?:"gdp"} -> {"mechanisms":[...],"forms"?:[...],"schemes"?:[...],"runs"?:[...]}
//   Describes what can be run: mechanisms, other forms of a step, sampling schemes, distributions of runs.
#include "api/mechanisms.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "api/json/content.h"
#include "api/json/ops.h"
#include "json/parse.h"
#include "json/write.h"
#include "renyi/plan.h"

namespace renyi::api {

namespace mechanisms_file {
namespace {

using json::Field;
using json::Json;

std::string_view word_for(Effect effect) {
  switch (effect) {
    case Effect::raises_cost: return "raises-cost";
    case Effect::lowers_cost: return "lowers-cost";
    case Effect::not_monotone: return "neither";
  }
  return "";
}

// Names the knowledge of the loss on which the mechanism's values rest.
std::string_view word_for(const MechanismEntry& entry) {
  switch (entry.known_by) {
    case Knowledge::loss: return "loss";
    case Knowledge::profile: return "profile";
    case Knowledge::orders: return entry.dominated ? "orders and profile" : "orders";
  }
  return "";
}

Json write_parameter(const Parameter& parameter) {
  Json result = Json::object();
  result["name"] = std::string(parameter.name);
  result["meaning"] = std::string(parameter.meaning);
  result["allowed"] = parameter.allowed();
  if (parameter.fallback && parameter.is_left_out(*parameter.fallback)) {
    result["may_be_left_out"] = true;
  } else if (parameter.fallback) {
    result["default"] = json::number(*parameter.fallback);
  }
  result["effect"] = std::string(word_for(parameter.effect));
  return result;
}

Json write_parameters(std::span<const Parameter> parameters) {
  Json all = Json::array();
  for (const Parameter& parameter : parameters) all.push_back(write_parameter(parameter));
  return all;
}

Json write_aliases(const Mechanism& mechanism) {
  Json all = Json::array();
  for (const Alias& alias : mechanism.aliases()) {
    Json& one = all.emplace_back(Json::object());
    one["name"] = std::string(alias.name);
    one["parameter"] = std::string(alias.parameter);
    one["excludes"] = std::string(alias.excluded);
  }
  return all;
}

Json write_tables(const Mechanism& mechanism) {
  Json all = Json::array();
  for (const TableParameter& table : mechanism.tables()) {
    Json& one = all.emplace_back(Json::object());
    one["name"] = std::string(table.name);
    one["meaning"] = std::string(table.meaning);
    one["columns"] = write_parameters(table.columns);
    one["any_width"] = table.any_width;
    one["may_be_empty"] = table.may_be_empty;
  }
  return all;
}

Json write_references(const Notes& notes) {
  Json all = Json::array();
  for (const Reference& reference : notes.references) {
    Json& one = all.emplace_back(Json::object());
    one["key"] = std::string(reference.key);
    one["text"] = std::string(reference.text);
    one["bibtex"] = std::string(reference.bibtex);
  }
  return all;
}

Json write_sampled(const Mechanism& mechanism) {
  if (mechanism.sampling_obstacle().empty()) return "any scheme";
  Json none = Json::object();
  none["unavailable"] = std::string(mechanism.sampling_obstacle());
  return none;
}

Json write_entry(const MechanismEntry& of) {
  const Mechanism& mechanism = of.mechanism;
  Json entry = Json::object();
  entry["kind"] = std::string(mechanism.kind());
  entry["summary"] = std::string(mechanism.summary());
  entry["parameters"] = write_parameters(mechanism.parameters());
  entry["aliases"] = write_aliases(mechanism);
  entry["tables"] = write_tables(mechanism);
  entry["relation"] = std::string(of.notes.relation);
  entry["known_by"] = std::string(word_for(of));
  entry["exact"] = std::string(of.notes.exact);
  entry["bound"] = std::string(of.notes.bound);
  entry["sampling"] = write_sampled(mechanism);
  entry["groups"] = of.own_group_rule ? "own rule" : "general bound";
  entry["certified"] = of.certified;
  entry["example"] = opened(of.example);
  entry["references"] = write_references(of.notes);
  return entry;
}

Json write_form(const FormEntry& form) {
  Json one = Json::object();
  one["key"] = std::string(form.key);
  one["summary"] = std::string(form.summary);
  one["relation"] = std::string(form.notes.relation);
  one["exact"] = std::string(form.notes.exact);
  one["bound"] = std::string(form.notes.bound);
  one["example"] = opened(form.example);
  one["references"] = write_references(form.notes);
  return one;
}

Json write_named(const char* key, const std::vector<NamedParameters>& entries) {
  Json all = Json::array();
  for (const NamedParameters& entry : entries) {
    Json& one = all.emplace_back(Json::object());
    one[key] = std::string(entry.name);
    one["summary"] = std::string(entry.summary);
    one["parameters"] = write_parameters(entry.parameters);
  }
  return all;
}

constexpr std::array<std::string_view, 1> keys{"kind"};

const Mechanism& named_by(const Field& kind) {
  if (const Mechanism* found = find_mechanism(kind.text())) return *found;
  std::vector<std::string_view> kinds;
  for (const Mechanism& mechanism : all_mechanisms()) kinds.push_back(mechanism.kind());
  kind.refuse_name(kinds);
}

MechanismsRequest read(const Request& request) {
  const auto kind = request.find("kind");
  return {kind ? &named_by(*kind) : nullptr};
}

Json write(const MechanismsAnswer& found) {
  Json answer = Json::object();
  Json& entries = answer["mechanisms"] = Json::array();
  for (const MechanismEntry& entry : found.mechanisms) entries.push_back(write_entry(entry));
  if (found.forms.empty()) return answer;
  Json& forms = answer["forms"] = Json::array();
  for (const FormEntry& form : found.forms) forms.push_back(write_form(form));
  answer["schemes"] = write_named("scheme", found.schemes);
  answer["runs"] = write_named("law", found.runs);
  return answer;
}

}  // namespace
}  // namespace mechanisms_file

constinit const Op mechanisms_op{"mechanisms", mechanisms_file::keys,
                                 run<mechanisms_file::read, mechanisms_file::write>, false};

MechanismsRequest read_mechanisms(const Document& request) {
  return mechanisms_file::read(checked(mechanisms_op, request));
}

std::string write(const Document& request, const MechanismsAnswer& answer) {
  return written(mechanisms_op, request, mechanisms_file::write(answer));
}

Document step_of(const Mechanism& mechanism) {
  const Neighbors relation =
      mechanism.replacement_only().empty() ? Neighbors::add_or_remove_one : Neighbors::replace_one;
  return document_of(json::parse(write_plan(Plan(relation).add(mechanism))).at("steps").at(0));
}

}  // namespace renyi::api
