// {"op":"tradeoff","steps":[...],"type_1_errors":[0.01,0.1]}
//   -> {"points":[{"type_1_error","type_2_error":{"lower","upper"},"power":{...},"direction","remove","add"},...],
//       "advantage":{"lower","upper"},"note"?}
#include "api/tradeoff.h"

#include <array>
#include <nlohmann/json.hpp>

#include "api/json/answers.h"
#include "api/json/ops.h"
#include "api/json/options.h"
#include "api/json/shared_writers.h"
#include "json/write.h"

namespace renyi::api {

namespace tradeoff_file {
namespace {

using json::Json;

constexpr std::array<std::string_view, 3> keys{"type_1_errors", "tolerance", "memory"};

TradeoffRequest read(const Request& request) {
  TradeoffRequest asked{.plan = request.plan()};
  if (const auto field = request.find("type_1_errors")) {
    asked.type_one_errors = read_numbers(*field, "numbers in [0, 1]", [](double a) { return a >= 0 && a <= 1; });
  }
  asked.options = read_want(request).options;
  return asked;
}

Json write(const Interval& range) { return write_interval(range.lower, range.upper); }

void write(Json& json, const LeastError& least) {
  json["type_2_error"] = write(least.type_two);
  json["power"] = write(least.power);
}

Json write(const LeastError& least) {
  Json json = Json::object();
  write(json, least);
  return json;
}

Json write(const TradeoffPoint& point) {
  Json row = Json::object();
  row["type_1_error"] = json::number(point.type_one);
  write(row, point.worst);
  row["direction"] = std::string(to_string(point.direction));
  row["remove"] = write(point.remove);
  row["add"] = write(point.add);
  return row;
}

}  // namespace
}  // namespace tradeoff_file

json::Json write_tradeoff(const TradeoffAnswer& found) {
  json::Json answer = json::Json::object();
  answer["points"] = json::Json::array();
  for (const TradeoffPoint& point : found.points) answer["points"].push_back(tradeoff_file::write(point));
  answer["advantage"] = tradeoff_file::write(found.advantage);
  if (!found.note.empty()) answer["note"] = found.note;
  return answer;
}

constinit const Op tradeoff_op{"tradeoff", tradeoff_file::keys, run<tradeoff_file::read, write_tradeoff>};

TradeoffRequest read_tradeoff(const Document& request) { return tradeoff_file::read(checked(tradeoff_op, request)); }

std::string write(const Document& request, const TradeoffAnswer& answer) {
  return written(tradeoff_op, request, write_tradeoff(answer));
}

}  // namespace renyi::api
