// One step of a revealed mixture of one-dimensional pairs: its delta is the mixture of their deltas, and the delta of
// one pair is (docs/math/exact-closed-forms.md, "One sampled pair")
//
//     remove, or symmetric: delta = int_{l > epsilon} P (1 - e^(epsilon - l)) dx,    P = Q e^l,
//     add:                  delta = int_{l < -epsilon} Q (1 - e^(epsilon + l)) dx.
#include <cmath>
#include <limits>

#include "exact/closed_form/profile.h"
#include "exact/pair_quadrature.h"
#include "numerics/rounding.h"
#include "renyi/limits.h"

namespace renyi::exact {

using numerics::unit_roundoff;

namespace pairs_file {
namespace {

using monotone::MonotonePair;
using monotone::PairPoint;
using numerics::times_exp;

// ln of the mass beyond the last piece relative to the integral, and ln of a mass that no double can represent.
constexpr double log_left = -40, log_nothing = -800;
// The smallest double is larger than exp(log_least).
constexpr double log_least = -760;
constexpr int most_pieces = 3000;
constexpr double most_turns = 60;

// An integral of positive terms, in units of exp(log_unit).
struct Integral {
  double log_unit = 0;
  double value = 0;
  double error = 0;
  double beyond = 0;  // a bound on the mass that is missing

  Interval ends() const {
    const double slop = error + lattice::gauss_legendre_error * value;
    const double upper = times_exp(value + slop + beyond, log_unit), lower = times_exp(value - slop, log_unit);
    return {lower > 0 ? numerics::next_down(lower) : 0, numerics::next_up(upper)};
  }
};

// delta(epsilon) of one pair. If `rising`, the losses are l, under P; otherwise they are -l, under Q.
class PairDelta {
 public:
  PairDelta(const MonotonePair& pair, bool rising, double epsilon) : pair_(pair), rising_(rising), epsilon_(epsilon) {}

  Interval ends() const {
    const Bounded largest = rising_ ? pair_.largest_loss() : pair_.largest_fall();
    if (epsilon_ >= largest.upper()) return {0, 0};
    const LocatedPoint start = edge();
    Integral integral{.log_unit = log_beyond(start.x)};
    charge_edge(start, integral);
    add_atom(largest, integral);
    if (integral.log_unit < log_least) return {0, std::numeric_limits<double>::denorm_min()};
    LocatedPoint from = start;
    integral.beyond = 1;
    double step = 0;
    for (int i = 0; i < most_pieces; ++i) {
      stop_if_asked();
      step = next_step(from, step);
      const double x = within(from.x + (rising_ ? step : -step));
      if (x == from.x) break;
      const LocatedPoint to = place_at(pair_, x);
      add_piece(from, to, integral);
      from = to;
      const double left = log_beyond(x) - integral.log_unit;
      integral.beyond = std::exp(left);
      if (left < log_nothing || left < std::log(integral.value) + log_left) break;
    }
    if (from.x == within(from.x + (rising_ ? 1 : -1) * HUGE_VAL)) integral.beyond = 0;
    return integral.ends();
  }

 private:
  double within(double x) const { return std::clamp(x, pair_.first(), pair_.last()); }
  // Returns an upper bound on ln of P's mass beyond x, in the direction of larger losses.
  double log_beyond(double x) const { return rising_ ? pair_.log_p_above(x) : pair_.log_q_below(x); }

  // Returns the length of the next piece: at first the length over which the densities change by much, then longer and
  // longer, but never so long that a piece takes too many nodes. Where the pieces do not suffice even so, the mass
  // beyond them is included in the error bound.
  double next_step(const LocatedPoint& from, double last) const {
    const double rate = rate_near(from, from, pair_.scale());
    return std::min({std::max(1.5 * last, 4 / rate), pair_.scale(), most_turns / rate});
  }

