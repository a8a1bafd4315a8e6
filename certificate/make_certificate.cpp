#include <fmt/format.h>

#include "certificate/document.h"
#include "certificate/judge.h"
#include "renyi/certificate.h"
#include "renyi/error.h"

namespace renyi {
namespace certificate {
namespace {

// A claim holds what its verifier will find: nothing leaves that would be refused.
Claim claim_of(const Statement& statement, Prover& first, Prover& second) {
  Claim claim{statement, first.prove(statement)};
  const Enclosure found = second.prove(statement).value;
  if (!contains(claim.proven.value, found)) claim.proven.value = around(claim.proven.value, found);
  return claim;
}

void add(Certificate& certificate, const Statement& statement, Prover& first, Prover& second) {
  try {
    certificate.claims.push_back(claim_of(statement, first, second));
  } catch (const Unsupported& error) {
    certificate.gaps.push_back({statement, error.why()});
  } catch (const NotConverged& error) {
    certificate.gaps.push_back({statement, error.what()});
  }
}

// Zero has one spelling.
CertificateQuestion without_minus_zero(CertificateQuestion question) {
  if (question.delta) *question.delta += 0.0;
  if (question.epsilon) *question.epsilon += 0.0;
  return question;
}

// One of the two is wrong: that is a defect to be reported, never a certificate.
void refuse_contradictions(const Certificate& certificate) {
  const auto faults = contradictions(certificate);
  if (!faults.empty()) {
    throw NotConverged(
        fmt::format("the fast answer contradicts what is proven, which is a defect of renyi ({})", faults.front()));
  }
}

// What proves nothing is no certificate.
void refuse_without_claims(const Certificate& certificate) {
  if (!certificate.claims.empty() || certificate.gaps.empty()) return;
  throw Unsupported("steps", certificate.gaps.front().why, "ask for the figures without a certificate");
}

}  // namespace
}  // namespace certificate

std::string make_certificate(const Plan& plan, const CertificateQuestion& asked) {
  using namespace certificate;
  check(asked);
  const CertificateQuestion question = without_minus_zero(asked);
  check_size(plan);
  Certificate certificate{plan, question, fast_answer(plan, question), {}, {}};
  Prover first(plan, Route::first);
  Prover second(plan, Route::second);
  for (const Statement& statement : statements(question, certificate.answer))
    add(certificate, statement, first, second);
  refuse_without_claims(certificate);
  refuse_contradictions(certificate);
  std::string text = write(certificate);
  read(open(text));  // what its verifier cannot read is no certificate: nesting too deep, for example
  return text;
}

}  // namespace renyi
