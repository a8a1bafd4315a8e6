// {"op":"certify","steps":[...],"delta":1e-5 | "epsilon":1,"order"?:8} -> {"certificate":{...}}
// {"op":"verify","certificate":{...}} -> {"valid":true,"claims":7,"not_certified":0,"proven":[...]}
// or {"valid":false,"faults":[...]}
#include "api/certificate.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "api/json/content.h"
#include "api/json/ops.h"
#include "api/number_text.h"
#include "json/write.h"

namespace renyi::api {

namespace certificate_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 3> certify_keys{"delta", "epsilon", "order"};
constexpr std::array<std::string_view, 1> verify_keys{"certificate"};

CertifyRequest read_question(const Request& request) {
  CertificateQuestion question;
  if (const auto field = request.find("delta")) question.delta = field->number();
  if (const auto field = request.find("epsilon")) question.epsilon = field->number();
  if (const auto field = request.find("order")) question.order = field->number_or_infinity();
  return {request.plan(), question};
}

Json write_certificate(const CertifyAnswer& found) {
  Json answer = Json::object();
  answer["certificate"] = opened(found.certificate);
  return answer;
}

VerifyRequest read_certificate(const Request& request) {
  const Field certificate = request.require("certificate", "a certificate");
  if (!certificate.value().is_object()) certificate.refuse("a certificate, an object");
  return {document_of(certificate.value())};
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

Json write_verdict(const Verdict& verdict) {
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

std::string name_of(const Json& claim) {
  std::string name = claim.at("claim").get<std::string>();
  for (const char* key : {"delta", "epsilon"}) {
    if (!claim.contains(key)) continue;
    name += fmt::format(" at {} {}", key, rounded(Field(claim.at(key)).number_or_infinity()));
  }
  if (claim.contains("direction")) name += ", " + claim.at("direction").get<std::string>();
  return name;
}

Dyadic end_of(const Json& claim, const char* end) {
  const Json& dyadic = claim.at(end).at("dyadic");
  return {dyadic.at(0).get<std::string>(), dyadic.at(1).get<std::int64_t>()};
}

}  // namespace
}  // namespace certificate_file

constinit const Op certify_op{"certify", certificate_file::certify_keys,
                              run<certificate_file::read_question, certificate_file::write_certificate>};

CertifyRequest read_certify(const Document& request) {
  return certificate_file::read_question(checked(certify_op, request));
}

std::string write(const Document& request, const CertifyAnswer& answer) {
  return written(certify_op, request, certificate_file::write_certificate(answer));
}

constinit const Op verify_op{"verify", certificate_file::verify_keys,
                             run<certificate_file::read_certificate, certificate_file::write_verdict>, false};

VerifyRequest read_verify(const Document& request) {
  return certificate_file::read_certificate(checked(verify_op, request));
}

std::string write(const Document& request, const Verdict& answer) {
  return written(verify_op, request, certificate_file::write_verdict(answer));
}

CertificateSummary summary_of_certificate(const Document& certificate) {
  const json::Json& document = opened(certificate);
  const json::Json& renyi = document.at("answer").at("renyi");
  CertificateSummary said{.order = json::Field(renyi.at("order")).number_or_infinity(),
                          .conversion = renyi.at("conversion").get<std::string>()};
  for (const json::Json& claim : document.at("claims")) {
    said.claims.push_back({certificate_file::name_of(claim),
                           {certificate_file::end_of(claim, "lower"), certificate_file::end_of(claim, "upper")},
                           claim.at("method").get<std::string>()});
  }
  for (const json::Json& gap : document.at("not_certified")) {
    said.not_certified.push_back({certificate_file::name_of(gap), gap.at("unavailable").get<std::string>()});
  }
  return said;
}

}  // namespace renyi::api
