// Certificates changed by someone who knows how the digest is made.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "certificate/document.h"
#include "digest/sha256.h"
#include "json/parse.h"
#include "json/write.h"
#include "renyi/extras/certificate.h"

namespace renyi::test {

// The certificate after `change`, with the digest that belongs to it.
inline std::string forged(const std::string& certificate, const std::function<void(json::Json&)>& change) {
  json::Json document = json::parse(certificate);
  change(document);
  document["digest"] = certificate::digest_of(document);
  return json::write(document);
}

// Another plan with its right hash.
inline void put_plan(json::Json& document, const std::string& plan) {
  document["plan"] = json::parse(plan);
  document["plan_sha256"] = digest::sha256(plan);
}

// An end with the decimal that belongs to it.
inline json::Json end(const Dyadic& number, bool upper) {
  json::Json json = json::Json::object();
  json["decimal"] =
      upper ? decimal_above(number, certificate::decimal_digits) : decimal_below(number, certificate::decimal_digits);
  json["dyadic"] = json::Json::array({number.mantissa, number.exponent});
  return json;
}

inline Dyadic dyadic_in(const json::Json& end) {
  return {end.at("dyadic").at(0).get<std::string>(), end.at("dyadic").at(1).get<std::int64_t>()};
}

}  // namespace renyi::test
