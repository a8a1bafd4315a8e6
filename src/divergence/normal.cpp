// Two normal distributions, on the real line and, where their covariance is the same, in several dimensions
// (docs/math/divergences.md, "Normal laws", "Several dimensions"). On the real line, with k = s1/s2, w = k^2 - 1, b =
// (m1 - m2)/s2, g(x) = x - ln(1 + x) and t = 1 - z w > 0 (else infinite),
//
//     D of order 1 + z = [ g(w) + g(-z w)/z + (1 + z) b^2/t ] / 2:
//
// the published form with the terms that cancel removed by hand.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "divergence/extended.h"
#include "divergence/pair.h"
#include "renyi/error.h"
#include "renyi/extras/divergence.h"
#include "renyi/interval.h"

namespace renyi {
namespace divergence_detail {
namespace normal_file {
namespace {

// A probability of the standard normal distribution, scaled by exp(shift) without overflow.
struct Mass {
  long double value = 0;
  long double error = 0;

  Mass& operator+=(const Mass& other) {
    value += other.value;
    error += other.error;
    return *this;
  }
};

constexpr long double half_log_two_pi = 0.91893853320467274178032973640562L;
// Beyond this erfc comes close to underflow; the asymptotic series is accurate to rounding long before.
constexpr long double far_out = 60;

// ln Pr[X > t], t > far_out: -t^2/2 - ln(t sqrt(2 pi)) + ln(1 - 1/t^2 + 3/t^4 - 15/t^6 + ...).
long double log_far_tail(long double t) {
  const long double u = 1 / (t * t);
  return -t * t / 2 - std::log(t) - half_log_two_pi + std::log1p(-u * (1 - 3 * u * (1 - 5 * u * (1 - 7 * u))));
}

// Returns exp(shift) Pr[X > t] for t >= 0.
Mass upper_tail(long double t, long double shift) {
  if (std::isinf(t)) return {};
  // The exponents carry rounding errors of their own size.
  const long double rounding = long_epsilon * (16 + 2 * t * t + 2 * std::abs(shift));
  const long double value =
      t > far_out ? std::exp(shift + log_far_tail(t)) : std::exp(shift) * std::erfc(t / std::sqrt(2.0L)) / 2;
  if (std::isfinite(value)) return {value, value * rounding};
  const long double other = std::exp(shift + std::log(std::erfc(t / std::sqrt(2.0L)) / 2));
  return {other, other * rounding};
}

// Returns exp(shift) Pr[low < X < high] for X standard normal; the ends may be infinite.
Mass normal_mass(long double low, long double high, long double shift) {
  if (!(low < high)) return {};
  if (low < 0 && high > 0) {
    // Two halves less two tails would cancel for short intervals; the difference of erf does not.
    const long double scale = std::exp(shift) / 2, root = std::sqrt(2.0L);
    const long double value = scale * (std::erf(high / root) + std::erf(-low / root));
    return {value, value * long_epsilon * (16 + 2 * std::abs(shift))};
  }
  const bool right = low >= 0;
  const Mass outer = upper_tail(right ? high : -low, shift);
  const Mass inner = upper_tail(right ? low : -high, shift);
  return {inner.value - outer.value, inner.error + outer.error};
}

// P and Q in P's own units: under P, u is standard normal; under Q, k u + b is.
struct NormalShape {
  long double k = 1;
  long double w = 0;  // k^2 - 1
  long double b = 0;
  long double log_k = 0;
};

// The hockey-stick divergence, computed from the set where the loss exceeds epsilon.

// A tail too small for any format is still not zero.
constexpr long double underflow = std::numeric_limits<double>::denorm_min();

// A root of the loss less epsilon, in P's units and in Q's: v = k u + b. Each is computed separately because that sum
// may cancel.
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
  // This is k^2 b^2 - 2 w c, with the cancelling terms removed: only epsilon can make it negative, and only for w < 0.
  const long double own = 2 * w * log_k, given = 2 * w * epsilon;
  f.discriminant = b * b + own + given;
  f.discriminant_error = 8 * long_epsilon * (b * b + own + std::abs(given));
  if (!(f.discriminant > 0)) return f;
  // The computation is stable for w near 0, where one root goes to infinity: that root is computed from the sum that
  // does not cancel, the other from the products of the roots, (b^2 - 2 ln k - 2 epsilon)/w and -(b^2 + 2 k^2 (ln k +
  // epsilon))/w.
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

// Adds the part of the line between two ends, under P and (scaled by exp(epsilon)) under Q.
void add_piece(Mass& p, Mass& q, const End& low, const End& high, double epsilon) {
  p += normal_mass(low.u, high.u, 0);
  q += normal_mass(low.v, high.v, epsilon);
}

long double density(long double u) { return 0.4L * std::exp(-u * u / 2); }

// Returns exp(shift) times the mass within `error` of x, at most 1.
long double mass_around(long double x, long double error, long double shift) {
  if (std::isinf(x)) return 0;
  const long double near = std::max(0.0L, std::abs(x) - error);
  const long double exponent = shift - near * near / 2 + 4 * long_epsilon * (shift + x * x);
  return std::min(1.0L, 0.8L * error * std::exp(std::min(exponent, 1000.0L)));
}

// Returns the error from the rounding of an end. exp(epsilon) Q(S) <= P(S) <= 1, so nothing exceeds 1.
long double end_error(const End& end, double epsilon) {
  return mass_around(end.u, end.u_error, 0) + mass_around(end.v, end.v_error, epsilon);
}

// Both distributions have the same standard deviation: delta = Pr[X > t] - exp(epsilon) Pr[X > t + d], t = epsilon/d -
// d/2.
Bounded equal_spread(long double d, double epsilon) {
  if (d == 0) return exactly(0);
  if (epsilon == 0) {
    const long double value = std::erf(d / (2 * std::sqrt(2.0L)));
    return to_bounded(value, 16 * long_epsilon * value);
  }
  const long double t = epsilon / d - d / 2, other = epsilon / d + d / 2;
  const Mass p = normal_mass(t, infinity, 0), q = normal_mass(other, infinity, epsilon);
  // d/dt of the difference at these ends is 0 to first order; Q's end has a rounding error of its own.
  const long double ends = 8 * long_epsilon * (1 + std::abs(t) + d) * (1 + std::abs(t) + d) * density(t);
  return to_bounded(p.value - q.value, p.error + q.error + ends + underflow);
}

Bounded normal_hockey_stick(const NormalShape& shape, double epsilon) {
  // Normal distributions have the same null sets, so the loss is finite.
  if (std::isinf(epsilon)) return exactly(0);
  if (shape.w == 0) return equal_spread(std::abs(shape.b), epsilon);
  const Excess f = excess_of(shape, epsilon);
  // If P is narrower, the loss is a downward parabola, above epsilon only between its roots.
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

constexpr double log_root_two_pi = 0.91893853320467274;

// k - 1 and ln k keep their relative accuracy as the two standard deviations approach each other.
NormalShape shape_of(const NormalLaw& p, const NormalLaw& q) {
  const long double s1 = p.stddev, s2 = q.stddev, k = s1 / s2;
  const bool close = k > 0.5L && k < 2;
  const long double widening = close ? (s1 - s2) / s2 : k - 1;
  return {k, widening * (k + 1), (static_cast<long double>(p.mean) - q.mean) / s2,
          close ? std::log1p(widening) : std::log(k)};
}

class NormalPair final : public PairModel {
 public:
  NormalPair(NormalLaw p, NormalLaw q) : p_(p), q_(q), shape_(shape_of(p, q)) {}

  Bounded renyi(double z) const override {
    if (std::isinf(z)) return largest_loss();
    const long double zw = z * shape_.w, zw_error = 8 * long_epsilon * std::abs(zw);
    const long double t = 1 - zw, t_error = zw_error + long_epsilon;
    if (t <= -t_error) return exactly(infinity);
    if (t <= 4 * t_error) return unknown_finiteness(0);
    const long double shift = (1 + static_cast<long double>(z)) * shape_.b * shape_.b;
    const Part spread = spread_part(z, zw, t);
    const long double value = (spread.value + shift / t) / 2;
    return to_bounded(
        value, 32 * long_epsilon * (spread.size + shift / t) + spread.slope * zw_error + shift / (t * t) * t_error);
  }

  Bounded hockey_stick(double epsilon) const override { return normal_hockey_stick(shape_, epsilon); }

  std::shared_ptr<const PairModel> swapped() const override { return std::make_shared<NormalPair>(q_, p_); }

  std::shared_ptr<const PairModel> mixed(double rate) const override {
    const auto log_density = [](const NormalLaw& law) {
      return [law](double x) {
        const double distance = (x - law.mean) / law.stddev;
        return -distance * distance / 2 - std::log(law.stddev) - log_root_two_pi;
      };
    };
    return DistributionPair::densities(
               {.log_p = log_density(p_), .log_q = log_density(q_), .points = {p_.mean, q_.mean}})
        .model()
        .mixed(rate);
  }

 private:
  // g(w) + g(-zw)/z, the size of its terms, and its derivative by zw.
  struct Part {
    long double value, size, slope;
  };
  Part spread_part(double z, long double zw, long double t) const {
    const long double w = shape_.w;
    // If the standard deviations differ much, the value is computed directly: each g then contains a large term that
    // cancels.
    const bool near = std::abs(w) < 0.5L;
    if (z == 0 && near) return {log_remainder(w), log_remainder(w), 0};
    if (z == 0) return {w - 2 * shape_.log_k, std::abs(w) + 2 * std::abs(shape_.log_k), 0};
    const long double a = near ? log_remainder(w) : -2 * shape_.log_k;
    const long double b = (near ? log_remainder(-zw) : -std::log1p(-zw)) / z;
    return {a + b, std::abs(a) + std::abs(b), std::abs((near ? zw : 1) / (t * z))};
  }

  // Returns sup of ln(P/Q), the limit of the formula above; infinite when P has the larger standard deviation.
  Bounded largest_loss() const {
    const auto& [k, w, b, log_k] = shape_;
    if (w == 0 && b == 0) return exactly(0);
    if (w >= 0) return exactly(infinity);
    const long double value = -log_k - b * b / (2 * w);
    return to_bounded(value, 32 * long_epsilon * value);
  }

  NormalLaw p_, q_;
  NormalShape shape_;
};

void check(const std::string& field, const NormalLaw& law) {
  check_location(field + ".mean", law.mean);
  check_scale(field + ".stddev", law.stddev);
}

// The distance of two means in the metric of a covariance matrix.

using Vector = std::vector<long double>;
using Matrix = std::vector<std::vector<double>>;

void check_entry(const Matrix& s, std::size_t i, std::size_t j) {
  const std::string field = fmt::format("covariance[{}][{}]", i, j);
  if (!std::isfinite(s[i][j])) throw InvalidArgument(field, fmt::format("{}", s[i][j]), "a finite number");
  if (s[i][j] == s[j][i]) return;
  throw InvalidArgument(field, fmt::format("{}", s[i][j]),
                        fmt::format("{}, as at [{}][{}]: the matrix must be symmetric", s[j][i], j, i));
}

void check_shape(const Matrix& s, std::size_t size) {
  const std::string allowed = fmt::format("{0} rows of {0} numbers, as many as the means have", size);
  if (s.size() != size) throw InvalidArgument("covariance", fmt::format("{} rows", s.size()), allowed);
  for (std::size_t i = 0; i < size; ++i) {
    if (s[i].size() == size) continue;
    throw InvalidArgument(fmt::format("covariance[{}]", i), fmt::format("{} numbers", s[i].size()), allowed);
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) check_entry(s, i, j);
  }
}

// S = L L', L lower triangular. A pivot that is lost in rounding counts as zero.
std::vector<Vector> cholesky(const Matrix& s) {
  const std::size_t n = s.size();
  std::vector<Vector> l(n, Vector(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      long double rest = s[i][j];
      for (std::size_t k = 0; k < j; ++k) rest -= l[i][k] * l[j][k];
      if (j < i) {
        l[i][j] = rest / l[j][j];
        continue;
      }
      if (!(rest > static_cast<long double>(n) * 4 * long_epsilon * s[i][i])) {
        throw InvalidArgument("covariance", fmt::format("a matrix whose pivot {} is not above 0", i),
                              "a positive definite matrix");
      }
      l[i][i] = std::sqrt(rest);
    }
  }
  return l;
}

Vector forward_solved(const std::vector<Vector>& l, Vector y) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) y[i] -= l[i][k] * y[k];
    y[i] /= l[i][i];
  }
  return y;
}

Vector backward_solved(const std::vector<Vector>& l, Vector y) {
  for (std::size_t i = y.size(); i-- > 0;) {
    for (std::size_t k = i + 1; k < y.size(); ++k) y[i] -= l[k][i] * y[k];
    y[i] /= l[i][i];
  }
  return y;
}

// Returns y' S^-1 y. Throws InvalidArgument unless S is symmetric and positive definite, of y's size. For any x, with r
// = y - S x:  y' S^-1 y = x'(y + r) + r' S^-1 r.  The last term is >= 0 and of second order.
Bounded squared_mahalanobis(const Vector& y, const Matrix& covariance) {
  check_shape(covariance, y.size());
  const auto l = cholesky(covariance);
  const Vector x = backward_solved(l, forward_solved(l, y));
  const auto n = static_cast<long double>(y.size());
  Vector r(y.size());
  long double value = 0, size = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    long double row = 0, row_size = 0;
    for (std::size_t j = 0; j < y.size(); ++j) {
      row += covariance[i][j] * x[j];
      row_size += std::abs(covariance[i][j] * x[j]);
    }
    r[i] = y[i] - row;
    value += x[i] * (y[i] + r[i]);
    size += std::abs(x[i]) * (std::abs(y[i]) + row_size);
  }
  long double second_order = 0;
  for (const long double w : forward_solved(l, r)) second_order += w * w;
  return to_bounded(value, 2 * second_order + (2 * n + 8) * long_epsilon * size);
}

