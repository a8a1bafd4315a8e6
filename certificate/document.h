// A certificate as a value (statements, answer and claims) and as JSON (docs/format/certificate.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "certificate/library.h"
#include "json/field.h"
#include "renyi/cost.h"
#include "renyi/exact.h"
#include "renyi/extras/certificate.h"
#include "renyi/extras/certify.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi::certificate {

using Kind = ClaimKind;
using Statement = ClaimStatement;

bool has_order(Kind kind) noexcept;
bool has_conversion(Kind kind) noexcept;
bool has_direction(Kind kind) noexcept;
// Returns true for values that are composed over all steps from the loss distribution.
bool is_exact(Kind kind) noexcept;
// Returns true if the value is a delta, which is at most 1.
bool is_delta(Kind kind) noexcept;
inline const Enclosure zero_to_one{{"0", 0}, {"1", 0}};
// Returns the name of `at`: "delta", "epsilon", or "" if it is not used.
std::string_view given(Kind kind) noexcept;

// Describes a statement in messages: "rdp of order 8, remove".
std::string describe(const Statement& statement);

struct PerDirection {
  ExactInterval remove;
  ExactInterval add;
};

// The answer of a certificate: the values of the floating-point library, moved outwards to what is proven. The values
// are epsilons if the question gives a delta, and deltas if it gives an epsilon.
struct Answer {
  double renyi = 0;  // the Renyi bound; its order and conversion follow
  double order = 1;
  Conversion conversion = Conversion::tight;
  double rdp_remove = 0;  // upper bounds on the divergence of that order
  double rdp_add = 0;
  std::optional<PerDirection> exact{};
  std::string unavailable{};  // the reason if `exact` is not there
};

// Returns what the answer states about one statement of its question: an interval for an exact one, an upper bound for
// the others.
template <class Both>
auto& exact_figure(Both& both, const Statement& statement) {
  return statement.direction == Direction::remove ? both.remove : both.add;
}
template <class AnyAnswer>
auto& renyi_figure(AnyAnswer& answer, const Statement& statement) {
  if (statement.kind != Kind::rdp) return answer.renyi;
  return statement.direction == Direction::remove ? answer.rdp_remove : answer.rdp_add;
}
// Returns its path: "answer.rdp.remove", "answer.renyi.epsilon", "answer.exact.add".
std::string path_in_answer(const Statement& statement);

// Throws InvalidArgument unless exactly one of delta and epsilon is given, and all are in range.
void check(const CertificateQuestion& question);

// Returns the answer of the floating-point library, before it is compared with the claims.
Answer fast_answer(const Plan& plan, const CertificateQuestion& question);

// Every statement that a certificate makes, in order: first those that its question requests, at the answer's order;
std::vector<Statement> asked_statements(const CertificateQuestion& question, const Answer& answer);
// then, if the question gives a delta, the delta at the answer's exact epsilon.
std::vector<Statement> check_statements(const CertificateQuestion& question, const Answer& answer);
bool is_check(const CertificateQuestion& question, const Statement& statement);

struct Claim {
  Statement statement{};
  Certified proven{};
};

struct UncertifiedFigure {
  Statement statement{};
  std::string why{};
};

struct Certificate {
  Library library = this_library();
  Plan plan{};
  CertificateQuestion question{};
  Answer answer{};
  std::vector<Claim> claims{};
  std::vector<UncertifiedFigure> gaps{};
};

// The number of digits of endpoints written as decimals.
inline constexpr int decimal_digits = 20;

// Writes canonical JSON, including the digest.
std::string write(const Certificate& certificate);

// Parses JSON text into a document that is labelled as a certificate of this version. Throws InvalidArgument or
// Unsupported.
json::Json open(std::string_view text);
// Computes the digest that the document should have.
std::string digest_of(json::Json document);
// Returns the library that wrote the document: the meaning of the rest depends on it. Throws InvalidArgument.
Library library_of(const json::Json& document);
// Reads everything but the digest. Throws InvalidArgument naming the path, or Unsupported for a plan that cannot be
// certified.
Certificate read(const json::Json& document);

// Throws Unsupported if certifying the plan would take too long.
void check_size(const Plan& plan);

}  // namespace renyi::certificate
