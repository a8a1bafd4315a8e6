// A certificate as a value, its statements, answer and claims, and as JSON (docs/format/certificate.md).
#pragma once

#include <array>
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

enum class Kind { rdp, renyi_epsilon, renyi_delta, epsilon, delta };
inline constexpr std::array all_kinds{Kind::rdp, Kind::renyi_epsilon, Kind::renyi_delta, Kind::epsilon, Kind::delta};
// "rdp", "renyi-epsilon", "renyi-delta", "epsilon", "delta".
std::string_view to_string(Kind kind) noexcept;

// What a claim is about, without its figure: one question that certified arithmetic can answer.
// Members that a kind has no use for keep their defaults, so that equality is that of meaning.
struct Statement {
  Kind kind = Kind::rdp;
  double order = 1;                           // rdp, renyi-epsilon, renyi-delta
  Conversion conversion = Conversion::tight;  // renyi-epsilon, renyi-delta
  Direction direction = Direction::remove;    // rdp, epsilon, delta
  double at = 0;                              // the delta of an epsilon, the epsilon of a delta

  bool operator==(const Statement&) const = default;
};

bool has_order(Kind kind) noexcept;
bool has_conversion(Kind kind) noexcept;
bool has_direction(Kind kind) noexcept;
// Composed through all steps from the law of the loss.
bool is_exact(Kind kind) noexcept;
// The figure is a delta: at most 1.
bool is_delta(Kind kind) noexcept;
inline const Enclosure zero_to_one{{"0", 0}, {"1", 0}};
// What `at` is: "delta", "epsilon", or "" for none.
std::string_view given(Kind kind) noexcept;

// "rdp of order 8, remove"; for messages.
std::string describe(const Statement& statement);

struct PerDirection {
  ExactInterval remove;
  ExactInterval add;
};

// What a certificate answers: the fast library's figures, moved to the safe side of what is proven.
// Of a question with a delta the figures are epsilons, of one with an epsilon they are deltas.
struct Answer {
  double renyi = 0;  // the Renyi bound, and what gave it
  double order = 1;
  Conversion conversion = Conversion::tight;
  double rdp_remove = 0;  // upper bounds on the divergence of that order
  double rdp_add = 0;
  std::optional<PerDirection> exact{};
  std::string unavailable{};  // why `exact` is not there
};

// What the answer states of one statement of its question: of an exact one an interval, of the others an upper bound.
template <class Both>
auto& exact_figure(Both& both, const Statement& statement) {
  return statement.direction == Direction::remove ? both.remove : both.add;
}
template <class AnyAnswer>
auto& renyi_figure(AnyAnswer& answer, const Statement& statement) {
  if (statement.kind != Kind::rdp) return answer.renyi;
  return statement.direction == Direction::remove ? answer.rdp_remove : answer.rdp_add;
}
// Where that stands: "answer.rdp.remove", "answer.renyi.epsilon", "answer.exact.add".
std::string path_in_answer(const Statement& statement);

// Throws InvalidArgument unless exactly one of delta and epsilon is given, and all are in range.
void check(const CertificateQuestion& question);

// What the fast library says by itself.
Answer fast_answer(const Plan& plan, const CertificateQuestion& question);

// Every statement that a certificate makes, in order: first those that its question asks for, at the answer's order;
std::vector<Statement> asked_statements(const CertificateQuestion& question, const Answer& answer);
// then, of a question with a delta, what delta is at the answer's exact epsilon.
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

// The decimal ends have this many digits.
inline constexpr int decimal_digits = 20;

// Canonical JSON, the digest included.
std::string write(const Certificate& certificate);

// JSON text as a document that calls itself a certificate of this version. Throws InvalidArgument or Unsupported.
json::Json open(std::string_view text);
// The digest that the document should have.
std::string digest_of(json::Json document);
// Which library wrote it: what the rest of the document means depends on it. Throws InvalidArgument.
Library library_of(const json::Json& document);
// All but the digest. Throws InvalidArgument naming the path, or Unsupported for a plan that cannot be certified.
Certificate read(const json::Json& document);

// Throws Unsupported where certifying would take for ever.
void check_size(const Plan& plan);

}  // namespace renyi::certificate
