#include "plan/select/select_curve.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <mutex>
#include <vector>

#include "mechanism/curve.h"
#include "mechanism/replacement_steps.h"
#include "numerics/minimum.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::plan {
namespace select_curve_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double formula_rounding = 8 * numerics::unit_roundoff;
constexpr double smallest_z = 1e-12;
// Slopes are approximated by differences over this share of z.
constexpr double slope_step = 1e-3;

double upper(const LogMoment& k) { return k.value + k.error; }

// The curve of private selection: the curve of one run plus the penalty for choosing among runs.
class SelectCurve final : public mechanism::SymmetricCurve {
 public:
  // K(z) <= K of one run + penalty.at(z) + once for every z > 0.
  SelectCurve(std::shared_ptr<const Curve> one_run, SelectionPenalty penalty, double once);

  double last_order() const override { return one_run_->last_order(); }
  Knowledge knowledge() const override { return Knowledge::orders; }
  Growth growth() const override;

 private:
  // The order at which the bound on the divergence is smallest. Divergences never decrease with the order, so this
  // bound also holds at every smaller order.
  struct Knee {
    double z = 0;           // may be infinite
    double divergence = 0;  // the bound on the divergence there, rounded up
    double curvature = 0;   // a guide to searches at smaller orders
  };

  // A line between points of the two bounds, the theorem's and that of pure DP, used where both bounds are larger.
  struct Chord {
    double from = 0, to = 0;        // z
    double at_from = 0, at_to = 0;  // K, rounded up
  };

  LogMoment at(double z) const override;
  ComplexLogMoment at(std::complex<double> z) const override;
  Bounded supremum() const override;
  LogMoment lesser(double z) const;  // the smaller of the two bounds
  double gap(double z) const;        // the theorem's bound minus that of pure DP; z > 0
  const std::vector<Chord>& chords() const;
  std::vector<Chord> find_chords() const;
  Chord common_tangent(double crossing, bool theorem_first) const;
  double bound(double z) const;     // the bound on the divergence at z > 0 by the theorem alone
  LogMoment plain(double z) const;  // requires z > 0, or that once_ is 0
  LogMoment by_theorem(double z) const;
  LogMoment penalty(double z) const;
  const Knee& knee() const;
  Knee find_knee() const;

  std::shared_ptr<const Curve> one_run_;
  SelectionPenalty penalty_;
  double once_;
  std::shared_ptr<const Curve> pure_{};  // bounds any step with this largest loss, if that is finite
  mutable std::once_flag found_, joined_;
  mutable Knee knee_;
  mutable std::vector<Chord> chords_;
};

SelectCurve::SelectCurve(std::shared_ptr<const Curve> one_run, SelectionPenalty penalty, double once)
    : one_run_(std::move(one_run)), penalty_(std::move(penalty)), once_(once) {
  pure_ = mechanism::pure_curve(supremum().upper());
}

// The penalty is convex in z: its slope lies between the differences to either side.
LogMoment SelectCurve::penalty(double z) const {
  if (penalty_.linear || z == 0) return {.value = penalty_.steepest * z, .slope = penalty_.steepest};
  const double left = penalty_.at(z * (1 - slope_step)), here = penalty_.at(z),
               right = penalty_.at(z * (1 + slope_step));
  const double below = (here - left) / (slope_step * z), above = (right - here) / (slope_step * z);
  return {.value = here,
          .slope = 0.5 * (below + above),
          .slope_error = 0.5 * std::abs(above - below) + formula_rounding / slope_step * std::abs(above),
          .curvature = std::max(0.0, above - below) / (slope_step * z)};
}

LogMoment SelectCurve::plain(double z) const {
  stop_if_asked();
  LogMoment k = one_run_->worst_log_moment(z);
  if (std::isinf(k.value)) return k;
  const LogMoment added = penalty(z);
  if (z > 0) k.value += added.value + once_;
  k.error += formula_rounding * k.value;
  k.slope += added.slope;
  k.slope_error += added.slope_error + formula_rounding * k.slope;
  k.curvature += added.curvature;
  return k;
}

double SelectCurve::bound(double z) const {
  stop_if_asked();
  const LogMoment k = one_run_->worst_log_moment(z);
  return (k.value + k.error + penalty_.at(z) + once_) / z * (1 + formula_rounding);
}

// A step of bounded loss is pure DP, and its moments are at most those of randomized response
// (docs/math/closed-form-curves.md).
LogMoment SelectCurve::lesser(double z) const {
  const LogMoment k = by_theorem(z);
  if (!pure_) return k;
  const LogMoment pure = pure_->worst_log_moment(z);
  const bool less = z == 0 ? pure.slope + pure.slope_error < k.slope + k.slope_error : upper(pure) < upper(k);
  return less ? pure : k;
}

