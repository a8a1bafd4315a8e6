#include "divergence/normal_sets.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "divergence/extended.h"
#include "divergence/normal_mass.h"

namespace renyi::divergence_detail {
namespace {

// A tail too small for any format is still no zero.
constexpr long double underflow = std::numeric_limits<double>::denorm_min();

// A root of the loss less epsilon, in P's units and in Q's: v = k u + b, each found by itself because that sum may
// cancel.
struct End {
  long double u = 0, u_error = 0;
  long double v = 0, v_error = 0;
};

// The loss less epsilon is w u^2/2 + k b u + c; its roots are u = (-kb -+ r)/w and v = (-b -+ kr)/w, r^2 the
// discriminant.
struct Excess {
  long double discriminant = 0, discriminant_error = 0;
  End low{}, high{};
};

Excess excess_of(const NormalShape& shape, double epsilon) {
  const auto& [k, w, b, log_k] = shape;
  Excess f;
  // k^2 b^2 - 2 w c, with what cancels in it removed: only epsilon can make it negative, and only for w < 0.
  const long double own = 2 * w * log_k, given = 2 * w * epsilon;
  f.discriminant = b * b + own + given;
  f.discriminant_error = 8 * long_epsilon * (b * b + own + std::abs(given));
  if (!(f.discriminant > 0)) return f;
  // Stable for w near 0, where one root goes to infinity: that one from the sum that does not cancel, the other from
  // the products of the roots, (b^2 - 2 ln k - 2 epsilon)/w and -(b^2 + 2 k^2 (ln k + epsilon))/w.
  const long double r = std::copysign(std::sqrt(f.discriminant), b);
  const long double u_sum = -(k * b + r), v_sum = -(b + k * r);
  const long double logs = log_k + epsilon, logs_size = std::abs(log_k) + epsilon;
  const long double unsure = 8 * long_epsilon + f.discriminant_error / f.discriminant;
  const End far{u_sum / w, unsure * std::abs(u_sum / w), v_sum / w, unsure * std::abs(v_sum / w)};
  const End near{(b * b - 2 * logs) / u_sum, unsure * (b * b + 2 * logs_size) / std::abs(u_sum),
                 -(b * b + 2 * k * k * logs) / v_sum, unsure * (b * b + 2 * k * k * logs_size) / std::abs(v_sum)};
  const bool far_is_low = (r > 0) == (w > 0);
  f.low = far_is_low ? far : near;
  f.high = far_is_low ? near : far;
  return f;
}

// The part of the line between two ends, under P and (scaled by exp(epsilon)) under Q.
void add_piece(Mass& p, Mass& q, const End& low, const End& high, double epsilon) {
  p += normal_mass(low.u, high.u, 0);
  q += normal_mass(low.v, high.v, epsilon);
}

long double density(long double u) { return 0.4L * std::exp(-u * u / 2); }

// exp(shift) times the mass within `error` of x, at most 1.
long double mass_around(long double x, long double error, long double shift) {
  if (std::isinf(x)) return 0;
  const long double near = std::max(0.0L, std::abs(x) - error);
  const long double exponent = shift - near * near / 2 + 4 * long_epsilon * (shift + x * x);
  return std::min(1.0L, 0.8L * error * std::exp(std::min(exponent, 1000.0L)));
}

// What the rounding of an end does. exp(epsilon) Q(S) <= P(S) <= 1, so nothing exceeds 1.
long double end_error(const End& end, double epsilon) {
  return mass_around(end.u, end.u_error, 0) + mass_around(end.v, end.v_error, epsilon);
}

// One slope for both sides: delta = Pr[X > t] - exp(epsilon) Pr[X > t + d], t = epsilon/d - d/2.
Bounded equal_spread(long double d, double epsilon) {
  if (d == 0) return exactly(0);
  if (epsilon == 0) {
    const long double value = std::erf(d / (2 * std::sqrt(2.0L)));
    return to_bounded(value, 16 * long_epsilon * value);
  }
  const long double t = epsilon / d - d / 2, other = epsilon / d + d / 2;
  const Mass p = normal_mass(t, infinity, 0), q = normal_mass(other, infinity, epsilon);
  // d/dt of the difference at these ends is 0 to first order; Q's end is placed with rounding of its own.
  const long double ends = 8 * long_epsilon * (1 + std::abs(t) + d) * (1 + std::abs(t) + d) * density(t);
  return to_bounded(p.value - q.value, p.error + q.error + ends + underflow);
}

}  // namespace

Bounded normal_hockey_stick(const NormalShape& shape, double epsilon) {
  // Normal laws charge the same sets.
  if (std::isinf(epsilon)) return exactly(0);
  if (shape.w == 0) return equal_spread(std::abs(shape.b), epsilon);
  const Excess f = excess_of(shape, epsilon);
  // P narrower: the loss is a downward parabola, above epsilon only between its roots.
  if (f.discriminant < -f.discriminant_error) return exactly(0);
  // Its top, discriminant/(2 |w|), is hidden by rounding; the divergence is below it.
  if (f.discriminant <= 0) return to_bounded(0, f.discriminant_error / std::abs(shape.w));
  constexpr End far_left{.u = -infinity, .v = -infinity}, far_right{.u = infinity, .v = infinity};
  Mass p, q;
  if (shape.w < 0) {
    add_piece(p, q, f.low, f.high, epsilon);
  } else {
    add_piece(p, q, far_left, f.low, epsilon);
    add_piece(p, q, f.high, far_right, epsilon);
  }
  const long double ends = end_error(f.low, epsilon) + end_error(f.high, epsilon);
  return to_bounded(p.value - q.value, p.error + q.error + ends + underflow);
}

}  // namespace renyi::divergence_detail
