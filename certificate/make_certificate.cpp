// Makes a certificate: the floating-point answer, claims for it by both routes, and the answer that the claims prove.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "certificate/consistency.h"
#include "certificate/document.h"
#include "certificate/prove.h"
#include "renyi/error.h"
#include "renyi/extras/certificate.h"

namespace renyi {
namespace certificate {
namespace make_certificate_file {
namespace {

void add(Certificate& certificate, const std::vector<Statement>& statements, BothRoutes& routes) {
  for (const Statement& statement : statements) {
    auto entry = claim_or_gap(statement, routes);
    if (auto* claim = std::get_if<Claim>(&entry)) certificate.claims.push_back(std::move(*claim));
    if (auto* gap = std::get_if<UncertifiedFigure>(&entry)) certificate.gaps.push_back(std::move(*gap));
  }
}

// Zero has one spelling, without a sign.
CertificateQuestion without_minus_zero(CertificateQuestion question) {
  if (question.delta) *question.delta += 0.0;
  if (question.epsilon) *question.epsilon += 0.0;
  return question;
}

// If a claim contradicts the answer, one of the two is wrong: this is a defect to be reported, and no certificate is
// made.
void refuse_contradictions(const Certificate& certificate) {
  const auto faults = contradictions(certificate);
  if (!faults.empty()) {
    throw NotConverged(
        fmt::format("the fast answer contradicts what is proven, which is a defect of renyi ({})", faults.front()));
  }
}

// Returns why there is no certified method for divergences of this order; empty if there is one, even if it fails here.
std::string why_no_method(const Plan& plan, double order) {
  try {
    static_cast<void>(certified::divergence(plan, order, Direction::remove));
  } catch (const Unsupported& error) {
    return error.why();
  } catch (const NotConverged&) {
  }
  return {};
}

// A plan of which nothing can be certified is refused before its figures are computed, which may take long; the two
// orders take next to nothing.
void refuse_without_method(const Plan& plan) {
  if (why_no_method(plan, HUGE_VAL).empty()) return;
  const std::string why = why_no_method(plan, 2);
  if (!why.empty()) throw Unsupported("steps", why, "ask for the figures without a certificate");
}

// A certificate that proves nothing is refused.
void refuse_without_claims(const Certificate& certificate) {
  if (!certificate.claims.empty() || certificate.gaps.empty()) return;
  throw Unsupported("steps", certificate.gaps.front().why, "ask for the figures without a certificate");
}

}  // namespace
}  // namespace make_certificate_file
}  // namespace certificate

std::string make_certificate(const Plan& plan, const CertificateQuestion& asked) {
  using namespace certificate;
  check(asked);
  const CertificateQuestion question = make_certificate_file::without_minus_zero(asked);
  check_size(plan);
  make_certificate_file::refuse_without_method(plan);
  Certificate certificate{.plan = plan, .question = question, .answer = fast_answer(plan, question)};
  BothRoutes routes(plan);
  make_certificate_file::add(certificate, asked_statements(question, certificate.answer), routes);
  make_certificate_file::refuse_without_claims(certificate);
  make_certificate_file::refuse_contradictions(certificate);
  certificate.answer = settled(certificate.answer, certificate);
  make_certificate_file::add(certificate, check_statements(question, certificate.answer), routes);
  make_certificate_file::refuse_contradictions(certificate);
  std::string text = write(certificate);
  read(open(text));  // a text that its verifier cannot read, for example nested too deeply, is refused
  return text;
}

}  // namespace renyi
