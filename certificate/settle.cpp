#include "certificate/settle.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace renyi::certificate {
namespace {

void move(Answer& answer, const Claim& claim) {
  const double upper = rounded_up(claim.proven.value.upper);
  if (!is_exact(claim.statement.kind)) {
    double& bound = renyi_figure(answer, claim.statement);
    bound = std::max(bound, upper);
  } else if (answer.exact) {
    ExactFigure& figure = exact_figure(*answer.exact, claim.statement);
    figure.upper = std::max(figure.upper, upper);
    figure.lower = std::min(figure.lower, rounded_down(claim.proven.value.lower));
  }
}

void drop(Answer& answer, const Gap& gap) {
  if (!is_exact(gap.statement.kind)) {
    renyi_figure(answer, gap.statement) = std::numeric_limits<double>::infinity();
  } else if (answer.exact) {
    answer.exact.reset();
    answer.unavailable = fmt::format("not proven: {}: {}", describe(gap.statement), gap.why);
  }
}

}  // namespace

Answer settled(Answer fast, const Certificate& certificate) {
  const auto is_asked = [&](const Statement& statement) { return !is_check(certificate.question, statement); };
  for (const Claim& claim : certificate.claims) {
    if (is_asked(claim.statement)) move(fast, claim);
  }
  for (const Gap& gap : certificate.gaps) {
    if (is_asked(gap.statement)) drop(fast, gap);
  }
  return fast;
}

}  // namespace renyi::certificate
