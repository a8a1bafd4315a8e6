// The class Curve: the log-moment curve of the privacy loss, from which all answers of the library are computed.
//
// Let P and Q be the output distributions of a mechanism on two neighbouring datasets. The privacy loss is
// L = ln(P(x)/Q(x)), where x is drawn from P. The curve is its cumulant generating function
// (docs/math/log-moment-curve.md)
//
//     K(z) = ln E_P[exp(z L)],   Re z >= 0.
//
// The Renyi divergence of order a is K(a-1)/(a-1), composition adds curves, and the Renyi bound on (epsilon, delta) is
// a minimum over the real axis.
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

// The direction states which of two neighbouring datasets gives P. Under add-or-remove-one, `remove` compares the
// output with the record (P) to the output without it (Q); `add` exchanges P and Q. For mechanisms that treat both
// datasets alike, both directions have the same values.
enum class Direction { remove, add };

// Returns the other direction.
[[nodiscard]] constexpr Direction opposite(Direction direction) noexcept {
  return direction == Direction::remove ? Direction::add : Direction::remove;
}
// Returns "remove" or "add".
[[nodiscard]] constexpr std::string_view to_string(Direction direction) noexcept {
  return direction == Direction::remove ? "remove" : "add";
}

// K at one real point, with its first two derivatives: |value - K| <= error and |slope - K'| <= slope_error. The
// curvature is an estimate without an error bound; it guides searches.
struct LogMoment {
  double value = 0;
  double error = 0;
  double slope = 0;
  double slope_error = 0;
  double curvature = 0;
};

// K at one complex point: |value - K| <= error for the principal logarithm.
struct ComplexLogMoment {
  std::complex<double> value;
  double error = 0;
};

// How much a curve states about the privacy loss.
enum class Knowledge {
  loss,     // K belongs to the privacy loss itself
  profile,  // K belongs to a dominating pair, which bounds (epsilon, delta) from above; the privacy loss itself is
            // not known
  orders,   // K is an upper bound at real orders; there are no values at complex points
};

// A bound on how fast divergences grow with the order: K(z) <= z (xi + rho (z+1)) at all orders z+1 up to the last one.
// If the last order is infinite, the bound holds with no smaller rho, whatever xi is.
struct Growth {
  double xi = 0;
  double rho = 0;
};

// The first three cumulants of the privacy loss, each with an estimate of its error. The cumulants of independent steps
// add.
struct Cumulants {
  double mean = 0;
  double mean_error = 0;
  double variance = 0;
  double variance_error = 0;
  double third = 0;  // third central moment
  double third_error = 0;
};

// A curve on the vertical line c + iy of the complex plane: phi(y) = exp(K(c+iy) - K(c)) is the characteristic
// function of the privacy loss distribution tilted by exp(c L). ln phi and its bounds add over steps.
class VerticalLine {
 public:
  virtual ~VerticalLine() = default;

  // Returns ln phi(y) for y >= 0, up to a multiple of 2 pi i. If phi(y) is lost in rounding, the error is infinite and
  // the real part is an upper bound on ln |phi(y)|.
  [[nodiscard]] virtual ComplexLogMoment log_phi(double y) const = 0;
  // Computes ln phi at y = first + j step for j = 0, 1, ..., which may be faster than one point at a time.
  virtual void log_phis(double first, double step, std::span<ComplexLogMoment> values) const {
    for (std::size_t j = 0; j < values.size(); ++j) values[j] = log_phi(first + static_cast<double>(j) * step);
  }
  // Returns a bound on |m|, where ln phi(y) may have an additional error of i y m with the same m on the whole line, as
  // if the privacy loss were shifted by m.
  [[nodiscard]] virtual double shift_error() const { return 0; }
  // These functions return upper bounds on ln |phi(v)| for y > 0: `decay` for every v in [y, 2y], `decay_beyond` for
  // every v >= y. The second never increases with y.
  [[nodiscard]] virtual double decay(double y) const { return decay_beyond(y); }
  [[nodiscard]] virtual double decay_beyond(double /*y*/) const { return 0; }
  // Returns an estimate of the time for one point, in units of one call of std::exp.
  [[nodiscard]] virtual double cost(double /*y*/) const { return 20; }
  // Returns the number of different steps of which the line is composed.
  [[nodiscard]] virtual std::size_t distinct_steps() const { return 1; }

 protected:
  VerticalLine() = default;
  VerticalLine(const VerticalLine&) = default;
  VerticalLine& operator=(const VerticalLine&) = default;
};

// The log-moment curve of a mechanism or of a whole plan. Curves are immutable, and const member functions may be
// called from several threads at once. Curves come from Mechanism::curve and compose (renyi/plan.h).
//
//     const std::shared_ptr<const renyi::Curve> curve = renyi::Mechanism(renyi::Laplace{.scale = 2}).curve();
//     curve->log_moment(1, renyi::Direction::remove).value;  // K(1), the Renyi divergence of order 2
//     curve->max_loss(renyi::Direction::remove).upper();     // 1 / 2, the pure epsilon
class Curve {
 public:
  virtual ~Curve() = default;

