#include "divergence/laplace_shape.h"

#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "divergence/extended.h"

namespace renyi::divergence_detail {
namespace {

long double over(long double z, long double moment, long double limit) { return z == 0 ? limit : moment / z; }

// (exp(y) - 1)/y
long double relative_expm1(long double y) { return y == 0 ? 1 : std::expm1(y) / y; }

// R(zl)/z + R(-l) >= 0 for z >= -1/2.
long double centred_term(long double z, long double l) {
  return over(z, long_exp_remainder(z * l), 0) + long_exp_remainder(-l);
}

void add(CentredMoment& sum, long double weight, std::initializer_list<long double> terms) {
  for (const long double term : terms) {
    sum.value += weight * term;
    sum.size += std::abs(weight * term);
  }
}

// exp(-g) [exp(zc) - 1]/z, where exp(zc) alone may overflow.
long double damped_growth(long double z, long double c, long double g) {
  if (z == 0) return std::exp(-g) * c;
  return std::abs(z * c) < 1 ? std::exp(-g) * std::expm1(z * c) / z : (std::exp(z * c - g) - std::exp(-g)) / z;
}

// Outside: exp(-g) times the mean over E of exp(z(c + kE)) - 1 + z(exp(-c - kE) - 1), divided by 2z.
// `q_mass` is twice Q's mass there, exp(-c - g)/ratio.
void add_outside(CentredMoment& sum, long double g, long double z, long double c, long double q_mass,
                 const LaplaceShape& s) {
  const long double t = 1 - z * s.k, weight = std::exp(-g) / 2;
  if (std::abs(s.k) > 0.5L || std::abs(c) > 1) {
    add(sum, 0.5L, {damped_growth(z, c, g) / t, q_mass});
    add(sum, weight, {s.k / t, -1});
  } else {  // small terms, with those that cancel removed
    const long double mixed = (1 + z) * s.k * (c + s.k) / (t * s.ratio);
    add(sum, weight, {over(z, long_exp_remainder(z * c), 0) / t, long_exp_remainder(-c) / s.ratio, mixed});
  }
}

// Between, when everything is small: the integral over y in (0, gap) of exp(-y) times the centred term.
void add_between_by_rule(CentredMoment& sum, long double z, const LaplaceShape& s) {
  using Rule = boost::math::quadrature::gauss<long double, 20>;
  const auto term = [&](long double y) { return std::exp(-y) * centred_term(z, s.left - (2 + s.k) * y); };
  add(sum, 0.5L, {Rule::integrate(term, 0.0L, s.gap)});
}

// Between, in closed form.
void add_between(CentredMoment& sum, long double z, const LaplaceShape& s) {
  const long double steep = 2 + s.k, tail = std::exp(-s.gap), inside = -std::expm1(-s.gap);
  const long double slowing = 1 + z * steep;
  if (slowing > 0.5L) {
    add(sum, 0.5L / slowing, {damped_growth(z, s.left, 0), -damped_growth(z, s.right, s.gap), -steep * inside});
  } else {  // the divisor may vanish, but z is not small beside the steepness
    const long double larger = std::max(z * s.left, z * s.right - s.gap);
    add(sum, 0.5L, {std::exp(larger) * s.gap * relative_expm1(-std::abs(slowing) * s.gap) / z, -inside / z});
  }
  add(sum, 0.5L, {tail, -std::exp(-s.gap * s.ratio)});
}

}  // namespace

LaplaceShape::LaplaceShape(LaplaceLaw p, LaplaceLaw q) {
  const long double b1 = p.scale, b2 = q.scale;
  ratio = b1 / b2;
  const bool close = ratio > 0.5L && ratio < 2;
  const long double distance = std::abs(static_cast<long double>(p.location) - q.location);
  gap = distance / b1;
  k = close ? (b1 - b2) / b2 : ratio - 1;
  const long double log_ratio = close ? std::log1p(k) : std::log(ratio);
  left = distance / b2 - log_ratio;
  right = -gap - log_ratio;
}

CentredMoment LaplaceShape::centred_moment(long double z) const {
  CentredMoment sum;
  add_outside(sum, 0, z, left, std::exp(-gap * ratio), *this);
  add_outside(sum, gap, z, right, 1, *this);
  const bool small = (1 + std::abs(z)) * (std::abs(left) + (2 + k) * gap) < 1;
  small ? add_between_by_rule(sum, z, *this) : add_between(sum, z, *this);
  return sum;
}

// E[exp(zL)] = [ e^(z left) + e^(z right - gap) ] / (2 (1 - zk)) + [ e^(z left) - e^(z right - gap) ] / (2 (1 +
// z(2+k))), with the larger of the two exponentials taken out; the two differ in their exponents by -(1 + z(2+k)) gap.
LaplaceShape::LogMoment LaplaceShape::log_moment(long double z) const {
  const long double slowing = 1 + z * (2 + k), apart = std::abs(slowing) * gap;
  const long double outside = (1 + std::exp(-apart)) / (1 - z * k), between = gap * relative_expm1(-apart);
  const long double at_left = std::abs(z * left), at_right = std::abs(z * right) + gap;
  const bool one_counts = apart > 100;
  const long double size = one_counts ? (slowing > 0 ? at_left : at_right) : at_left + at_right;
  const long double larger = slowing > 0 ? z * left : z * right - gap;
  return {larger + std::log((outside + between) / 2), size};
}

}  // namespace renyi::divergence_detail
