// {"op":"mechanisms","kind"?:"gdp"} -> {"mechanisms":[...],"forms"?:[...],"schemes"?:[...],"runs"?:[...]}
#include <array>
#include <string>
#include <vector>

#include "api/ops.h"
#include "api/write_catalogue.h"

namespace renyi::api {
namespace {

using json::Field;
using json::Json;

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

constinit const Op mechanisms_op{"mechanisms", keys, run, false};

}  // namespace renyi::api
