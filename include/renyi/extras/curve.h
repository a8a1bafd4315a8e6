// One object per mechanism: the log-moment curve of its privacy loss.
//
// Neighbouring inputs give a mechanism two output laws P and Q; the privacy
// loss is L = ln(P(x)/Q(x)) with x ~ P. The curve is its cumulant generating
// function (docs/math/log-moment-curve.md)
//
//     K(z) = ln E_P[exp(z L)],   Re z >= 0,
//
// and every answer of the library is read off it: the Renyi divergence of order
// a is K(a-1)/(a-1), composition adds curves, (epsilon, delta) minimises over
// the real axis.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "renyi/interval.h"

namespace renyi {

namespace mechanism {
struct Law;
}

// Which neighbour is P. Under add-or-remove-one, `remove` compares the output
// with the record (P) to the output without it (Q); `add` swaps the two.
// Mechanisms that treat both neighbours alike answer the same for both.
enum class Direction { remove, add };

constexpr Direction opposite(Direction direction) noexcept {
  return direction == Direction::remove ? Direction::add : Direction::remove;
}
constexpr std::string_view to_string(Direction direction) noexcept {
  return direction == Direction::remove ? "remove" : "add";
}

// K at one real point, with its first two derivatives. |value - K| <= error and
// |slope - K'| <= slope_error; the curvature guides searches and is no bound.
struct LogMoment {
  double value = 0;
  double error = 0;
  double slope = 0;
  double slope_error = 0;
  double curvature = 0;
};

// K at one complex point; |value - K| <= error for the principal logarithm.
struct ComplexLogMoment {
  std::complex<double> value;
  double error = 0;
};

// How much a curve says about the privacy loss.
enum class Knowledge {
  loss,     // K is that of the loss itself
  profile,  // K is that of a pair whose (epsilon, delta) lie on or above the step's: no law of the loss
  orders,   // upper bounds at real orders; complex points are refused
};

// K(z) <= z (xi + rho (z+1)) for all z up to the last order, with no smaller rho
// for any xi where that is infinite: how fast divergences grow with the order.
struct Growth {
  double xi = 0;
  double rho = 0;
};

// The first three cumulants of the loss, each with its error estimate. They add.
struct Cumulants {
  double mean = 0;
  double mean_error = 0;
  double variance = 0;
  double variance_error = 0;
  double third = 0;  // third central moment
  double third_error = 0;
};

// A curve on the vertical line c + iy: phi(y) = exp(K(c+iy) - K(c)) is the characteristic
// function of the loss tilted by exp(c L). Logarithms and their bounds add over steps.
class VerticalLine {
 public:
  virtual ~VerticalLine() = default;

  // ln phi(y), y >= 0, up to a multiple of 2 pi i. Where rounding hides phi the error is infinite and the real part is
  // at least ln |phi(y)|.
  virtual ComplexLogMoment log_phi(double y) const = 0;
  // The same at y = first + j step, j = 0, 1, ...: in a row points may cost less.
  virtual void log_phis(double first, double step, std::span<ComplexLogMoment> values) const {
    for (std::size_t j = 0; j < values.size(); ++j) values[j] = log_phi(first + static_cast<double>(j) * step);
  }
  // ln phi(y) may be off by i y m as well, |m| <= this: the same m on the whole line, as if the loss were shifted by
  // it.
  virtual double shift_error() const { return 0; }
  // At least ln |phi(v)| for every v in [y, 2y], and for every v >= y; y > 0. The second never rises with y.
  virtual double decay(double y) const { return decay_beyond(y); }
  virtual double decay_beyond(double /*y*/) const { return 0; }
  // Roughly what one point costs, in units of one exp.
  virtual double cost(double /*y*/) const { return 20; }
  // How many different steps it is composed of.
  virtual std::size_t distinct_steps() const { return 1; }

 protected:
  VerticalLine() = default;
  VerticalLine(const VerticalLine&) = default;
  VerticalLine& operator=(const VerticalLine&) = default;
};

// Implementations are immutable to their callers: const operations may be
// called from several threads at once.
class Curve {
 public:
  virtual ~Curve() = default;

