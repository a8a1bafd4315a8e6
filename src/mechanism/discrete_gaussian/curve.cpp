#include "mechanism/discrete_gaussian/curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "numerics/rounding.h"

namespace renyi::mechanism {

namespace {

using numerics::unit_roundoff;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double curve_ulps = 64;
// Masses below exp(-780) are left out of lists.
constexpr double listed_deviations = 39.5;
constexpr double most_listed = 4e5;

}  // namespace

DiscreteGaussianCurve::DiscreteGaussianCurve(double stddev, double distance)
    : theta_(stddev), distance_(distance), half_precision_(0.5 / stddev / stddev) {}

// Theta(t) <= Theta(0): no curve lies above the Gaussian's, z (z+1) D^2/(2 s^2), which it meets where z D is whole.
Growth DiscreteGaussianCurve::growth() const {
  return {0, distance_ * distance_ * half_precision_ * (1 + 8 * unit_roundoff)};
}

// K(z) = z (z+1) D^2/(2 s^2) + ln(Theta(zD)/Theta(0)), t = zD.
LogMoment DiscreteGaussianCurve::real_at(double z, Direction) const {
  const Theta::Real k = theta_.moment(z * distance_, distance_);
  const double relative = curve_ulps * unit_roundoff, slope = distance_ * k.slope;
  return {k.value, relative * k.value, slope, relative * slope, distance_ * distance_ * k.curvature};
}

ComplexLogMoment DiscreteGaussianCurve::complex_at(std::complex<double> z, Direction) const {
  const Theta::Complex k = theta_.moment(z.real() * distance_, z.imag() * distance_, distance_);
  // Every turn of the period adds i pi D.
  const double odd = std::fmod(k.turns, 2) * std::fmod(distance_, 2) * std::numbers::pi;
  return {{k.value.real(), std::remainder(k.value.imag() + odd, 2 * std::numbers::pi)},
          k.error + 4 * unit_roundoff * std::abs(odd)};
}

Bounded DiscreteGaussianCurve::max_loss_at(Direction) const { return {infinity, 0}; }

// -K(a-1), which Theta's symmetry makes a function of (1-a) D; 1 - a is exact for a in [1/2, 1).
Bounded DiscreteGaussianCurve::chernoff_at(double a, Direction) const {
  const double value = theta_.deficit((1 - a) * distance_, distance_);
  return {value, 4 * curve_ulps * unit_roundoff * value};
}

// The loss is D (2x - D)/(2 s^2), x about D: symmetric about its mean.
Cumulants DiscreteGaussianCurve::cumulants_at(Direction) const {
  const double relative = curve_ulps * unit_roundoff, mean = distance_ * distance_ * half_precision_;
  const double step = 2 * distance_ * half_precision_, variance = step * step * theta_.variance();
  return {.mean = mean,
          .mean_error = relative * mean,
          .variance = variance,
          .variance_error = relative * variance,
          .third_error = relative * variance * std::sqrt(variance)};
}

double DiscreteGaussianCurve::reach() const { return std::ceil(listed_deviations * theta_.stddev()) + 1; }

// Between laws further apart than that there would be integers that neither reaches.
bool DiscreteGaussianCurve::is_listed() const { return distance_ <= 2 * reach() && 2 * reach() <= most_listed; }

// sum over k > R of exp(-k^2/(2 s^2)) <= exp(-(R+1)^2/(2 s^2)) / (1 - exp(-(2R+3)/(2 s^2)))
double DiscreteGaussianCurve::log_left_out() const {
  const double r = reach(), first = -(r + 1) * (r + 1) * half_precision_;
  return first * (1 - 8 * unit_roundoff) - theta_.log_at_zero() -
         std::log(-std::expm1(-(2 * r + 3) * half_precision_)) + 1e-9;
}

LatticePair::Outcome DiscreteGaussianCurve::outcome(double x) const {
  const double l = loss(x);
  const double moved = x - distance_;
  return {-x * x * half_precision_ - theta_.log_at_zero(), l, 4 * unit_roundoff * std::abs(l),
          -moved * moved * half_precision_ - theta_.log_at_zero()};
}

std::vector<LatticePair::Outcome> DiscreteGaussianCurve::outcomes() const {
  std::vector<Outcome> all;
  for (double x = -reach(); x <= distance_ + reach(); ++x) all.push_back(outcome(x));
  return all;
}

// Under P, x is D + k. The other direction is the mirror image.
const std::vector<LossAtom>& DiscreteGaussianCurve::atoms(Direction) const {
  std::call_once(listed_, [this] {
    const double log_norm = theta_.log_at_zero();
    for (double k = -reach(); k <= reach(); ++k) {
      const double log_p = -k * k * half_precision_ - log_norm, l = loss(distance_ + k);
      atoms_.push_back({l, 4 * unit_roundoff * std::abs(l), numerics::Mass::of_log(log_p)});
    }
  });
  return atoms_;
}

LeftOut DiscreteGaussianCurve::left_out(Direction) const { return {log_left_out(), log_left_out()}; }

Bounded DiscreteGaussianCurve::hockey_stick(double epsilon, Direction direction) const {
  return listed_hockey_stick(*this, epsilon, direction);
}

// The terms are smooth over s, and over s^2/D where a mixture passes from one law to the other.
double DiscreteGaussianCurve::stride() const {
  const double s = theta_.stddev();
  return std::max(1.0, std::floor(std::min(s / 5, s * s / (10 * distance_))));
}

}  // namespace renyi::mechanism