  double log_p(const PairPoint& at) const { return rising_ ? at.log_q + at.loss : at.log_q; }
  double off(const PairPoint& at) const { return at.loss - (rising_ ? epsilon_ : -epsilon_); }

  // Returns the point at which the loss is epsilon: the error of x_at may be larger than that of the loss.
  LocatedPoint edge() const {
    const double x = pair_.x_at(rising_ ? epsilon_ : -epsilon_);
    LocatedPoint place = place_at(pair_, std::isfinite(x) ? x : pair_.zero());
    for (int i = 0; i < 8 && std::abs(off(place.at)) > place.at.loss_error; ++i) {
      const LocatedPoint next = place_at(pair_, within(place.x - off(place.at) / place.slope()));
      if (!(std::abs(off(next.at)) < std::abs(off(place.at)))) break;
      place = next;
    }
    return place;
  }

  // Adds the triangle between the exact edge and the computed point to the error bound.
  void charge_edge(const LocatedPoint& place, Integral& integral) const {
    const double d = std::abs(off(place.at)) + place.at.loss_error;
    integral.error += std::exp(log_p(place.at) - integral.log_unit) * d * (d / place.slope());
  }

  void add_atom(const Bounded& largest, Integral& integral) const {
    const double log_q = rising_ ? pair_.log_mass_above() : pair_.log_mass_below(), l = largest.value;
    if (!std::isfinite(log_q)) return;
    const double mass = std::exp(log_q + (rising_ ? l : 0) - integral.log_unit), gap = l - epsilon_;
    const double share = 8 * unit_roundoff * (4 + std::abs(integral.log_unit) + l - log_q) + largest.error;
    integral.value += mass * std::max(0.0, -std::expm1(-gap));
    integral.error += mass * (share * std::abs(std::expm1(-gap)) + largest.error + 4 * unit_roundoff * std::abs(gap));
  }

  void add_piece(const LocatedPoint& a, const LocatedPoint& b, Integral& integral) const {
    integrate_pair(pair_, rising_ ? a : b, rising_ ? b : a, [&](const PairPoint& at, double weight) {
      const double loss = rising_ ? at.loss : -at.loss;
      const double mass = weight * std::exp(log_p(at) - integral.log_unit), part = -std::expm1(epsilon_ - loss);
      const double share = at.log_q_error + at.loss_error +
                           2 * unit_roundoff * (8 + std::abs(at.log_q) + std::abs(loss) + std::abs(integral.log_unit));
      integral.value += mass * part;
      integral.error += mass * (share * std::abs(part) + at.loss_error + unit_roundoff * std::abs(loss - epsilon_));
    });
  }

  const MonotonePair& pair_;
  bool rising_;
  double epsilon_;
};

}  // namespace
}  // namespace pairs_file

Profile pairs_profile(std::shared_ptr<const monotone::PairsCurve> pairs, Direction direction) {
  return [pairs = std::move(pairs), direction](double epsilon) {
    const double rounding = 4 * unit_roundoff * static_cast<double>(pairs->components().size());
    Interval sum{0, 0};
    for (const monotone::WeightedPair& component : pairs->components()) {
      // Only losses above 0 count: those of a component of two halves are those of one of its pairs.
      const bool swapped = component.other && direction == Direction::add;
      const monotone::MonotonePair& pair = swapped ? *component.other : *component.pair;
      const bool rising = pair.is_symmetric() || direction == Direction::remove;
      const Interval delta = pairs_file::PairDelta(pair, rising, epsilon).ends();
      sum.lower += component.weight * delta.lower;
      if (delta.upper != 0) sum.upper += numerics::next_up(component.weight * delta.upper);  // 0 only if exactly 0
    }
    if (sum.upper == 0) return sum;
    return Interval{std::max(0.0, numerics::next_down(sum.lower * (1 - rounding))),
                    std::min(1.0, numerics::next_up(sum.upper * (1 + rounding)))};
  };
}

}  // namespace renyi::exact
