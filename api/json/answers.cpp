#include "api/json/answers.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "json/show.h"
#include "json/write.h"
#include "renyi/error.h"
#include "renyi/papers/sampled_gaussian.h"

namespace renyi::api {

using json::Json;

namespace answers_file {
namespace {

Json write_with_order(std::string_view name, double value, double order, Conversion conversion) {
  Json bound = Json::object();
  bound[std::string(name)] = json::number(value);
  bound["order"] = json::number(order);
  bound["conversion"] = std::string(to_string(conversion));
  return bound;
}

// Adds the part of delta that covers infinite losses, if there is one.
Json with_infinite_mass(Json bound, double infinite_mass) {
  if (infinite_mass > 0) bound["delta_apart"] = json::number(infinite_mass);
  return bound;
}

void write_ends(Json& json, const ExactInterval& figure) {
  json["lower"] = json::number(figure.lower);
  json["upper"] = json::number(figure.upper);
  json["engine"] = std::string(to_string(figure.engine));
}

Json write_figure(const ExactInterval& figure) {
  Json json = Json::object();
  write_ends(json, figure);
  return json;
}

Json write_answer(const ExactAnswer& answer, const std::string& limit) {
  Json json = Json::object();
  write_ends(json, answer.worst);
  json["direction"] = std::string(to_string(answer.direction));
  json["remove"] = write_figure(answer.remove);
  json["add"] = write_figure(answer.add);
  if (!limit.empty()) json["note"] = limit;
  return json;
}

}  // namespace
}  // namespace answers_file

Json write_bound(const RenyiBound& bound, Quantity quantity) {
  Json json = answers_file::with_infinite_mass(
      answers_file::write_with_order(to_string(quantity), bound.upper, bound.order, bound.conversion),
      bound.infinite_mass);
  if (bound.method) json["method"] = std::string(to_string(*bound.method));
  return json;
}

Json write_interval(double lower, double upper) {
  Json json = Json::object();
  json["lower"] = json::number(lower);
  json["upper"] = json::number(upper);
  return json;
}

Json write_exact(const Cost& cost) {
  Json json = Json::object();
  if (cost.exact) {
    json = answers_file::write_answer(*cost.exact, cost.limit);
    if (!cost.contradiction.empty()) json["contradiction"] = cost.contradiction;
    json["standing"] = std::string(to_string(cost.standing));
  } else {
    json["unavailable"] = cost.unavailable();
  }
  return json;
}

void write_parts(Json& answer, const Cost& cost) {
  if (cost.renyi) answer["renyi"] = write_bound(*cost.renyi, cost.quantity);
  if (cost.exact || cost.obstacle) answer["exact"] = write_exact(cost);
  if (cost.limited) answer["limit"] = cost.limit;
}

Json write_cost(const Cost& cost) {
  Json answer = Json::object();
  write_parts(answer, cost);
  if (!cost.note().empty()) answer["note"] = std::string(cost.note());
  write_overflows(answer, cost.overflows);
  if (!cost.under_poisson) return answer;
  Json& part = answer["under_poisson"] = Json::object();
  if (cost.under_poisson->estimate) {
    part[std::string(to_string(cost.quantity)) + "_estimate"] = json::number(*cost.under_poisson->estimate);
  } else {
    part["unavailable"] = cost.under_poisson->unavailable;
  }
  return answer;
}

void write_overflows(Json& answer, const std::vector<Overflow>& overflows) {
  if (overflows.empty()) return;
  Json& rows = answer["sampling"] = Json::array();
  for (const Overflow& overflow : overflows) {
    rows.push_back({{"path", overflow.path}, {"overflow_probability", json::number(overflow.probability)}});
  }
}

}  // namespace renyi::api
