// {"op":"profile","steps":[...],"epsilons":[0,1],"deltas":[1e-5]}
//   -> {"at_epsilons":[{"epsilon","renyi":{"delta",...},"exact":{...}},...],
//       "at_deltas":[{"delta","renyi":{"epsilon",...},"exact":{...}},...],"note"?}
#include "api/profile.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "api/json/answers.h"
#include "api/json/ops.h"
#include "api/json/options.h"
#include "json/write.h"

namespace renyi::api {

namespace profile_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 7> keys{"epsilons", "deltas", "want",      "tolerance",
                                               "memory",   "orders", "conversion"};

std::vector<double> epsilons_of(const Field& request) {
  const auto field = request.find("epsilons");
  if (!field) return {};
  return read_numbers(*field, "numbers of at least 0", [](double e) { return e >= 0; });
}

std::vector<double> deltas_of(const Field& request) {
  const auto field = request.find("deltas");
  if (!field) return {};
  return read_numbers(*field, "numbers in [0, 1]", [](double d) { return d >= 0 && d <= 1; });
}

ProfileRequest read(const Request& request) {
  ProfileRequest asked{.plan = request.plan()};
  asked.options = read_cost_options(request);
  asked.epsilons = epsilons_of(request);
  asked.deltas = deltas_of(request);
  return asked;
}

Json write_point(const Cost& cost) {
  Json row = Json::object();
  row[cost.quantity == Quantity::epsilon ? "delta" : "epsilon"] = json::number(cost.at);
  write_parts(row, cost);
  return row;
}

Json write(const ProfileAnswer& found) {
  Json answer = Json::object();
  for (const Cost& cost : found.at_epsilons) answer["at_epsilons"].push_back(write_point(cost));
  for (const Cost& cost : found.at_deltas) answer["at_deltas"].push_back(write_point(cost));
  if (!found.note.empty()) answer["note"] = std::string(found.note);
  return answer;
}

}  // namespace
}  // namespace profile_file

constinit const Op profile_op{"profile", profile_file::keys, run<profile_file::read, profile_file::write>};

ProfileRequest read_profile(const Document& request) { return profile_file::read(checked(profile_op, request)); }

std::string write(const Document& request, const ProfileAnswer& answer) {
  return written(profile_op, request, profile_file::write(answer));
}

}  // namespace renyi::api