// Normal distributions of the same covariance: along the line through the means they are N(0, 1) and N(d, 1), d the
// Mahalanobis distance, and orthogonally to it they agree (docs/math/divergences.md, "Several dimensions").
class DistancePair final : public PairModel {
 public:
  explicit DistancePair(Bounded squared) : squared_(squared) {}

  // D_a = a d^2 / 2
  Bounded renyi(double z) const override {
    if (squared_.value == 0 && squared_.error == 0) return exactly(0);
    if (std::isinf(z)) return squared_.lower() > 0 ? exactly(infinity) : unknown_finiteness(0);
    const long double half_order = (1 + static_cast<long double>(z)) / 2, value = half_order * squared_.value;
    return to_bounded(value, half_order * squared_.error + 4 * long_epsilon * value);
  }

  // The derivative with respect to d is a normal density, at most 0.4, and d has an error of at most error / d or
  // sqrt(error).
  Bounded hockey_stick(double epsilon) const override {
    const long double d = std::sqrt(static_cast<long double>(squared_.value)), error = squared_.error;
    const long double off = d > 0 ? std::min(error / d, std::sqrt(error)) : std::sqrt(error);
    Bounded result = normal_hockey_stick({.b = d}, epsilon);
    if (std::isfinite(epsilon)) result.error += static_cast<double>(0.4L * (off + 2 * long_epsilon * d));
    return result;
  }

