// f(a) = sup over x >= 0 of h(x) = 1 - D(x) - a x, D(x) = sup_S P(S) - x Q(S) (docs/math/trade-off.md,
// after Dong, Roth, Su 2022, Proposition 2.12). h is concave, so that a few points bound it.
#include "renyi/tradeoff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "exact/tradeoff/bracket.h"
#include "exact/tradeoff/known_errors.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi {

namespace {

using exact::Bracket;
using exact::KnownDeltas;
using exact::KnownErrors;

// Of f or of the power, whichever is smaller.
constexpr double sufficient_width = 1e-6;
// Points no further apart than this do not tell more.
constexpr double finest_step = 1e-9;
constexpr int most_refinements = 80;
// e^s is a normal double for |s| up to this.
constexpr double largest_exponent = 700;
// Intervals of ln x wider than this are halved.
constexpr double wide = 1.5;

bool narrow_enough(const LeastError& range) {
  const double f_width = range.type_two.upper - range.type_two.lower, width = range.power.upper - range.power.lower;
  return std::min(f_width, width) <= sufficient_width * std::min(range.type_two.lower, range.power.lower);
}

// What is left is as narrow as the values themselves.
bool at_the_noise(const KnownErrors& known, const Bracket& bracket) {
  const auto width = [&](std::size_t i) {
    return std::min(known.h[i].upper - known.h[i].lower, known.h_minus_1[i].upper - known.h_minus_1[i].lower);
  };
  return bracket.gap <= 4 * std::min(width(bracket.interval), width(bracket.interval + 1));
}

// ln x of the next point; nothing where none would help. Halving in turn with the likeliest place
// keeps a kink near one end from shrinking the interval by little each time.
std::optional<double> next_exponent(const KnownErrors& known, const Bracket& bracket, bool halve) {
  const double left = known.s[bracket.interval], right = known.s[bracket.interval + 1];
  if (std::isinf(left)) {
    const double s = right < 0 ? 2 * right : -1;
    return s >= -largest_exponent ? std::optional(s) : std::nullopt;
  }
  if (right - left < finest_step * (1 + std::abs(right))) return std::nullopt;
  if (halve || right - left > wide) return 0.5 * (left + right);
  const double margin = 0.02 * (right - left);
  return std::clamp(std::log(bracket.where), left + margin, right - margin);
}

// Without a type I error only outcomes that Q lacks tell P: the power is P(q = 0).
LeastError without_type_one(const KnownDeltas& deltas, Direction direction) {
  const ExactFigure apart = deltas.apart(direction);
  if (apart.upper == 0) return {{1, 1}, {0, 0}};
  return {{std::max(0.0, numerics::next_down(1 - apart.upper)), std::min(1.0, numerics::next_up(1 - apart.lower))},
          {apart.lower, apart.upper}};
}

LeastError least_error(KnownDeltas& deltas, Direction direction, double a) {
  if (a == 0) return without_type_one(deltas, direction);
  if (a == 1) return {{0, 0}, {1, 1}};
  deltas.ask(std::min(1 - std::log(a), largest_exponent));  // beyond 1/a
  LeastError best;
  for (int i = 0; i < most_refinements; ++i) {
    const KnownErrors known = exact::known_errors(deltas, direction, a);
    const Bracket bracket = exact::bracket_of(known, a);
    best = bracket.range;
    if (narrow_enough(best) || at_the_noise(known, bracket)) break;
    const std::optional<double> s = next_exponent(known, bracket, i % 2 == 1);
    if (!s) break;
    deltas.ask(std::abs(*s));
  }
  return best;
}

// An atom at the largest loss that is finite is a kink of h.
void ask_largest_losses(KnownDeltas& deltas, const Plan& plan) {
  auto curve = compose(plan);
  if (auto finite = curve->finite_part()) curve = std::move(finite);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const double largest = curve->max_loss(direction).upper();
    if (largest <= largest_exponent) deltas.ask(largest);
  }
}

ErrorRange smaller(const ErrorRange& a, const ErrorRange& b) {
  return {std::min(a.lower, b.lower), std::min(a.upper, b.upper)};
}

ErrorRange larger(const ErrorRange& a, const ErrorRange& b) {
  return {std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
}

TradeoffPoint point_at(KnownDeltas& deltas, double a) {
  TradeoffPoint point;
  point.type_one = a;
  point.remove = least_error(deltas, Direction::remove, a);
  point.add = least_error(deltas, Direction::add, a);
  point.worst = {smaller(point.remove.type_two, point.add.type_two), larger(point.remove.power, point.add.power)};
  point.direction = point.add.power.upper > point.remove.power.upper ? Direction::add : Direction::remove;
  return point;
}

}  // namespace

std::vector<TradeoffPoint> tradeoff(const Plan& plan, std::span<const double> type_one_errors,
                                    const ExactOptions& options) {
  for (const double a : type_one_errors) {
    if (!(a >= 0 && a <= 1)) throw InvalidArgument("type_one_errors", fmt::format("{}", a), "numbers in [0, 1]");
  }
  // Many deltas are asked for: the lattice is not to refine each of them as for one.
  ExactOptions coarser = options;
  coarser.tolerance = std::max(options.tolerance, 1e-4);
  KnownDeltas deltas(plan, coarser);
  ask_largest_losses(deltas, plan);
  std::vector<TradeoffPoint> result;
  for (const double a : type_one_errors) result.push_back(point_at(deltas, a));
  return result;
}

ErrorRange advantage(const Plan& plan, const ExactOptions& options) {
  const ExactFigure total_variation = ExactAccountant(plan, options).delta(0).worst;
  return {total_variation.lower, total_variation.upper};
}

}  // namespace renyi
