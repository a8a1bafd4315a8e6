#include "plan/select/select_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plan/select/least_at.h"
#include "renyi/error.h"
#include "renyi/mechanism.h"

namespace renyi::plan {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double formula_rounding = 8 * numerics::unit_roundoff;
constexpr double smallest_z = 1e-12;
// Differences of this share of z stand for slopes.
constexpr double step = 1e-3;

}  // namespace

SelectCurve::SelectCurve(std::shared_ptr<const Curve> one_run, Toll toll, double once)
    : one_run_(std::move(one_run)), toll_(std::move(toll)), once_(once) {
  const double largest = supremum().upper();
  if (PureDp::parameters()[0].allows(largest)) pure_ = PureDp{largest}.curve();
}

// The toll is convex in z: its slope lies between the differences to either side.
Bounded SelectCurve::toll_slope(double z) const {
  if (toll_.linear || z == 0) return {toll_.steepest, 0};
  const double left = toll_.at(z * (1 - step)), here = toll_.at(z), right = toll_.at(z * (1 + step));
  const double below = (here - left) / (step * z), above = (right - here) / (step * z);
  return {0.5 * (below + above), 0.5 * std::abs(above - below) + formula_rounding / step * std::abs(above)};
}

LogMoment SelectCurve::plain(double z) const {
  LogMoment k = one_run_->worst_log_moment(z);
  const Bounded slope = toll_slope(z);
  if (std::isinf(k.value)) return k;
  if (z > 0) k.value += toll_.at(z) + once_;
  k.error += formula_rounding * k.value;
  k.slope += slope.value;
  k.slope_error += slope.error + formula_rounding * k.slope;
  return k;
}

double SelectCurve::bound(double z) const {
  const LogMoment k = one_run_->worst_log_moment(z);
  return (k.value + k.error + toll_.at(z) + once_) / z * (1 + formula_rounding);
}

// A step of bounded loss is pure DP, and has no larger moments than randomized response
// (docs/math/closed-form-curves.md).
LogMoment SelectCurve::at(double z) const {
  const LogMoment k = by_theorem(z);
  if (!pure_) return k;
  const LogMoment pure = pure_->worst_log_moment(z);
  const bool less =
      z == 0 ? pure.slope + pure.slope_error < k.slope + k.slope_error : pure.value + pure.error < k.value + k.error;
  return less ? pure : k;
}

// D_a <= D_b for a <= b (van Erven, Harremoes 2014, Theorem 3): K(z) <= z times the least bound at z or above.
LogMoment SelectCurve::by_theorem(double z) const {
  const Knee& knee = this->knee();
  if (z >= knee.z) return plain(z);
  const double d = knee.divergence, error = std::isinf(d) ? 0 : formula_rounding * d;
  return {z == 0 ? 0 : z * d, z * error, d, error, knee.curvature};
}

ComplexLogMoment SelectCurve::at(std::complex<double>) const {
  throw Unsupported("z", "private selection is bounded at real orders only", "use real orders");
}

Bounded SelectCurve::supremum() const {
  const double loss = one_run_->worst_max_loss().upper() + toll_.steepest;
  return {loss, std::isinf(loss) ? 0 : formula_rounding * loss};
}

const SelectCurve::Knee& SelectCurve::knee() const {
  std::call_once(found_, [this] { knee_ = find_knee(); });
  return knee_;
}

SelectCurve::Knee SelectCurve::find_knee() const {
  if (!(once_ > 0)) return {};
  const Knee end{infinity, supremum().upper(), 0};
  const double last = std::min(one_run_->last_order() - 1, largest_order);
  if (!(last > smallest_z)) return end;
  double z = least_at([this](double at) { return bound(at); }, smallest_z, last);
  if (last < largest_order && bound(last) <= bound(z)) z = last;
  const double divergence = bound(z);
  if (!(divergence < end.divergence)) return end;
  return {z, divergence, one_run_->worst_log_moment(z).curvature};
}

// D <= xi + rho (z+1) of one run, the steepest toll, and what is added once: never divided by less than the knee.
Growth SelectCurve::growth() const {
  const Knee& knee = this->knee();
  if (std::isinf(knee.z)) return {knee.divergence, 0};
  const Growth one = one_run_->growth();
  const double once = knee.z > 0 ? once_ / knee.z + one.rho * knee.z : 0;
  return {(one.xi + toll_.steepest + once) * (1 + formula_rounding), one.rho * (1 + formula_rounding)};
}

}  // namespace renyi::plan
