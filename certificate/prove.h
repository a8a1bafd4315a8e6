// Statements turned into claims, by both routes.
#pragma once

#include <deque>
#include <utility>
#include <variant>

#include "certificate/document.h"

namespace renyi::certificate {

// The figures of one plan by one route. What is the same in both directions is computed once.
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

// What the two routes find of one statement.
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

// A claim holds what its verifier will find: nothing leaves that would be refused.
Claim claim_of(const Statement& statement, const RouteResults& found);

// Whether a claim says what can be proven: it is hardly wider than what the routes find.
bool is_sharp(const Enclosure& claimed, const RouteResults& found);

// Where no method proves it, why.
std::variant<Claim, UncertifiedFigure> claim_or_gap(const Statement& statement, BothRoutes& routes);

}  // namespace renyi::certificate
