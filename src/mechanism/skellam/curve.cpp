#include "mechanism/skellam/curve.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/rounding.h"

namespace renyi::mechanism {

namespace {

using divergence_detail::Atoms;
using numerics::unit_roundoff;

constexpr double infinity = std::numeric_limits<double>::infinity();
// Masses below exp(-this) are left out of lists.
constexpr double listed = 780;
// Beyond this K is bounded.
constexpr double last_summed = 1.1e5;

// Both directions are the same.
std::shared_ptr<const DiscreteCurve> curve_of(const std::vector<LatticePair::Outcome>& outcomes) {
  Atoms atoms;
  for (const auto& o : outcomes) {
    const double log_p = o.log_q + o.loss;
    atoms.shared.push_back({numerics::Mass::of_log(log_p), o.loss, o.loss_error});
  }
  return std::make_shared<DiscreteCurve>(divergence_detail::DiscreteModel(atoms, atoms));
}

}  // namespace

// As below, for every order: that of the next whole one.
Growth SkellamCurve::growth() const {
  const double rho = distance_ * distance_ / (2 * variance_), rest = 1.5 * distance_ / variance_;
  return {(rho + rest) * (1 + 1e-14), rho * (1 + 1e-14)};
}

LogMoment SkellamCurve::real_at(double z, Direction direction) const {
  return z > last_summed ? far_out(z) : SummedCurve::real_at(z, direction);
}

// D_a <= a D^2/(2v) + 3D/(2v) at whole orders (Agarwal, Kairouz, Liu 2021, Theorem 3.5), here at the next whole one,
// because D_a never falls; K is convex, so that it lies above every chord prolonged.
LogMoment SkellamCurve::far_out(double z) const {
  std::call_once(summed_last_, [this] { last_ = SummedCurve::real_at(last_summed, Direction::remove); });
  const LogMoment& last = last_;
  const double rho = distance_ * distance_ / (2 * variance_), rest = 1.5 * distance_ / variance_;
  const double upper = z * ((z + 2) * rho + rest) * (1 + 1e-14);
  const double lower = (last.value - last.error) / last_summed * z * (1 - 1e-14);
  // The slope is no smaller than there, and no larger than the rise to 2z over z.
  const double steepest = 2 * ((2 * z + 2) * rho + rest) * (1 + 1e-14), flattest = last.slope - last.slope_error;
  return {0.5 * (lower + upper), 0.5 * (upper - lower) * (1 + 1e-14), 0.5 * (flattest + steepest),
          0.5 * (steepest - flattest) * (1 + 1e-14), last.curvature};
}

Bounded SkellamCurve::max_loss_at(Direction) const { return {infinity, 0}; }

std::shared_ptr<const DiscreteCurve> SkellamCurve::near(double z, bool thinned) const {
  return curve_of(nodes(z, 1, thinned));
}

std::shared_ptr<const DiscreteCurve> SkellamCurve::whole() const { return curve_of(outcomes()); }

// ln(I_|x-D|/I_|x|): a sum of falls, all of one sign.
LatticePair::Outcome SkellamCurve::outcome(double x) const {
  const double a = std::abs(x), b = std::abs(x - distance_);
  const SkellamTable& table = tables_.reaching(std::max(a, b));
  double l = 0;
  for (double n = std::min(a, b) + 1; n <= std::max(a, b); ++n) l += table.fall[static_cast<std::size_t>(n)];
  return {table.log_mass[static_cast<std::size_t>(a)], a > b ? l : -l, (8 + 2 * distance_) * unit_roundoff * l,
          table.log_mass[static_cast<std::size_t>(b)]};
}

// I_x falls by about asinh(x/v) at x. P^order Q^(1-order) is largest where
//     order asinh((x-D)/v) = (order-1) asinh(x/v); below 1/2 by symmetry.
double SkellamCurve::peak(double order) const {
  if (order < 0.5) return distance_ - peak(1 - order);
  const auto too_low = [&](double x) {
    return order * std::asinh((x - distance_) / variance_) < (order - 1) * std::asinh(x / variance_);
  };
  double low = 0.5 * distance_, high = distance_ + 1;
  while (too_low(high)) high *= 2;
  while (high - low > 0.25 && high - low > 1e-12 * high)
    (too_low(0.5 * (low + high)) ? low : high) = 0.5 * (low + high);
  return high;
}

// As for a Gaussian of that variance; further out the masses are smoother still.
double SkellamCurve::stride() const {
  return std::max(1.0, std::floor(std::min(std::sqrt(variance_) / 5, variance_ / (10 * distance_))));
}

double SkellamCurve::reach() const {
  double n = std::ceil(35 * std::sqrt(variance_)) + 200;
  while (tables_.reaching(n).log_mass[static_cast<std::size_t>(n)] > -listed) n *= 1.25, n = std::ceil(n);
  return n;
}

// Masses fall faster and faster: sum over n > R of p(n) <= p(R)/(exp(fall at R) - 1).
double SkellamCurve::log_left_out() const {
  const auto last = static_cast<std::size_t>(reach());
  const SkellamTable& table = tables_.reaching(reach());
  return table.log_mass[last] - std::log(std::expm1(table.fall[last])) + 1e-6;
}

std::vector<LatticePair::Outcome> SkellamCurve::outcomes() const {
  std::vector<Outcome> all;
  const double r = reach();
  for (double x = -r; x <= distance_ + r; ++x) all.push_back(outcome(x));
  return all;
}

}  // namespace renyi::mechanism