  // The pair depends only on the distance, so exchanging P and Q changes nothing.
  std::shared_ptr<const PairModel> swapped() const override { return std::make_shared<DistancePair>(squared_); }

 private:
  Bounded squared_;
};

void check_mean(const std::string& field, const std::vector<double>& mean) {
  for (std::size_t i = 0; i < mean.size(); ++i) check_location(fmt::format("{}[{}]", field, i), mean[i]);
}

}  // namespace
}  // namespace normal_file
}  // namespace divergence_detail

DistributionPair DistributionPair::normal(NormalLaw p, NormalLaw q) {
  divergence_detail::normal_file::check("p", p);
  divergence_detail::normal_file::check("q", q);
  return DistributionPair(std::make_shared<divergence_detail::normal_file::NormalPair>(p, q));
}

DistributionPair DistributionPair::multivariate_normal(const std::vector<double>& p_mean,
                                                       const std::vector<double>& q_mean,
                                                       const std::vector<std::vector<double>>& covariance) {
  using namespace divergence_detail;
  constexpr std::size_t most = 1000;
  if (p_mean.empty() || p_mean.size() > most) {
    throw InvalidArgument("p", fmt::format("{} numbers", p_mean.size()), fmt::format("1 to {} numbers", most));
  }
  if (q_mean.size() != p_mean.size()) {
    throw InvalidArgument("q", fmt::format("{} numbers", q_mean.size()),
                          fmt::format("{} numbers, as many as p has", p_mean.size()));
  }
  normal_file::check_mean("p", p_mean);
  normal_file::check_mean("q", q_mean);
  std::vector<long double> gap;
  for (std::size_t i = 0; i < p_mean.size(); ++i) gap.push_back(static_cast<long double>(p_mean[i]) - q_mean[i]);
  return DistributionPair(
      std::make_shared<normal_file::DistancePair>(normal_file::squared_mahalanobis(gap, covariance)));
}

}  // namespace renyi
