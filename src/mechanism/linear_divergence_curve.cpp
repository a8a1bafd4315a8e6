#include "mechanism/linear_divergence_curve.h"

#include "renyi/error.h"

namespace renyi::mechanism {

namespace {
constexpr double linear_ulps = 8;  // of d1, rho, sum, products
}

LinearDivergenceCurve::LinearDivergenceCurve(double d1, double rho, double last_order)
    : d1_(d1), rho_(rho), last_order_(last_order) {
  if (d1 > 0) return;
  // D_1 = 0: both laws are the same, and no order tells them apart.
  rho_ = 0;
  last_order_ = std::numeric_limits<double>::infinity();
}

// K(z) = z D_(1+z)
LogMoment LinearDivergenceCurve::at(double z) const {
  return with_relative_error(z * (d1_ + rho_ * z), d1_ + 2 * rho_ * z, 2 * rho_, linear_ulps);
}

ComplexLogMoment LinearDivergenceCurve::at(std::complex<double>) const {
  throw Unsupported("z", "the step is known by its divergences at real orders only", "use real orders");
}

// A bound at every order that does not grow is one on the loss itself.
Bounded LinearDivergenceCurve::supremum() const {
  const double infinity = std::numeric_limits<double>::infinity();
  if (rho_ > 0 || last_order_ < infinity) return {infinity, 0};
  return {d1_, 0};  // a parameter as it was given
}

Growth LinearDivergenceCurve::growth() const {
  const double up = 1 + 2 * linear_ulps * numerics::unit_roundoff;
  return {std::max(0.0, d1_ - rho_) * up, rho_ * up};
}

}  // namespace renyi::mechanism
