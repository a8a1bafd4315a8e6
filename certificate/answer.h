// What a certificate answers: the fast library's figures, moved to the safe side of what is proven.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "certificate/statement.h"
#include "renyi/certificate.h"
#include "renyi/exact.h"

namespace renyi::certificate {

struct PerDirection {
  ExactFigure remove;
  ExactFigure add;
};

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

}  // namespace renyi::certificate
