// {"op":"relate","steps":[...],"to":"zcdp"} -> {"zcdp":{"rho","rho_lower","xi",...,"source"}}
#include "renyi/relate.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "api/json/ops.h"
#include "json/write.h"

namespace renyi::api {

namespace relate_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 4> keys{"to", "rho", "omega", "lambda"};
constexpr std::array<double, 6> usual_omegas{2, 4, 8, 16, 32, 64};
constexpr std::array<double, 6> usual_lambdas{1, 2, 4, 8, 16, 32};
constexpr std::size_t most_numbers = 100;  // each takes a search

std::vector<Notion> read_notions(const Field& request) {
  const auto to = request.find("to");
  if (to) return {to->choose(all_notions())};
  return {all_notions().begin(), all_notions().end()};
}

// A member that only one notion takes.
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

// One number, or several, above `lowest`.
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

void write(Json& to, const std::string& key, const Smallest& value) {
  to[key] = json::number(value.upper);
  to[key + "_lower"] = json::number(value.lower);
}

void write(Json& to, const PureParameters& found) { write(to, "epsilon", found.epsilon); }

void write(Json& to, const ZcdpParameters& found) {
  write(to, "rho", found.rho);
  write(to, "xi", found.xi);
}

void write(Json& to, const TcdpParameters& found) { write(to, "rho", found.rho); }

void write(Json& to, const CdpParameters& found) {
  write(to, "mu", found.mu);
  write(to, "tau", found.tau);
}

void write(Json& to, const GdpParameters& found) {
  write(to, "mu", found.mu);
  if (found.mu_estimate) to["mu_estimate"] = json::number(*found.mu_estimate);
}

void write(Json& to, const MomentsParameters& found) {
  to["alpha"] = json::number(found.alpha);
  to["rdp"] = json::number(found.epsilon);
}

template <class Parameters>
Json written(const Relation<Parameters>& relation, Json given = Json::object()) {
  if (relation.found) {
    write(given, *relation.found);
  } else {
    given["none"] = relation.none;
  }
  if (!relation.note.empty()) given["note"] = relation.note;
  given["source"] = std::string(relation.source);
  return given;
}

template <class Relate>
Json rows(const std::string& key, const std::vector<double>& values, const Relate& relate) {
  Json all = Json::array();
  for (const double value : values) {
    Json given = Json::object();
    given[key] = json::number(value);
    all.push_back(written(relate(value), std::move(given)));
  }
  return all;
}

Json run(const Request& request) {
  const Plan plan = request.plan();
  const auto notions = read_notions(request);
  const auto rho_field = find_for(request, "rho", Notion::zcdp);
  const auto rho = rho_field ? std::optional(read_rho(*rho_field)) : std::nullopt;
  const auto omegas = read_omegas(request), lambdas = read_lambdas(request);
  const auto answer_to = [&](Notion notion) {
    switch (notion) {
      case Notion::pure: return written(to_pure(plan));
      case Notion::zcdp: return written(to_zcdp(plan, rho));
      case Notion::tcdp: return rows("omega", omegas, [&](double omega) { return to_tcdp(plan, omega); });
      case Notion::cdp: return written(to_cdp(plan));
      case Notion::gdp: return written(to_gdp(plan));
      case Notion::moments: return rows("lambda", lambdas, [&](double lambda) { return to_moments(plan, lambda); });
    }
    return Json();
  };
  Json answer = Json::object();
  for (const Notion notion : notions) answer[std::string(to_string(notion))] = answer_to(notion);
  return answer;
}

}  // namespace
}  // namespace relate_file

constinit const Op relate_op{"relate", relate_file::keys, relate_file::run};

}  // namespace renyi::api
