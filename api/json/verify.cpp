// {"op":"verify","certificate":{...}} -> {"valid":true,"claims":7,"not_certified":0,"proven":[...]}
// or {"valid":false,"faults":[...]}
#include <array>
#include <nlohmann/json.hpp>

#include "api/json/ops.h"
#include "json/write.h"
#include "renyi/certificate.h"
#include "renyi/error.h"

namespace renyi::api {

namespace verify_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 1> keys{"certificate"};

// Paths are those in the request.
Verdict verdict_on(const Field& certificate) {
  try {
    return verify_certificate(json::write(certificate.value()));
  } catch (const InvalidArgument& error) {
    throw error.within("certificate.");
  } catch (const Unsupported& error) {
    throw error.within("certificate.");
  }
}

Json proven(const ProvenFigure& figure) {
  Json json = Json::object();
  json["claim"] = figure.claim;
  json["lower"] = decimal_below(figure.value.lower);
  json["upper"] = decimal_above(figure.value.upper);
  json["width"] = json::number(figure.width);
  if (!figure.says.empty()) json["says"] = figure.says;
  return json;
}

Json run(const Request& request) {
  const Field certificate = request.require("certificate", "a certificate");
  if (!certificate.value().is_object()) certificate.refuse("a certificate, an object");
  const Verdict verdict = verdict_on(certificate);
  Json answer = Json::object();
  answer["valid"] = verdict.valid;
  if (verdict.valid) {
    answer["claims"] = verdict.claims;
    answer["not_certified"] = verdict.not_certified;
    Json& figures = answer["proven"] = Json::array();
    for (const ProvenFigure& figure : verdict.proven) figures.push_back(proven(figure));
  } else {
    answer["faults"] = verdict.faults;
  }
  return answer;
}

}  // namespace
}  // namespace verify_file

constinit const Op verify_op{"verify", verify_file::keys, verify_file::run, false};

}  // namespace renyi::api
