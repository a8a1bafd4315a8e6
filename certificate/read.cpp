// Strict reading: what a certificate of this version does not have is refused with its path.
#include <fmt/format.h>

#include <array>
#include <limits>

#include "certificate/document.h"
#include "certificate/read_claim.h"
#include "certificate/sha256.h"
#include "json/field.h"
#include "json/write.h"
#include "renyi/error.h"
#include "renyi/plan_json.h"

namespace renyi::certificate {
namespace {

using json::Field;
using json::Json;

constexpr std::string_view version_key = "renyi_certificate";
constexpr std::size_t most_bytes = 1'000'000;
constexpr std::size_t most_claims = 16;  // more than any question has
constexpr std::size_t most_mechanisms = 64;

// Paths in the plan are those in the certificate.
Plan read_plan(const Field& document) {
  const Field field = document.require("plan", "a plan");
  const std::string text = json::write(field.value());
  Plan plan = [&] {
    try {
      return renyi::read_plan(text);
    } catch (const InvalidArgument& error) {
      throw error.within("plan.");
    }
  }();
  if (write_plan(plan) != text) throw InvalidArgument("plan", "another text", "a plan in canonical form");
  const std::string hash = sha256(text);
  if (document.require("plan_sha256", "a SHA-256").text() != hash) {
    throw InvalidArgument("plan_sha256", "another digest", fmt::format("that of the plan, {}", hash));
  }
  const Field neighbors = document.require("neighbors", "that of the plan");
  if (neighbors.value() != to_string(plan.neighbors())) neighbors.refuse("that of the plan");
  check_size(plan);
  return plan;
}

CertificateQuestion read_question(const Field& field) {
  field.allow_only(std::array<std::string_view, 3>{"delta", "epsilon", "order"});
  CertificateQuestion question;
  if (const auto delta = field.find("delta")) question.delta = delta->number();
  if (const auto epsilon = field.find("epsilon")) question.epsilon = epsilon->number();
  if (const auto order = field.find("order")) question.order = order->number_or_infinity();
  try {
    check(question);
  } catch (const InvalidArgument& error) {
    throw error.within("question.");
  }
  return question;
}

std::vector<Field> read_list(const Field& document, std::string_view key) {
  const Field list = document.require(key, "an array of claims");
  if (list.value().size() > most_claims) list.refuse(fmt::format("at most {} claims", most_claims));
  return list.items();
}

}  // namespace

Json open(std::string_view text) {
  if (text.size() > most_bytes) {
    throw InvalidArgument("certificate", fmt::format("{} bytes", text.size()), fmt::format("at most {}", most_bytes));
  }
  Json document = json::parse(text);
  const Field field(document);
  const std::int64_t version = field.require(version_key, "1: only then is it a certificate")
                                   .integer(1, std::numeric_limits<std::int64_t>::max());
  if (version > 1) {
    throw Unsupported(std::string(version_key), fmt::format("certificates of version {} came later", version),
                      "use the version of renyi that wrote it, or a later one");
  }
  return document;
}

void check_size(const Plan& plan) {
  const std::size_t mechanisms = plan.merged().size();
  if (mechanisms <= most_mechanisms) return;
  throw Unsupported(
      "plan",
      fmt::format("it has {} different mechanisms, and at most {} are certified together", mechanisms, most_mechanisms),
      "certify its parts, and add their divergences");
}

Library library_of(const Json& document) { return read_library(Field(document).require("library", "versions")); }

Certificate read(const Json& document) {
  const Field field(document);
  field.allow_only(std::array<std::string_view, 10>{version_key, "library", "plan", "plan_sha256", "neighbors",
                                                    "question", "answer", "claims", "not_certified", "digest"});
  Certificate certificate;
  certificate.library = library_of(document);
  certificate.plan = read_plan(field);
  certificate.question = read_question(field.require("question", "what was asked"));
  certificate.answer = read_answer(field.require("answer", "what was found"), certificate.question);
  for (const Field& claim : read_list(field, "claims")) certificate.claims.push_back(read_claim(claim));
  for (const Field& gap : read_list(field, "not_certified")) certificate.gaps.push_back(read_gap(gap));
  return certificate;
}

}  // namespace renyi::certificate