  // Returns K(z) for real z in [0, largest_order]. K(z) is infinite if the order z+1 is above last_order(). The slope
  // at z = 0 is the Kullback-Leibler divergence. Throws InvalidArgument if z is out of range.
  [[nodiscard]] LogMoment log_moment(double z, Direction direction) const;
  // Returns K(z) for complex z with Re z in [0, largest_order]. Throws Unsupported above the last order.
  [[nodiscard]] ComplexLogMoment log_moment(std::complex<double> z, Direction direction) const;
  // Returns K(z) of the direction in which it is larger at this z, which determines (order, epsilon)-RDP.
  [[nodiscard]] LogMoment worst_log_moment(double z) const;
  // Returns the essential supremum of the privacy loss, which is the divergence of order infinity. It may be infinite.
  [[nodiscard]] Bounded max_loss(Direction direction) const { return max_loss_at(direction); }
  // Returns the larger of max_loss in the two directions.
  [[nodiscard]] Bounded worst_max_loss() const;
  // Returns the largest privacy loss as a quotient if it is the quotient of two parameters, so that sums of it are
  // exact. Returns std::nullopt if max_loss gives the number itself (as a decimal number if its error is 0), or if the
  // loss is unbounded.
  [[nodiscard]] virtual std::optional<Quotient> max_loss_quotient(Direction /*direction*/) const {
    return std::nullopt;
  }

  // Returns the largest order with a finite divergence: K(z) is infinite at z > last_order() - 1. The default is
  // infinity.
  [[nodiscard]] virtual double last_order() const;
  // Returns what the curve states about the privacy loss.
  [[nodiscard]] virtual Knowledge knowledge() const { return Knowledge::loss; }
  // Returns a description of the pair of distributions (P, Q), by which the modules of the library choose their methods
  // (src/mechanism/law.h). By default nothing but K is known. The result may point into the curve.
  [[nodiscard]] virtual mechanism::Law law() const;
  // Returns whether K is known to be the same in both directions, so that one of them is enough.
  [[nodiscard]] virtual bool is_symmetric() const { return false; }
  // Returns the direction in which K is larger at every order, if it is known, so that the other one need not be
  // evaluated. If both directions are the same, the result is `remove`.
  [[nodiscard]] virtual std::optional<Direction> larger_direction() const {
    return is_symmetric() ? std::optional(Direction::remove) : std::nullopt;
  }
  // Returns the probability that the privacy loss is infinite. If it is above 0, K is infinite at every order above 1.
  [[nodiscard]] virtual Bounded infinite_mass(Direction /*direction*/) const { return {}; }
  // Returns the finite part if the privacy loss can be infinite, else nullptr. The finite part is the curve of the pair
  // under the condition that the outcome is possible under both P and Q. A finite loss is the loss of the finite part
  // plus ln((1-d0)/(1-d1)), where d0 is the infinite mass of this direction and d1 that of the other
  // (docs/math/infinite-loss.md).
  [[nodiscard]] virtual std::shared_ptr<const Curve> finite_part() const { return nullptr; }
  // For Knowledge::orders: returns the curve of a dominating pair if one is known, else nullptr. Its divergences may be
  // larger than those of this curve.
  [[nodiscard]] virtual std::shared_ptr<const Curve> dominating_curve() const { return nullptr; }
  // Returns a bound on the growth of the larger direction, rounded up. The default follows from the largest loss.
  [[nodiscard]] virtual Growth growth() const { return {worst_max_loss().upper(), 0}; }

  // Returns the vertical line through c in (0, largest_order], for integrals along it. The line refers to the curve,
  // which must outlive it. Throws Unsupported for Knowledge::orders and above the last order.
  [[nodiscard]] std::unique_ptr<const VerticalLine> line(double c, Direction direction) const;

  // These two functions are for Knowledge::loss only; otherwise they throw Unsupported.
  // Returns -ln E_Q[(P/Q)^a] >= 0 for a in [0, 1], which is (1-a) times the divergence of order a.
  [[nodiscard]] Bounded chernoff(double a, Direction direction) const;
  // Returns the cumulants of the privacy loss.
  [[nodiscard]] Cumulants cumulants(Direction direction) const;

 protected:
  Curve() = default;
  Curve(const Curve&) = default;
  Curve& operator=(const Curve&) = default;

  // Override these if the privacy loss is known. `a` is in [1/2, 1).
  virtual Bounded chernoff_at(double a, Direction direction) const;
  virtual Cumulants cumulants_at(Direction direction) const;

 private:
  virtual LogMoment real_at(double z, Direction direction) const = 0;
  virtual ComplexLogMoment complex_at(std::complex<double> z, Direction direction) const = 0;
  virtual Bounded max_loss_at(Direction direction) const = 0;
  // Override this if bounds on the decay are known, or if points on one line can share work.
  virtual std::unique_ptr<const VerticalLine> line_at(double c, Direction direction) const;
};

// Orders are from 1 to this number, or infinite.
inline constexpr double largest_order = 1e100;

// Returns the Renyi divergence of this order in one direction: K(order-1)/(order-1), the Kullback-Leibler divergence at
// order 1, and the largest privacy loss at order infinity. It may be infinite.
//
//     renyi::divergence(*curve, 2, renyi::Direction::remove).upper();
[[nodiscard]] Bounded divergence(const Curve& curve, double order, Direction direction);

// Returns the larger divergence of the two directions, which is the epsilon of (order, epsilon)-RDP.
//
//     renyi::rdp(*curve, 2).upper();
[[nodiscard]] Bounded rdp(const Curve& curve, double order);

// Throws InvalidArgument unless `order` is in [1, largest_order] or infinite.
void check_order(double order);

}  // namespace renyi
