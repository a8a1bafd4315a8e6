// The trade-off function of a plan, bracketed by its exact deltas:
// f(a) = sup over x >= 0 of h(x) = 1 - D(x) - a x, D(x) = sup_S P(S) - x Q(S) (docs/math/trade-off.md,
// after Dong, Roth, Su 2022, Proposition 2.12). h is concave, so that a few points bound it.
#include "renyi/tradeoff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <vector>

#include "exact/privacy_profile.h"
#include "exact/tradeoff/concave_maximum.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/limits.h"

namespace renyi::exact {
namespace tradeoff_file {
namespace {

using numerics::next_down;
using numerics::next_up;

// h(x) = 1 - D(x) - a x at the points where delta is known (docs/math/trade-off.md, "One pair").

// The delta at every epsilon evaluated so far, shared by all type I errors and both directions.
class KnownDeltas {
 public:
  KnownDeltas(const Analysis& analysis, const ExactOptions& options) : accountant_(analysis, options) { ask(0); }

  // Returns false if no more is asked, because a limit of time is long past: what is known bounds all errors.
  bool ask(double epsilon) {
    if (answers_.contains(epsilon)) return true;
    if (!answers_.empty() && is_overdue()) return false;
    answers_.emplace(epsilon, accountant_.delta(epsilon));
    return true;
  }
  const std::map<double, ExactAnswer>& answers() const { return answers_; }
  // P's mass of outcomes that Q cannot produce, which is delta at infinity.
  ExactInterval infinite_mass(Direction direction) const {
    const ExactAnswer answer = accountant_.delta(HUGE_VAL);
    return direction == Direction::remove ? answer.remove : answer.add;
  }

 private:
  PrivacyProfile accountant_;
  std::map<double, ExactAnswer> answers_;
};

// The values of h and h - 1, by increasing x: each keeps its own digits where it is small. The first x is 0.
struct KnownErrors {
  std::vector<double> s;  // ln x
  std::vector<KnownValue> h;
  std::vector<KnownValue> h_minus_1;
};

constexpr double rounding = 8 * numerics::unit_roundoff;

const ExactInterval& of(const ExactAnswer& answer, Direction direction) {
  return direction == Direction::remove ? answer.remove : answer.add;
}

// A product rounded outwards: `away` is the factor that moves a positive product away from the exact value.
double outwards(double x, double factor, double away) { return x * factor * (factor > 0 ? away : 2 - away); }

// x = e^s >= 1: 1 - h = delta(s) + a x has no cancellation.
void add_above(KnownErrors& known, double s, double a, const ExactInterval& delta) {
  const double x = std::exp(s);
  const double lower = (delta.lower + a * x) * (1 - rounding), upper = (delta.upper + a * x) * (1 + rounding);
  known.s.push_back(s);
  known.h.push_back({x, next_down(1 - upper), next_up(1 - lower)});
  known.h_minus_1.push_back({x, next_down(-upper), next_up(-lower)});
}

// x = e^-t < 1: D(x) = 1 - x + x delta'(t) with delta' of the swapped pair, so h = x (1 - a - delta'(t)).
void add_below(KnownErrors& known, double t, double a, const ExactInterval& delta) {
  const double x = std::exp(-t);
  const double room = 1 - a, slack = rounding * room;
  const double least = room - delta.upper - slack, most = room - delta.lower + slack;
  const double lower = next_down(outwards(x, least, 1 - rounding)), upper = next_up(outwards(x, most, 1 + rounding));
  known.s.push_back(-t);
  known.h.push_back({x, lower, upper});
  known.h_minus_1.push_back({x, next_down(lower - 1), next_up(upper - 1)});
}

KnownErrors known_errors(const KnownDeltas& deltas, Direction direction, double a) {
  // D(0) = 1.
  KnownErrors known{{-std::numeric_limits<double>::infinity()}, {{0, 0, 0}}, {{0, -1, -1}}};
  const auto& answers = deltas.answers();
  // NOLINTNEXTLINE(modernize-loop-convert): clang 14 cannot read this library's reverse views
  for (auto at = answers.rbegin(); at != answers.rend(); ++at) {
    if (at->first > 0) add_below(known, at->first, a, of(at->second, opposite(direction)));
  }
  for (const auto& [s, answer] : answers) add_above(known, s, a, of(answer, direction));
  return known;
}

// What known points of h prove about its maximum f(a), and the next point that would narrow it most
// (docs/math/trade-off.md, "Bracketing").
struct Bracket {
  LeastError range;
  double gap = -1;           // how far the maximum may lie above the known values
  std::size_t interval = 0;  // the maximum may lie in the interval after this point
  double where = 0;          // and at this x
};

// The maximum of h, or of h - 1, lies in [lower, upper].
struct Maximum {
  double lower = 0;
  double upper = 0;

