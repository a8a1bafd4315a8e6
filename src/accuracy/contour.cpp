#include "accuracy/contour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "accuracy/outward.h"
#include "numerics/mills.h"
#include "renyi/limits.h"

namespace renyi::noise_error {

namespace contour_file {
namespace {

constexpr Real pi = std::numbers::pi_v<Real>;
constexpr Real infinity = std::numeric_limits<Real>::infinity();
constexpr Real rounding = numerics::extended_roundoff;

// Probabilities whose logarithm is below this are smaller than every double.
constexpr Real log_least = -760;
// The evaluations at real points that find the line.
constexpr Real search_points = 80;
// The cost of a point that is known already, in points.
constexpr Real cost_of_known = 0.15L;
// Aliases are kept below exp(-this) of the tail.
constexpr Real log_alias = 37;
// The line may be this much, in logarithms, above the lowest one: a few digits of extended precision.
constexpr Real allowed_loss = 7;

// What the sum may leave out, relative to the tail: the more the longer it is.
Real allowed_remainder(Real points) {
  const Real share = points / 100;
  return std::clamp(1e-15L * share * share * share, 1e-15L, 1e-6L);
}

}  // namespace
}  // namespace contour_file

Contour::Contour(const NoiseSum& sum, Real t, std::function<void(Real)> spend)
    : sum_(sum), t_(t), spend_(std::move(spend)), lattice_(sum.is_lattice()), pole_(sum.pole()) {
  spend_(contour_file::search_points);
  const Real best = lowest_point();
  // Chernoff: Pr[S >= t] <= exp(K(c) - c t).
  tiny_ = cumulant(best) - best * t_ < contour_file::log_least;
  if (tiny_) return;
  place_line(best);
  // The tail is about exp(height) times the width of the saddle, which is about c or, on the integers, at most 1.
  place_points(height(best) + std::log(lattice_ ? std::min(best, Real{1}) : best) - contour_file::log_alias);
}

Real Contour::log_denominator(Real c) const { return lattice_ ? std::log(-std::expm1(-c)) : std::log(c); }

Real Contour::height(Real c) const {
  const Real value = cumulant(c) - c * t_ - log_denominator(c);
  return std::isnan(value) ? contour_file::infinity : value;
}

// The minimum of a convex function of c by golden sections, in y with c = exp(y) or c = pole/(1 + exp(-y)).
Real Contour::lowest_point() const {
  const bool is_entire = std::isinf(pole_);
  const auto value_at = [&](Real y) { return is_entire ? std::exp(y) : pole_ / (1 + std::exp(-y)); };
  const auto value = [&](Real y) { return height(value_at(y)); };
  // K'(c) is about c times the variance for small c: the minimum lies above this point.
  const Real start = 1e-2L / (std::sqrt(sum_.variance()) + t_);
  Real high = std::log(is_entire ? start : std::min(Real{0.5}, start / pole_));
  Real low = high, at_high = value(high);
  for (Real next = value(high + 1); next < at_high && high < 11000; next = value(high + 1)) {
    low = high;
    high += 1;
    at_high = next;
  }
  high += 1;
  constexpr Real golden = 0.6180339887498948482L;
  Real left = high - golden * (high - low), right = low + golden * (high - low);
  Real at_left = value(left), at_right = value(right);
  for (int i = 0; i < 16; ++i) {
    if (at_left <= at_right) {
      high = right, right = left, at_right = at_left;
      at_left = value(left = high - golden * (high - low));
    } else {
      low = left, left = right, at_left = at_right;
      at_right = value(right = low + golden * (high - low));
    }
  }
  return value_at((low + high) / 2);
}

// Near a pole the aliases fall slowly. Further left they fall faster, and a few digits are lost.
void Contour::place_line(Real best) {
  line_ = best;
  if (!std::isinf(pole_) && best > pole_ / 2) {
    const Real highest = height(best) + contour_file::allowed_loss;
    Real left = pole_ / 2, right = best;
    if (height(left) <= highest) right = left;
    for (int i = 0; i < 20 && left < right; ++i) {
      (height((left + right) / 2) > highest ? left : right) = (left + right) / 2;
    }
    line_ = right;
  }
  largest_discrete_ = sum_.discrete(line_).value.real();
  log_first_ = cumulant(line_) - log_denominator(line_);
}

// Chooses the period so that the logarithms of the aliases are below the target:
// Pr[S > t - m T] <= 1: these add up to at most exp(-c T)/(1 - exp(-c T));
// Pr[S > t + m T] <= exp(K(c') - c' (t + m T)): these to at most exp(K(c') - c' t)/(exp((c' - c) T) - 1).
void Contour::place_points(Real target) {
  Real above = contour_file::infinity;
  const Real usual = 3 * std::max(line_, 1 / std::sqrt(sum_.variance()));
  const Real room = std::min(usual, pole_ - line_);
  for (const Real share : {0.03L, 0.1L, 0.2L, 0.4L, 0.6L, 0.8L, 0.95L}) {
    const Real c = line_ + share * room, value = cumulant(c);
    const Real needed = (1 + value - c * t_ - target) / (c - line_);
    if (needed < above) above = needed, beyond_ = c, cumulant_beyond_ = value;
  }
  period_ = std::max({(1 - target) / line_, above, 3 * t_ + (lattice_ ? 3 : 0)});
  if (lattice_) {
    period_ = 2 * std::ceil(period_ / 2) + 1;
    step_ = 2 * contour_file::pi / period_;
    return;
  }
  // A step of few digits makes its multiples exact.
  int exponent = 0;
  const Real digits = std::floor(std::frexp(2 * contour_file::pi / period_, &exponent) * 0x1p20L);
  step_ = std::ldexp(digits, exponent - 20);
  period_ = 2 * contour_file::pi / step_;
}

Real Contour::aliases(Real t) const {
  const auto geometric = [](Real exponent) { return std::exp(-exponent) / -std::expm1(-exponent); };
  const Real above = std::exp(cumulant_beyond_ - beyond_ * t) * geometric((beyond_ - line_) * period_);
  return 1.001L * (geometric(line_ * period_) + above);
}

Real Contour::height_of(std::size_t index) const {
  const auto k = static_cast<Real>(index);
  return lattice_ ? 2 * contour_file::pi * k / period_ : k * step_;
}

// Returns a bound on the sum of |M(z)/D(z)| over the points beyond u relative to the modulus at u, from the powers of u
// or of sin(u/2) by which the factors fall at least; infinite if they do not fall fast enough.
Real Contour::power_bound(Real u) const {
  const Real s = lattice_ ? 2 * std::sin(u / 2) : u;
  // A factor 1/sqrt(gap^2 + weight s^2).
  const auto elasticity = [&](Real gap, Real weight) { return weight * s * s / (gap * gap + weight * s * s); };
  Real power = 0;
  if (lattice_) {
    // |1 - r exp(iu)|^2 = (1 - r)^2 + 4 r sin^2(u/2).
    const auto of_ratio = [&](Real log_r) { return elasticity(std::expm1(log_r), std::exp(log_r)); };
    power += of_ratio(-line_);
    for (const auto& [b, count] : sum_.discrete_laplace) {
      power += count * (of_ratio(line_ - 1 / b) + of_ratio(-line_ - 1 / b));
    }
  } else {
    power += elasticity(line_, 1) + sum_.gaussian_variance * u * u;
    for (const auto& [b, count] : sum_.laplace) {
      power += count * (elasticity(1 / b - line_, 1) + elasticity(1 / b + line_, 1));
    }
  }
  if (!(power > 1)) return contour_file::infinity;
  // sin(u'/2)/sin(u/2) >= (2/pi) u'/u for u' >= u.
  return (lattice_ ? std::pow(contour_file::pi / 2, power) : 1) * u / (step_ * (power - 1));
}

const Contour::Point& Contour::point(std::size_t index) {
  if (index < points_.size()) return points_[index];
  spend_(1);
  const Real u = height_of(index);
  const Complex z(line_, u);
  const LogMgf smooth = sum_.continuous(z), whole = sum_.discrete(z);
  const Complex denominator = lattice_ ? Real{1} - std::exp(-z) : z, below = std::log(denominator);
  const Complex all = smooth.value + whole.value - below;
  const Real roundings = smooth.roundings + whole.roundings + 64 * (4 + std::abs(log_first_)) +
                         64 * (std::abs(all) + std::abs(below) + 1 / std::abs(denominator) * (lattice_ ? 1 : 0));
  Point found{};
  found.modulus = std::exp(all.real() - log_first_);
  found.phase = all.imag();
  found.error = std::expm1(std::min(roundings * contour_file::rounding, Real{100}));
  found.variation = contour_file::infinity;
  if (lattice_) {
    // The moduli fall up to u = pi, and this many points are left.
    const Real left = (period_ - 1) / 2 - static_cast<Real>(index);
    found.remainder = left <= 0 ? 0 : found.modulus * std::min(left, power_bound(u));
    const bool only_laplace = sum_.skellam_variance == 0 && sum_.discrete_gaussian.empty();
    if (only_laplace)
      found.variation = found.modulus * (2 + contour_file::pi * (2 * sum_.discrete_laplace_count() + 1));
  } else if (sum_.has_discrete()) {
    // The discrete factors return to their largest value again and again.
    const Real largest = (smooth.value - below).real() + largest_discrete_;
    found.remainder = std::exp(largest - log_first_) * power_bound(u);
  } else {
    found.remainder = found.modulus * power_bound(u);
    found.variation = found.modulus * (1 + contour_file::pi / 2 * (2 * sum_.laplace_count() + 1));
  }
  // The modulus may be larger than computed.
  found.remainder *= 1 + found.error;
  found.variation *= 1 + found.error;
  points_.push_back(found);
  return points_.back();
}

Interval Contour::two_sided(Real t, Real least_allowed) {
  using contour_file::rounding;
  const Real last = lattice_ ? (period_ - 1) / 2 : Real{1e9};
  const Real turn = lattice_ ? t : t - sum_.gaussian_variance * line_;
  const Real sine = std::abs(std::sin(step_ * turn / 2));
  const std::size_t known = points_.size();
  Real total = 0.5L, moduli = 0.5L, left_out = 0, next_check = 8;
  Real error = 0.5L * (point(0).error + 64 * line_ * t * rounding);
  for (std::size_t k = 1; static_cast<Real>(k) <= last; ++k) {
    stop_if_asked();
    if (k < known && k % 64 == 0) spend_(64 * contour_file::cost_of_known);
    const Point& at = point(k);
    const Real u = height_of(k), points = static_cast<Real>(k);
    total += at.modulus * std::cos(at.phase - u * t);
    moduli += at.modulus;
    error += at.modulus * (at.error + 64 * (line_ + u) * t * rounding);
    if (points < next_check && points < last) continue;
    next_check = points + std::floor(points / 32) + 1;
    left_out = 1.001L * (sine > 0 ? std::min(at.remainder, at.variation / sine) : at.remainder);
    if (left_out <= std::max(least_allowed, contour_file::allowed_remainder(points)) * total) break;
  }
  error += left_out + moduli * (static_cast<Real>(points_.size()) + 8) * rounding;
  // The factor 2 exp(log_first - c t)/T belongs to all of them, and 2 more for both sides.
  const Real log_factor = log_first_ - line_ * t;
  const Real factor = 4 * std::exp(log_factor) / period_;
  const Real loose = (64 + 8 * (std::abs(log_first_) + line_ * t)) * rounding;
  const Real upper = factor * (total + error), lower = factor * (total - error) - 2 * aliases(t);
  return {lower > 0 ? outward(lower, loose).lower : 0, outward(upper, loose).upper};
}

}  // namespace renyi::noise_error
