// What the fast library says: stated in a certificate beside what is proven, and held against it.
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

inline const ExactFigure& figure(const PerDirection& both, Direction direction) {
  return direction == Direction::remove ? both.remove : both.add;
}

// Throws InvalidArgument unless exactly one of delta and epsilon is given, and all are in range.
void check(const CertificateQuestion& question);

Answer fast_answer(const Plan& plan, const CertificateQuestion& question);

// Every statement that a certificate of this question and answer makes, in its order.
std::vector<Statement> statements(const CertificateQuestion& question, const Answer& answer);

}  // namespace renyi::certificate
