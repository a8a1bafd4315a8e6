// Building blocks for the curves of mechanisms, in addition to renyi/extras/curve.h: a vertical line that evaluates the
// curve at each point separately, and base classes of curves that are the same in both directions and of curves whose
// loss takes countably many values.
#pragma once

#include <algorithm>
#include <complex>
#include <limits>
#include <memory>
#include <vector>

#include "numerics/mass.h"
#include "numerics/rounding.h"
#include "renyi/extras/curve.h"
#include "renyi/mechanism.h"

namespace renyi::mechanism {

// A vertical line that evaluates the curve at each of its points separately.
class PointwiseLine : public VerticalLine {
 public:
  PointwiseLine(const Curve& curve, double c, Direction direction);

  ComplexLogMoment log_phi(double y) const override;
  // Bounds the decay by the variance, for losses that are bounded.
  double decay(double y) const override;

 protected:
  const LogMoment& base() const { return base_; }  // K(c)

 private:
  const Curve& curve_;
  double c_;
  Direction direction_;
  LogMoment base_;
  double range_;  // the largest loss minus the smallest
};

// Base of curves that are the same in both directions.
class SymmetricCurve : public Curve {
 public:
  bool is_symmetric() const final { return true; }

 private:
  virtual LogMoment at(double z) const = 0;
  virtual ComplexLogMoment at(std::complex<double> z) const = 0;
  virtual Bounded supremum() const = 0;  // supremum of the loss
  virtual Bounded chernoff_of(double a) const { return Curve::chernoff_at(a, Direction::remove); }
  virtual Cumulants cumulants_of() const { return Curve::cumulants_at(Direction::remove); }

  LogMoment real_at(double z, Direction) const final { return at(z); }
  ComplexLogMoment complex_at(std::complex<double> z, Direction) const final { return at(z); }
  Bounded max_loss_at(Direction) const final { return supremum(); }
  Bounded chernoff_at(double a, Direction) const final { return chernoff_of(a); }
  Cumulants cumulants_at(Direction) const final { return cumulants_of(); }
};

// The curve of a step that reveals nothing.
class ZeroCurve final : public SymmetricCurve {
  LogMoment at(double) const override { return {}; }
  ComplexLogMoment at(std::complex<double>) const override { return {}; }
  Bounded supremum() const override { return {}; }
  Bounded chernoff_of(double) const override { return {}; }
  Cumulants cumulants_of() const override { return {}; }

 public:
  Growth growth() const override { return {}; }
};

// Returns a value with `ulps` roundings of relative error.
inline Bounded with_relative_error(double value, double ulps) {
  return {value, ulps * numerics::unit_roundoff * value};
}

// Returns a moment whose value and slope carry `ulps` roundings of relative error.
inline LogMoment with_relative_error(double value, double slope, double curvature, double ulps) {
  const double relative = ulps * numerics::unit_roundoff;
  return {value, relative * value, slope, relative * slope, std::max(0.0, curvature)};
}

// P's mass at one loss.
struct LossAtom {
  double loss = 0;
  double loss_error = 0;  // absolute
  numerics::Mass p{};     // relative error a few units

  bool operator==(const LossAtom&) const = default;
};

// Upper bounds on ln of P's mass that the list omits; -infinity means that nothing is omitted.
struct LeftOut {
  double log_above = -std::numeric_limits<double>::infinity();  // losses above the last atom
  double log_below = -std::numeric_limits<double>::infinity();  // losses below the first
};

// A curve whose loss takes countably many values, with what exact accounting needs in addition to K.
class AtomicCurve : public Curve {
 public:
  Law law() const override;
  // True if the atoms are few enough to be listed; otherwise only K may be evaluated.
  virtual bool is_listed() const { return true; }
  // Returns the atoms that matter, in ascending order of the loss and without repeated losses.
  virtual const std::vector<LossAtom>& atoms(Direction direction) const = 0;
  virtual LeftOut left_out(Direction /*direction*/) const { return {}; }
  // True if the list is the whole distribution of the loss in both directions.
  virtual bool is_complete() const { return true; }
  // Returns sup over events S of P(S) - exp(epsilon) Q(S).
  virtual Bounded hockey_stick(double epsilon, Direction direction) const = 0;
};

// Returns the hockey-stick divergence of the listed atoms; its upper bound includes the mass omitted above the list.
Bounded listed_hockey_stick(const AtomicCurve& curve, double epsilon, Direction direction);

// Returns the curve, or the curve of a mechanism that is not sampled, if it is an AtomicCurve; otherwise a null
// pointer.
std::shared_ptr<const AtomicCurve> atomic_curve_of(const std::shared_ptr<const Curve>& curve);
std::shared_ptr<const AtomicCurve> atomic_curve_of(const Mechanism& mechanism);

}  // namespace renyi::mechanism
