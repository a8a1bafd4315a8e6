// Two Laplace distributions (docs/math/divergences.md, "Laplace laws"): the moments are computed region by region, each
// centred so that close distributions keep their relative accuracy.
#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "divergence/extended.h"
#include "divergence/pair.h"
#include "renyi/extras/divergence.h"
#include "renyi/interval.h"

namespace renyi {
namespace divergence_detail {
namespace divergence_laplace_file {
namespace {

// The loss of two Laplace distributions, in units of P's scale, and its moments.

// (E_P[exp(zL)] - 1)/z, or its limit E_P[L] at z = 0, and the size of the terms from which it was added up.
struct CentredMoment {
  long double value = 0;
  long double size = 0;
};

// Left of both locations the loss is left + k E, E >= 0 the distance in scales of P, exponentially
// distributed; right of both it is right + k E; between them it falls from left to right.
struct LaplaceShape {
  LaplaceShape(LaplaceLaw p, LaplaceLaw q);

  long double gap;    // between the locations, in scales of P
  long double ratio;  // scale of P / scale of Q
  long double k;      // ratio - 1
  long double left;   // ln(scale of Q / scale of P) + distance / scale of Q
  long double right;  // ln(scale of Q / scale of P) - gap

  CentredMoment centred_moment(long double z) const;
  // ln E_P[exp(zL)], for moments that are far from 1 (z is not 0), and the size of the exponents in it.
  struct LogMoment {
    long double value = 0;
    long double size = 0;
  };
  LogMoment log_moment(long double z) const;
};

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

// Adds the region outside the two locations: exp(-g) times the mean over E of exp(z(c + kE)) - 1 + z(exp(-c - kE) - 1),
// divided by 2z. `q_mass` is twice Q's mass there, exp(-c - g)/ratio.
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

// Adds the region between the locations when everything is small: the integral over y in (0, gap) of exp(-y) times the
// centred term.
void add_between_by_rule(CentredMoment& sum, long double z, const LaplaceShape& s) {
  using Rule = boost::math::quadrature::gauss<long double, 20>;
  const auto term = [&](long double y) { return std::exp(-y) * centred_term(z, s.left - (2 + s.k) * y); };
  add(sum, 0.5L, {Rule::integrate(term, 0.0L, s.gap)});
}

// Adds the region between the locations in closed form.
void add_between(CentredMoment& sum, long double z, const LaplaceShape& s) {
  const long double steep = 2 + s.k, tail = std::exp(-s.gap), inside = -std::expm1(-s.gap);
  const long double slowing = 1 + z * steep;
  if (slowing > 0.5L) {
    add(sum, 0.5L / slowing, {damped_growth(z, s.left, 0), -damped_growth(z, s.right, s.gap), -steep * inside});
  } else {  // the divisor may vanish, but z is not small relative to the steepness
    const long double larger = std::max(z * s.left, z * s.right - s.gap);
    add(sum, 0.5L, {std::exp(larger) * s.gap * relative_expm1(-std::abs(slowing) * s.gap) / z, -inside / z});
  }
  add(sum, 0.5L, {tail, -std::exp(-s.gap * s.ratio)});
}

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

// The hockey-stick divergence, computed from the set where the loss exceeds epsilon.

// P(S) - exp(epsilon) Q(S), piece by piece, and the size of what was added.
struct Difference {
  long double value = 0;
  long double size = 0;

