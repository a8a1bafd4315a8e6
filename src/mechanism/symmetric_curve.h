// Base of curves whose two directions are the same.
#pragma once

#include <algorithm>
#include <complex>

#include "numerics/rounding.h"
#include "renyi/curve.h"

namespace renyi::mechanism {

class SymmetricCurve : public Curve {
 public:
  bool is_symmetric() const final { return true; }

 private:
  virtual LogMoment at(double z) const = 0;
  virtual ComplexLogMoment at(std::complex<double> z) const = 0;
  virtual Bounded supremum() const = 0;  // of the loss
  virtual Bounded chernoff_of(double a) const { return Curve::chernoff_at(a, Direction::remove); }
  virtual Cumulants cumulants_of() const { return Curve::cumulants_at(Direction::remove); }

  LogMoment real_at(double z, Direction) const final { return at(z); }
  ComplexLogMoment complex_at(std::complex<double> z, Direction) const final { return at(z); }
  Bounded max_loss_at(Direction) const final { return supremum(); }
  LogMoment worst_at(double z) const final { return at(z); }
  Bounded chernoff_at(double a, Direction) const final { return chernoff_of(a); }
  Cumulants cumulants_at(Direction) const final { return cumulants_of(); }
};

// A step that reveals nothing.
class ZeroCurve final : public SymmetricCurve {
  LogMoment at(double) const override { return {}; }
  ComplexLogMoment at(std::complex<double>) const override { return {}; }
  Bounded supremum() const override { return {}; }
  Bounded chernoff_of(double) const override { return {}; }
  Cumulants cumulants_of() const override { return {}; }

 public:
  Growth growth() const override { return {}; }
};

// A value with `ulps` roundings of relative error.
inline Bounded with_relative_error(double value, double ulps) {
  return {value, ulps * numerics::unit_roundoff * value};
}

// A moment whose value and slope carry `ulps` roundings of relative error.
inline LogMoment with_relative_error(double value, double slope, double curvature, double ulps) {
  const double relative = ulps * numerics::unit_roundoff;
  return {value, relative * value, slope, relative * slope, std::max(0.0, curvature)};
}

}  // namespace renyi::mechanism
