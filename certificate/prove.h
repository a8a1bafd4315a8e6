// Turns statements into claims, by both routes.
#pragma once

#include <deque>
#include <utility>
#include <variant>

#include "certificate/document.h"

namespace renyi::certificate {

// Computes the values of one plan by one route. What is the same in both directions is computed once.
class Prover {
 public:
  Prover(const Plan& plan, Route route);
  // Throws what the certified functions throw.
  const Certified& prove(Statement statement);

 private:
  const Plan& plan_;
  Route route_;
  bool symmetric_;
  std::deque<std::pair<Statement, Certified>> known_;
};

// The results of the two routes for one statement.
struct RouteResults {
  Certified first{};
  Enclosure second{};
};

class BothRoutes {
 public:
  explicit BothRoutes(const Plan& plan) : first_(plan, Route::first), second_(plan, Route::second) {}
  // Throws what the certified functions throw.
  RouteResults prove(const Statement& statement) { return {first_.prove(statement), second_.prove(statement).value}; }

 private:
  Prover first_;
  Prover second_;
};

// The claim contains what its verifier will compute, so that no certificate is written that would be refused.
Claim claim_of(const Statement& statement, const RouteResults& found);

// Returns true if a claim is hardly wider than what the routes prove.
bool is_sharp(const Enclosure& claimed, const RouteResults& found);

// Returns the claim, or the reason why no method proves the statement.
std::variant<Claim, UncertifiedFigure> claim_or_gap(const Statement& statement, BothRoutes& routes);

}  // namespace renyi::certificate