  // K(z) for real z in [0, largest_order]; infinite above the last order. The slope at z = 0 is the Kullback-Leibler
  // divergence.
  LogMoment log_moment(double z, Direction direction) const;
  // K(z) for complex z with Re z in [0, largest_order].
  ComplexLogMoment log_moment(std::complex<double> z, Direction direction) const;
  // The larger of the two directions at this z: what (order, epsilon)-RDP uses.
  LogMoment worst_log_moment(double z) const;
  // Essential supremum of the loss: the divergence of order infinity. May be infinite.
  Bounded max_loss(Direction direction) const { return max_loss_at(direction); }
  // The larger of the two directions.
  Bounded worst_max_loss() const;
  // The largest loss where it is the quotient of two parameters, so that sums of it are exact; nothing where the one
  // number above says it (without an error: as written) or it is infinite.
  virtual std::optional<Quotient> max_loss_quotient(Direction /*direction*/) const { return std::nullopt; }

  // K is infinite above this order.
  virtual double last_order() const;
  virtual Knowledge knowledge() const { return Knowledge::loss; }
  // The pair of laws behind it, by which the library's rooms choose their methods (src/mechanism/law.h); by default
  // nothing beyond K is said. It may point into the curve.
  virtual mechanism::Law law() const;
  // Whether both directions are known to be the same: then asking for one is enough.
  virtual bool is_symmetric() const { return false; }
  // The direction that is the larger at every order, where that is known: it is then the only one to ask. Of curves
  // whose directions are the same, remove.
  virtual std::optional<Direction> larger_direction() const {
    return is_symmetric() ? std::optional(Direction::remove) : std::nullopt;
  }
  // The probability that the loss is infinite. Where it is above 0, K is infinite at every order above 1, and what is
  // left is the finite part: the pair given an outcome that both laws have. The loss is that of the finite part plus
  // ln((1-d0)/(1-d1)), d0 the mass of this direction and d1 that of the other (docs/math/infinite-loss.md).
  virtual Bounded infinite_mass(Direction /*direction*/) const { return {}; }
  virtual std::shared_ptr<const Curve> finite_part() const { return nullptr; }
  // For Knowledge::orders: the curve of a pair whose (epsilon, delta) lie on or above the step's, if one is known. Its
  // divergences may be larger than those of this curve.
  virtual std::shared_ptr<const Curve> dominating_curve() const { return nullptr; }
  // Of the larger direction, rounded up. By default what the largest loss says.
  virtual Growth growth() const { return {worst_max_loss().upper(), 0}; }

  // The vertical line through c in (0, largest_order], for integrals along it. It refers to the curve.
  std::unique_ptr<const VerticalLine> line(double c, Direction direction) const;

  // The law of the loss, for Knowledge::loss only; otherwise Unsupported.
  // -ln E_Q[(P/Q)^a] >= 0 for a in [0, 1]: (1-a) times the divergence of order a.
  Bounded chernoff(double a, Direction direction) const;
  Cumulants cumulants(Direction direction) const;

 protected:
  Curve() = default;
  Curve(const Curve&) = default;
  Curve& operator=(const Curve&) = default;

  // Override where the loss is known. a is in [1/2, 1).
  virtual Bounded chernoff_at(double a, Direction direction) const;
  virtual Cumulants cumulants_at(Direction direction) const;

 private:
  virtual LogMoment real_at(double z, Direction direction) const = 0;
  virtual ComplexLogMoment complex_at(std::complex<double> z, Direction direction) const = 0;
  virtual Bounded max_loss_at(Direction direction) const = 0;
  // Override where something is known of the decay, or points on one line share work.
  virtual std::unique_ptr<const VerticalLine> line_at(double c, Direction direction) const;
};

// Orders are from 1 to this, or infinity.
inline constexpr double largest_order = 1e100;

// Renyi divergence of order `order` in one direction: K(order-1)/(order-1), its limit
// at 1, the largest loss at infinity (which may be infinite).
Bounded divergence(const Curve& curve, double order, Direction direction);

// (order, epsilon)-RDP: the larger of the two directions.
Bounded rdp(const Curve& curve, double order);

// Throws InvalidArgument unless `order` is in [1, largest_order] or infinite.
void check_order(double order);

}  // namespace renyi
