// {"op":"mechanisms","kind"?:"gdp"} -> {"mechanisms":[...],"forms"?:[...],"schemes"?:[...],"runs"?:[...]}
//   What can be run, in words: mechanisms, other forms of a step, ways to draw a sample, laws of runs.
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "api/json/ops.h"
#include "json/parse.h"
#include "json/write.h"
#include "renyi/certify.h"
#include "renyi/mechanism.h"
#include "renyi/plan.h"
#include "renyi/plan_json.h"
#include "renyi/select.h"

namespace renyi::api {

namespace mechanisms_file {
namespace {

using json::Field;
using json::Json;

struct Form {
  std::string_view key;  // the one that a step of this form has
  std::string_view summary;
  std::string_view example;
  Notes notes{};
};

const std::array<Form, 3>& all_forms() {
  static const std::array<Form, 3> forms{
      Form{"plan", "a group of steps, one after the other, as often as its count says",
           R"({"plan":[{"mechanism":"laplace","scale":20},{"mechanism":"gaussian","noise_multiplier":8}],"count":10})"},
      Form{"parallel", Parallel::summary,
           R"({"parallel":[[{"mechanism":"laplace","scale":20}],[{"mechanism":"gaussian","noise_multiplier":8}]]})"},
      Form{"select", "the best result of a random number of runs of the steps, as runs says; only it is published",
           R"({"select":[{"mechanism":"gaussian","noise_multiplier":8}],"runs":{"law":"geometric","mean":20}})",
           Select::notes()},
  };
  return forms;
}

std::string_view words_for(RunsLaw law) {
  switch (law) {
    case RunsLaw::geometric: return "one run or more; after each, the same chance of another";
    case RunsLaw::logarithmic: return "one run or more, k of them in proportion to (1 - gamma)^k / k";
    case RunsLaw::negative_binomial: return "one run or more, by the truncated negative binomial law";
    case RunsLaw::poisson: return "no run or more, by the Poisson law; without a run nothing is published";
  }
  return "";
}

std::string_view words_for(Scheme scheme) {
  switch (scheme) {
    case Scheme::poisson: return "each record by itself, with the same probability";
    case Scheme::fixed_size: return "so many different records, all choices equally likely";
    case Scheme::with_replacement: return "so many independent draws; a record may be drawn several times";
    case Scheme::truncated_poisson: return "as poisson; of more records than the limit, so many stay, at random";
    case Scheme::shuffled: return "all records in random order, cut into batches; a step is an epoch";
  }
  return "";
}

std::string_view word_for(Effect effect) {
  switch (effect) {
    case Effect::raises_cost: return "raises-cost";
    case Effect::lowers_cost: return "lowers-cost";
    case Effect::not_monotone: return "neither";
  }
  return "";
}

// How much of the loss the figures rest on.
std::string_view word_for(const Curve& curve) {
  switch (curve.knowledge()) {
    case Knowledge::loss: return "loss";
    case Knowledge::profile: return "profile";
    case Knowledge::orders: return curve.dominating() != nullptr ? "orders and profile" : "orders";
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
  if (mechanism.never_sampled().empty()) return "any scheme";
  Json none = Json::object();
  none["unavailable"] = std::string(mechanism.never_sampled());
  return none;
}

Json example_of(const Mechanism& mechanism) { return json::parse(write_plan(Plan().add(mechanism))).at("steps").at(0); }

// Everything a reader of the catalogue wants to know of one mechanism.
Json write_entry(const Mechanism& mechanism) {
  const Notes notes = mechanism.notes();
  Json entry = Json::object();
  entry["kind"] = std::string(mechanism.kind());
  entry["summary"] = std::string(mechanism.summary());
  entry["parameters"] = write_parameters(mechanism.parameters());
  entry["aliases"] = write_aliases(mechanism);
  entry["tables"] = write_tables(mechanism);
  entry["relation"] = std::string(notes.relation);
  entry["known_by"] = std::string(word_for(*mechanism.curve()));
  entry["exact"] = std::string(notes.exact);
  entry["bound"] = std::string(notes.bound);
  entry["sampling"] = write_sampled(mechanism);
  entry["groups"] = mechanism.for_group(2) ? "own rule" : "general bound";
  entry["certified"] = has_certified_method(mechanism);
  entry["example"] = example_of(mechanism);
  entry["references"] = write_references(notes);
  return entry;
}

// Steps that name no mechanism, each with an example.
Json write_forms() {
  Json all = Json::array();
  for (const Form& form : all_forms()) {
    Json& one = all.emplace_back(Json::object());
    one["key"] = std::string(form.key);
    one["summary"] = std::string(form.summary);
    one["relation"] = std::string(form.notes.relation);
    one["exact"] = std::string(form.notes.exact);
    one["bound"] = std::string(form.notes.bound);
    one["example"] = json::parse(form.example);
    one["references"] = write_references(form.notes);
  }
  return all;
}

// The laws of the number of runs of a selection, with their numbers.
Json write_runs() {
  Json all = Json::array();
  for (const RunsLaw law : all_runs_laws) {
    Json& one = all.emplace_back(Json::object());
    one["law"] = std::string(to_string(law));
    one["summary"] = std::string(words_for(law));
    one["parameters"] = write_parameters(parameters(law));
  }
  return all;
}

// The schemes with their numbers.
Json write_schemes() {
  Json all = Json::array();
  for (const Scheme scheme : all_schemes) {
    Json& one = all.emplace_back(Json::object());
    one["scheme"] = std::string(to_string(scheme));
    one["summary"] = std::string(words_for(scheme));
    one["parameters"] = write_parameters(parameters(scheme));
  }
  return all;
}

constexpr std::array<std::string_view, 1> keys{"kind"};

const Mechanism& named_by(const Field& kind) {
  if (const Mechanism* found = find_mechanism(kind.text())) return *found;
  std::vector<std::string_view> kinds;
  for (const Mechanism& mechanism : all_mechanisms()) kinds.push_back(mechanism.kind());
  kind.refuse(Field::one_of(kinds));
}

Json run(const Request& request) {
  Json answer = Json::object();
  Json& entries = answer["mechanisms"] = Json::array();
  if (const auto kind = request.find("kind")) {
    entries.push_back(write_entry(named_by(*kind)));
    return answer;
  }
  for (const Mechanism& mechanism : all_mechanisms()) entries.push_back(write_entry(mechanism));
  answer["forms"] = write_forms();
  answer["schemes"] = write_schemes();
  answer["runs"] = write_runs();
  return answer;
}

}  // namespace
}  // namespace mechanisms_file

constinit const Op mechanisms_op{"mechanisms", mechanisms_file::keys, mechanisms_file::run, false};

}  // namespace renyi::api
