// {"op":"certify","steps":[...],"delta":1e-5 | "epsilon":1,"order"?:8} -> {"certificate":{...}}
#include <array>
#include <nlohmann/json.hpp>

#include "api/json/ops.h"
#include "json/parse.h"
#include "renyi/certificate.h"

namespace renyi::api {

namespace certify_file {
namespace {

using json::Json;

constexpr std::array<std::string_view, 3> keys{"delta", "epsilon", "order"};

Json run(const Request& request) {
  CertificateQuestion question;
  if (const auto field = request.find("delta")) question.delta = field->number();
  if (const auto field = request.find("epsilon")) question.epsilon = field->number();
  if (const auto field = request.find("order")) question.order = field->number_or_infinity();
  Json answer = Json::object();
  answer["certificate"] = json::parse(make_certificate(request.plan(), question));
  return answer;
}

}  // namespace
}  // namespace certify_file

constinit const Op certify_op{"certify", certify_file::keys, certify_file::run};

}  // namespace renyi::api
