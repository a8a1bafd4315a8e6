#include "certificate/statement.h"

#include <fmt/format.h>

#include <stdexcept>

namespace renyi::certificate {

std::string_view to_string(Kind kind) noexcept {
  switch (kind) {
    case Kind::rdp: return "rdp";
    case Kind::renyi_epsilon: return "renyi-epsilon";
    case Kind::renyi_delta: return "renyi-delta";
    case Kind::epsilon: return "epsilon";
    case Kind::delta: return "delta";
  }
  return "";
}

bool has_conversion(Kind kind) noexcept { return kind == Kind::renyi_epsilon || kind == Kind::renyi_delta; }
bool has_order(Kind kind) noexcept { return kind == Kind::rdp || has_conversion(kind); }
bool has_direction(Kind kind) noexcept { return !has_conversion(kind); }
bool is_exact(Kind kind) noexcept { return !has_order(kind); }
bool is_delta(Kind kind) noexcept { return kind == Kind::delta || kind == Kind::renyi_delta; }

std::string_view given(Kind kind) noexcept {
  if (kind == Kind::rdp) return "";
  return kind == Kind::epsilon || kind == Kind::renyi_epsilon ? "delta" : "epsilon";
}

std::string describe(const Statement& statement) {
  const Kind kind = statement.kind;
  std::string text(to_string(kind));
  if (has_order(kind)) text += fmt::format(" of order {}", statement.order);
  if (has_conversion(kind)) text += fmt::format(" ({})", renyi::to_string(statement.conversion));
  if (!given(kind).empty()) text += fmt::format(" at {} {}", given(kind), statement.at);
  if (has_direction(kind)) text += fmt::format(", {}", renyi::to_string(statement.direction));
  return text;
}

namespace {

Certified figure_of(const Statement& s, const Plan& plan, Route route) {
  switch (s.kind) {
    case Kind::rdp: return certified_divergence(plan, s.order, s.direction, route);
    case Kind::renyi_epsilon: return certified_renyi_epsilon(plan, s.order, s.conversion, s.at, route);
    case Kind::renyi_delta: return certified_renyi_delta(plan, s.order, s.conversion, s.at, route);
    case Kind::epsilon: return certified_epsilon(plan, s.at, s.direction, route);
    case Kind::delta: return certified_delta(plan, s.at, s.direction, route);
  }
  throw std::logic_error("a claim of no kind");
}

}  // namespace

Prover::Prover(const Plan& plan, Route route) : plan_(plan), route_(route), symmetric_(same_in_both_directions(plan)) {}

const Certified& Prover::prove(Statement statement) {
  if (symmetric_) statement.direction = Direction::remove;
  for (const auto& [known, figure] : known_) {
    if (known == statement) return figure;
  }
  return known_.emplace_back(statement, figure_of(statement, plan_, route_)).second;
}

}  // namespace renyi::certificate