  void add(long double term, long double exponent = 0) {
    value += term;
    size += std::abs(term) * (1 + exponent);
  }
};

// Adds the region outside the locations, from distance `from` to `to` (in scales of P), where the loss at distance 0 is
// c + epsilon and grows by k: 1/2 e^(-gap) integral of exp(-E) (1 - exp(-c - kE)). Under Q the exponent grows 1 + k
// times as fast.
void add_outside(Difference& sum, long double c, const LaplaceShape& s, long double gap, long double from,
                 long double to) {
  if (!(from < to)) return;
  const long double scale = 0.5L * std::exp(-gap);
  // Returns the mass of Q beyond x, times exp(epsilon).
  const auto q_beyond = [&](long double x) {
    return std::isinf(x) ? 0 : 0.5L * std::exp(-x * s.ratio - c - gap) / s.ratio;
  };
  const auto size = [&](long double x) { return std::isinf(x) ? 0 : x * (1 + s.ratio) + std::abs(c) + gap; };
  sum.add(scale * std::exp(-from), size(from));
  sum.add(-scale * std::exp(-to), size(to));
  sum.add(-q_beyond(from), size(from));
  sum.add(q_beyond(to), size(to));
}

// Adds the region between the locations, from P's location to y: the loss falls from c + epsilon by 2 + k per unit.
void add_between(Difference& sum, long double c, const LaplaceShape& s, long double y) {
  if (!(y > 0)) return;
  const long double rise = s.ratio * y;
  sum.add(-0.5L * std::expm1(-y));
  sum.add(-0.5L * (std::exp(rise - c) - std::exp(-c)) / s.ratio, rise + std::abs(c));
}

// Adds the region outside the locations where the loss c + kE is above 0, which lies on one side of E = -c/k.
void add_where_positive(Difference& sum, long double c, const LaplaceShape& s, long double gap) {
  const long double crossing = -c / s.k;
  if (s.k > 0) add_outside(sum, c, s, gap, std::max(0.0L, crossing), infinity);
  if (s.k < 0 && c > 0) add_outside(sum, c, s, gap, 0, crossing);
}

Bounded laplace_hockey_stick(const LaplaceShape& s, double epsilon) {
  if (std::isinf(epsilon)) return exactly(0);
  const long double c = s.left - epsilon, d = s.right - epsilon;
  if (s.k == 0) {
    // Equal scales: 1 - exp((epsilon - left)/2).
    const long double value = -std::expm1(-std::max(c, 0.0L) / 2), rounding = 8 * long_epsilon * (s.left + epsilon);
    return c < -rounding ? exactly(0) : to_bounded(value, rounding + 8 * long_epsilon * value);
  }
  if (s.k < 0 && c < -16 * long_epsilon * (s.left + epsilon)) return exactly(0);
  Difference sum;
  add_where_positive(sum, c, s, 0);
  add_between(sum, c, s, std::min(s.gap, c / (2 + s.k)));
  add_where_positive(sum, d, s, s.gap);
  // An error of c moves the result by at most itself times P(S).
  const long double of_c = 16 * long_epsilon * (std::abs(s.left) + std::abs(s.right) + epsilon);
  return to_bounded(sum.value, 16 * long_epsilon * sum.size + of_c * std::min(1.0L, sum.size + of_c));
}

// Above this exponent the moment is computed by its logarithm.
constexpr long double large_exponent = 1000;
constexpr long double ulps = 256;

class LaplacePair final : public PairModel {
 public:
  LaplacePair(LaplaceLaw p, LaplaceLaw q) : p_(p), q_(q), shape_(p, q) {}

  Bounded renyi(double z) const override {
    const LaplaceShape& s = shape_;
    // Outside the two locations the loss moves by k for each unit of P's scale.
    if (std::isinf(z)) return s.k > 0 ? exactly(infinity) : to_bounded(s.left, ulps * long_epsilon * s.left);
    const long double zk = z * s.k, t = 1 - zk, t_error = 8 * long_epsilon * (1 + std::abs(zk));
    if (t <= -t_error) return exactly(infinity);
    if (t <= 4 * t_error) return unknown_finiteness(0);
    const long double unsteady = 16 * (1 + std::abs(zk)) / t;  // effect of the rounding of t on 1/t
    const CentredMoment m = z * s.left > large_exponent ? CentredMoment{} : s.centred_moment(z);
    const bool far = z * s.left > large_exponent || 1 + z * m.value < 0.25L;
    if (far) return by_logarithm(z, unsteady);
    const long double value = z == 0 ? m.value : std::log1p(z * m.value) / z;
    // Beyond this gap the right side is negligible.
    const long double exponents = std::abs(s.left) + (s.gap > 5000 ? 0 : std::abs(s.right));
    const long double rounding = (ulps + unsteady + 4 * std::abs(z) * exponents) * long_epsilon;
    return to_bounded(value, rounding * m.size / (1 + z * m.value));
  }

  Bounded hockey_stick(double epsilon) const override { return laplace_hockey_stick(shape_, epsilon); }

  std::shared_ptr<const PairModel> swapped() const override { return std::make_shared<LaplacePair>(q_, p_); }

  std::shared_ptr<const PairModel> mixed(double rate) const override {
    const auto log_density = [](const LaplaceLaw& law) {
      return [law](double x) { return -std::abs(x - law.location) / law.scale - std::log(2 * law.scale); };
    };
    return DistributionPair::densities(
               {.log_p = log_density(p_), .log_q = log_density(q_), .points = {p_.location, q_.location}})
        .model()
        .mixed(rate);
  }

 private:
  // Far from 1, in either direction, the moment needs no centring.
  Bounded by_logarithm(double z, long double unsteady) const {
    const auto [value, size] = shape_.log_moment(z);
    const long double rounding = long_epsilon * (8 * size + ulps + unsteady);
    return to_bounded(value / z,
                      (rounding + 4 * long_epsilon * std::abs(value)) / std::abs(static_cast<long double>(z)));
  }

  LaplaceLaw p_, q_;
  LaplaceShape shape_;
};

void check(const std::string& field, const LaplaceLaw& law) {
  check_location(field + ".location", law.location);
  check_scale(field + ".scale", law.scale);
}

}  // namespace
}  // namespace divergence_laplace_file
}  // namespace divergence_detail

DistributionPair DistributionPair::laplace(LaplaceLaw p, LaplaceLaw q) {
  divergence_detail::divergence_laplace_file::check("p", p);
  divergence_detail::divergence_laplace_file::check("q", q);
  return DistributionPair(std::make_shared<divergence_detail::divergence_laplace_file::LaplacePair>(p, q));
}

}  // namespace renyi
