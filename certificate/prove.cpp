#include "certificate/prove.h"

#include <algorithm>
#include <stdexcept>

#include "renyi/error.h"

namespace renyi::certificate {
namespace prove_file {
namespace {

Certified figure_of(const Statement& s, const Plan& plan, Route route) {
  switch (s.kind) {
    case Kind::rdp: return certified::divergence(plan, s.order, s.direction, route);
    case Kind::renyi_epsilon: return certified::renyi_epsilon(plan, s.order, s.conversion, s.at, route);
    case Kind::renyi_delta: return certified::renyi_delta(plan, s.order, s.conversion, s.at, route);
    case Kind::epsilon: return certified::epsilon(plan, s.at, s.direction, route);
    case Kind::delta: return certified::delta(plan, s.at, s.direction, route);
  }
  throw std::logic_error("a claim of no kind");
}

}  // namespace
}  // namespace prove_file

Prover::Prover(const Plan& plan, Route route) : plan_(plan), route_(route), symmetric_(same_in_both_directions(plan)) {}

const Certified& Prover::prove(Statement statement) {
  if (symmetric_) statement.direction = Direction::remove;
  for (const auto& [known, figure] : known_) {
    if (known == statement) return figure;
  }
  return known_.emplace_back(statement, prove_file::figure_of(statement, plan_, route_)).second;
}

Claim claim_of(const Statement& statement, const RouteResults& found) {
  Claim claim{statement, found.first};
  Enclosure& value = claim.proven.value;
  if (!contains(value, found.second)) value = around(value, found.second);
  if (is_delta(statement.kind) && !contains(zero_to_one, value)) value.upper = zero_to_one.upper;
  return claim;
}

// On machines whose elementary functions of doubles round differently, contours and grids lie elsewhere, and a search
// that doubles its steps may end one step later, at twice the width. So a claim may be wider by two widths on either
// side, but by no more than a third of the value: twice what Chernoff's bound proves is not the same bound.
bool is_sharp(const Enclosure& claimed, const RouteResults& found) {
  constexpr double of_end = 1e-9;
  const Enclosure proven = hull(found.first.value, found.second);
  const double of_width = std::min(2.0, rounded_up(proven.upper) / (3 * width(proven)));
  return contains(widened(proven, of_width, of_end), claimed);
}

std::variant<Claim, UncertifiedFigure> claim_or_gap(const Statement& statement, BothRoutes& routes) {
  try {
    return claim_of(statement, routes.prove(statement));
  } catch (const Unsupported& error) {
    return UncertifiedFigure{statement, error.why()};
  } catch (const NotConverged& error) {
    return UncertifiedFigure{statement, error.what()};
  }
}

}  // namespace renyi::certificate