  void may_reach(double value) { upper = value <= upper ? upper : value; }  // also raised by NaN
};

Maximum largest_known(const std::vector<KnownValue>& values) {
  double lower = values.front().lower;
  for (const KnownValue& v : values) lower = std::max(lower, v.lower);
  return {lower, lower};
}

// 0 <= f <= 1 - a: one test rejects blindly with probability a, and no error is negative. Each of the two maxima
// tightens the bounds of the other.
LeastError range_of(Maximum h, Maximum h_minus_1, double a, bool open) {
  if (open || !(h.upper < 1 - a)) h.upper = next_up(1 - a);
  if (open || !(h_minus_1.upper < -a)) h_minus_1.upper = -a;
  const double f_upper = std::min({h.upper, next_up(1 + h_minus_1.upper), 1.0});
  const double f_lower = std::clamp(std::max(h.lower, next_down(1 + h_minus_1.lower)), 0.0, f_upper);
  const double power_lower = std::max(-h_minus_1.upper, next_down(1 - h.upper));
  const double power_upper = std::clamp(std::min(-h_minus_1.lower, next_up(1 - h.lower)), power_lower, 1.0);
  return {{f_lower, f_upper}, {power_lower, power_upper}};
}

Bracket bracket_of(const KnownErrors& known, double a) {
  Bracket found;
  Maximum h = largest_known(known.h), h_minus_1 = largest_known(known.h_minus_1);
  for (std::size_t i = 0; i + 1 < known.s.size(); ++i) {
    // 0 <= -D' <= 1, so the slope of h lies in [-a, 1 - a].
    const ConcaveBound one = bound_between(known.h, i, 1 - a, -a), other = bound_between(known.h_minus_1, i, 1 - a, -a);
    h.may_reach(one.upper);
    h_minus_1.may_reach(other.upper);
    const double gap_of_one = one.upper - h.lower, gap_of_other = other.upper - h_minus_1.lower;
    const double gap = std::min(gap_of_one, gap_of_other);
    if (gap > found.gap) {
      found.gap = gap;
      found.interval = i;
      found.where = gap_of_one <= gap_of_other ? one.where : other.where;
    }
  }
  // Beyond 1/a, h is negative; if no point lies there, the last interval is unbounded.
  found.range = range_of(h, h_minus_1, a, !(known.h.back().x * a >= 1));
  return found;
}

// The sufficient width relative to f or to the power, whichever is smaller.
constexpr double sufficient_width = 1e-6;
// Points that are closer to each other than this give no more information.
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

// Returns whether the remaining width is as narrow as the known values themselves.
bool at_the_noise(const KnownErrors& known, const Bracket& bracket) {
  const auto width = [&](std::size_t i) {
    return std::min(known.h[i].upper - known.h[i].lower, known.h_minus_1[i].upper - known.h_minus_1[i].lower);
  };
  return bracket.gap <= 4 * std::min(width(bracket.interval), width(bracket.interval + 1));
}

// Returns ln x of the next point, or std::nullopt where none would help. Alternating between halving and the most
// promising point keeps a kink near one end from shrinking the interval by little each time.
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

// At type I error 0 only outcomes that Q cannot produce identify P: the power is P(q = 0).
LeastError without_type_one(const KnownDeltas& deltas, Direction direction) {
  const ExactInterval infinite_mass = deltas.infinite_mass(direction);
  if (infinite_mass.upper == 0) return {{1, 1}, {0, 0}};
  return {{std::max(0.0, next_down(1 - infinite_mass.upper)), std::min(1.0, next_up(1 - infinite_mass.lower))},
          {infinite_mass.lower, infinite_mass.upper}};
}

LeastError least_error(KnownDeltas& deltas, Direction direction, double a) {
  if (a == 0) return without_type_one(deltas, direction);
  if (a == 1) return {{0, 0}, {1, 1}};
  deltas.ask(std::min(1 - std::log(a), largest_exponent));  // a point beyond 1/a
  LeastError best;
  for (int i = 0; i < most_refinements; ++i) {
    const KnownErrors known = known_errors(deltas, direction, a);
    const Bracket bracket = bracket_of(known, a);
    best = bracket.range;
    if (narrow_enough(best) || at_the_noise(known, bracket)) break;
    const std::optional<double> s = next_exponent(known, bracket, i % 2 == 1);
    if (!s) break;
    if (!deltas.ask(std::abs(*s))) break;
  }
  return best;
}

// An atom at the largest finite loss is a kink of h.
void ask_largest_losses(KnownDeltas& deltas, const Analysis& analysis) {
  auto curve = analysis.curve();
  if (auto finite = curve->finite_part()) curve = std::move(finite);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const double largest = curve->max_loss(direction).upper();
    if (largest <= largest_exponent) deltas.ask(largest);
  }
}

Interval smaller(const Interval& a, const Interval& b) {
  return {std::min(a.lower, b.lower), std::min(a.upper, b.upper)};
}

Interval larger(const Interval& a, const Interval& b) {
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
}  // namespace tradeoff_file
}  // namespace renyi::exact

namespace renyi {

std::vector<TradeoffPoint> tradeoff(const Analysis& analysis, std::span<const double> type_one_errors,
                                    const ExactOptions& options) {
  for (const double a : type_one_errors) {
    if (!(a >= 0 && a <= 1)) throw InvalidArgument("type_one_errors", fmt::format("{}", a), "numbers in [0, 1]");
  }
  // Many deltas are needed, so the lattice refines each of them less than it would a single one.
  ExactOptions coarser = options;
  coarser.tolerance = std::max(options.tolerance, 1e-4);
  exact::tradeoff_file::KnownDeltas deltas(analysis, coarser);
  exact::tradeoff_file::ask_largest_losses(deltas, analysis);
  std::vector<TradeoffPoint> result;
  for (const double a : type_one_errors) {
    stop_if_overdue();
    result.push_back(exact::tradeoff_file::point_at(deltas, a));
  }
  return result;
}

Interval advantage(const Analysis& analysis, const ExactOptions& options) {
  const ExactInterval total_variation = PrivacyProfile(analysis, options).delta(0).worst;
  return {total_variation.lower, total_variation.upper};
}

}  // namespace renyi
