// Writes a certificate as text: canonical JSON with its digest.
#include "json/write.h"

#include <nlohmann/json.hpp>

#include "certificate/document.h"
#include "digest/sha256.h"
#include "json/parse.h"
#include "renyi/plan.h"

namespace renyi::certificate {

using json::Json;

namespace write_file {
namespace {

std::string text(std::string_view view) { return std::string(view); }

Json write_library(const Library& library) {
  Json json = Json::object();
  json["renyi"] = library.renyi;
  json["arb"] = library.arb;
  return json;
}

Json write_question(const CertificateQuestion& question) {
  Json json = Json::object();
  if (question.delta) json["delta"] = json::number(*question.delta);
  if (question.epsilon) json["epsilon"] = json::number(*question.epsilon);
  if (question.order) json["order"] = json::number(*question.order);
  return json;
}

Json write_figure(const ExactInterval& figure) {
  Json json = Json::object();
  json["lower"] = json::number(figure.lower);
  json["upper"] = json::number(figure.upper);
  json["engine"] = text(to_string(figure.engine));
  return json;
}

Json write_answer(const Certificate& certificate) {
  const Answer& answer = certificate.answer;
  Json json = Json::object();
  Json& rdp = json["rdp"] = Json::object();
  rdp["order"] = json::number(answer.order);
  rdp["remove"] = json::number(answer.rdp_remove);
  rdp["add"] = json::number(answer.rdp_add);
  Json& renyi = json["renyi"] = Json::object();
  renyi[certificate.question.delta ? "epsilon" : "delta"] = json::number(answer.renyi);
  renyi["order"] = json::number(answer.order);
  renyi["conversion"] = text(renyi::to_string(answer.conversion));
  Json& exact = json["exact"] = Json::object();
  if (answer.exact) {
    exact["remove"] = write_figure(answer.exact->remove);
    exact["add"] = write_figure(answer.exact->add);
  } else {
    exact["unavailable"] = answer.unavailable;
  }
  return json;
}

Json write_statement(const Statement& statement) {
  const Kind kind = statement.kind;
  Json json = Json::object();
  json["claim"] = text(to_string(kind));
  if (has_order(kind)) json["order"] = json::number(statement.order);
  if (has_conversion(kind)) json["conversion"] = text(renyi::to_string(statement.conversion));
  if (!given(kind).empty()) json[text(given(kind))] = json::number(statement.at);
  if (has_direction(kind)) json["direction"] = text(renyi::to_string(statement.direction));
  return json;
}

Json write_end(const Dyadic& end, std::string decimal) {
  Json json = Json::object();
  json["decimal"] = std::move(decimal);
  json["dyadic"] = Json::array({end.mantissa, end.exponent});
  return json;
}

Json write_claim(const Claim& claim) {
  const auto& [value, method, precision] = claim.proven;
  Json json = write_statement(claim.statement);
  json["lower"] = write_end(value.lower, decimal_below(value.lower, decimal_digits));
  json["upper"] = write_end(value.upper, decimal_above(value.upper, decimal_digits));
  json["method"] = method;
  json["precision"] = precision;
  return json;
}

Json write_gap(const UncertifiedFigure& gap) {
  Json json = write_statement(gap.statement);
  json["unavailable"] = gap.why;
  return json;
}

}  // namespace
}  // namespace write_file

std::string write(const Certificate& certificate) {
  const std::string plan = write_plan(certificate.plan);
  Json document = Json::object();
  document["renyi_certificate"] = 1;
  document["library"] = write_file::write_library(certificate.library);
  document["plan"] = json::parse(plan);
  document["plan_sha256"] = digest::sha256(plan);
  document["neighbors"] = write_file::text(to_string(certificate.plan.neighbors()));
  document["question"] = write_file::write_question(certificate.question);
  document["answer"] = write_file::write_answer(certificate);
  Json& claims = document["claims"] = Json::array();
  for (const Claim& claim : certificate.claims) claims.push_back(write_file::write_claim(claim));
  Json& gaps = document["not_certified"] = Json::array();
  for (const UncertifiedFigure& gap : certificate.gaps) gaps.push_back(write_file::write_gap(gap));
  document["digest"] = digest_of(document);
  return json::write(document) + '\n';
}

// The digest covers the document without this member, as one line without its line end.
std::string digest_of(Json document) {
  document.erase("digest");
  return "sha256:" + digest::sha256(json::write(document));
}

}  // namespace renyi::certificate