// The step's own K is convex and lies below both bounds. It therefore lies below every chord between them, and the
// resulting bound is convex too, as searches for the best order expect.
LogMoment SelectCurve::at(double z) const {
  for (const Chord& chord : chords()) {
    if (!(chord.from < z && z < chord.to)) continue;
    const double slope = (chord.at_to - chord.at_from) / (chord.to - chord.from);
    const double value = chord.at_from + slope * (z - chord.from);
    return {value, formula_rounding * value, slope, formula_rounding * slope};
  }
  return lesser(z);
}

double SelectCurve::gap(double z) const { return upper(by_theorem(z)) - upper(pure_->worst_log_moment(z)); }

const std::vector<SelectCurve::Chord>& SelectCurve::chords() const {
  std::call_once(joined_, [this] { chords_ = find_chords(); });
  return chords_;
}

// Searches for the points at which the smaller of the two bounds changes, in units of 1/(the largest loss). Before that
// range both bounds are lines from 0; beyond it both are the largest loss times z to within rounding.
std::vector<SelectCurve::Chord> SelectCurve::find_chords() const {
  constexpr double first = 1e-9, beyond = 1e12, step = 2;
  std::vector<Chord> found;
  if (!pure_) return found;
  const double largest = supremum().upper();
  double z = first / largest;
  bool theorem = gap(z) < 0;
  for (; z * largest < beyond; z *= step) {
    if ((gap(z * step) < 0) == theorem) continue;
    double left = z, right = z * step;
    while (right > left * (1 + 1e-6)) {
      const double middle = std::sqrt(left) * std::sqrt(right);
      ((gap(middle) < 0) == theorem ? left : right) = middle;
    }
    found.push_back(common_tangent(left, theorem));
    theorem = !theorem;
  }
  return found;
}

// Computes the common tangent of the bound that is smaller before the crossing and the one that is smaller beyond it:
// the line that is lowest at the crossing. Tangents from a point of one bound to the other are drawn in turn.
SelectCurve::Chord SelectCurve::common_tangent(double crossing, bool theorem_first) const {
  constexpr double reach = 1e6;
  constexpr int turns = 12;
  const auto on = [this](bool theorem, double z) {
    return upper(theorem ? by_theorem(z) : pure_->worst_log_moment(z));
  };
  Chord chord{.from = crossing / 2, .to = crossing * 2};
  chord.at_from = on(theorem_first, chord.from), chord.at_to = on(!theorem_first, chord.to);
  for (int i = 0; i < turns; ++i) {
    const Chord before = chord;
    const auto rise = [&](double to) { return (on(!theorem_first, to) - chord.at_from) / (to - chord.from); };
    chord.to = numerics::minimum_of(rise, crossing, crossing * reach).at;
    chord.at_to = on(!theorem_first, chord.to);
    const auto fall = [&](double from) { return -(chord.at_to - on(theorem_first, from)) / (chord.to - from); };
    chord.from = numerics::minimum_of(fall, crossing / reach, crossing).at;
    chord.at_from = on(theorem_first, chord.from);
    if (std::abs(chord.to - before.to) <= 1e-7 * chord.to && std::abs(chord.from - before.from) <= 1e-7 * chord.from) {
      break;
    }
  }
  return chord;
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
  const double loss = one_run_->worst_max_loss().upper() + penalty_.steepest;
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
  // The bound is at least once_/z, and the remainder never decreases with z.
  const double low = std::clamp(once_ / bound(std::min(1.0, last)), smallest_z, last);
  const numerics::Minimum least =
      numerics::minimum_of([this](double z) { return bound(z); }, [this](double z) { return once_ / z; }, low, last);
  if (!(least.value < end.divergence)) return end;
  return {least.at, least.value, one_run_->worst_log_moment(least.at).curvature};
}

// Adds D <= xi + rho (z+1) of one run, the steepest penalty, and `once`, which is never divided by less than the z of
// the knee.
Growth SelectCurve::growth() const {
  const Knee& knee = this->knee();
  if (std::isinf(knee.z)) return {knee.divergence, 0};
  const Growth one = one_run_->growth();
  const double once = knee.z > 0 ? once_ / knee.z + one.rho * knee.z : 0;
  return {(one.xi + penalty_.steepest + once) * (1 + formula_rounding), one.rho * (1 + formula_rounding)};
}

}  // namespace
}  // namespace select_curve_file

std::shared_ptr<const Curve> select_curve(std::shared_ptr<const Curve> one_run, SelectionPenalty penalty, double once) {
  return std::make_shared<select_curve_file::SelectCurve>(std::move(one_run), std::move(penalty), once);
}

}  // namespace renyi::plan
