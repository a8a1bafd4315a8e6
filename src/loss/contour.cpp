#include "loss/contour.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "loss/saddle.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::loss {

namespace {

using std::numbers::pi;

// Aliases and truncation together stay below this share of the value.
constexpr double share = 1e-12;
// A line may cost so much: its points, each with a sum that grows with y.
constexpr double most_points = 20'000, most_work = 2e6;
constexpr std::size_t most_zones = 60;
// An interval wider than this share of its upper end says less than Chernoff's bound does.
constexpr double widest = 0.01;
// The line keeps this distance from the pole, in units of the loss's standard deviation.
constexpr double from_pole = 0.5;
constexpr double largest_c = 1e12;
// Roundings of one term: exponent, kernel, product.
constexpr double term_ulps = 16;

double modulus_of_kernel(Kernel kernel, double c, double y) {
  return 1 / std::hypot(kernel == Kernel::tail ? c : c + 1, y);
}

// The line Re z = c: exp(level) is the integrand's size on the real axis, without the kernel.
struct Line {
  double c;
  double level;  // K(c) - c t, rounded up
  double size;   // rough value of the integral, as a multiple of exp(level)
};

// Nothing where the loss does not vary, or so little that the line would be out of sight.
std::optional<Line> line_for(const Curve& curve, Direction direction, double t, Kernel kernel) {
  Saddle at = saddle_point(curve, direction, t, 1);
  const double spread = std::sqrt(curve.log_moment(0, direction).curvature);
  if (!(spread > from_pole / largest_c)) return std::nullopt;
  if (const double nearest = from_pole / spread; at.c < nearest) at = {nearest, curve.log_moment(nearest, direction)};
  const double level = at.k.value - at.c * t;
  const double noise = at.k.error + 4 * numerics::unit_roundoff * (at.k.value + std::abs(at.c * t));
  // Of the saddle-point approximation.
  const double width = std::sqrt(2 * pi * (at.k.curvature + 1 / (at.c * at.c)));
  return Line{at.c, level + noise, modulus_of_kernel(kernel, at.c, 0) / width};
}

// S = sum over k of exp(k c X) g(t + k X), X = 2 pi/h, where g is what the integral gives:
// 0 <= g(u) <= min(1, exp(K(c') - c' u)). All as multiples of exp(level).
double aliases(const Curve& curve, Direction direction, double t, const Line& line, double x) {
  const double below = std::exp(-line.level) / std::expm1(line.c * x);
  double above = std::numeric_limits<double>::infinity();
  for (const double factor : {1.1, 1.3, 1.6, 2.0, 3.0, 5.0}) {
    const double c = line.c * factor;
    if (c > curve.last_order() - 1) break;
    const LogMoment k = curve.log_moment(c, direction);
    const double there = k.value + k.error - c * t - line.level;
    above = std::min(above, std::exp(there) / std::expm1((c - line.c) * x));
  }
  return below + above;
}

bool too_long(double y, double h) { return y / h > most_points || y / h * y > most_work; }

// Where the line may end, and a bound on what lies beyond, integral and sum alike.
struct End {
  double y;
  double beyond;  // as a multiple of exp(level)
};

// Zones [y, 2y] that double, each with its bound on the characteristic function, until the
// bound on all that follow is negligible and halves with y; then back to the first zone
// after which little is left.
std::optional<End> end_of_line(const Curve& curve, Direction direction, const Line& line, Kernel kernel, double h) {
  const double first = 4 * line.c;
  const auto part = [&](double log_decay, double y) {
    return std::exp(log_decay) * modulus_of_kernel(kernel, line.c, y) * (y + h) / pi;
  };
  std::vector<double> zones;
  double beyond = std::numeric_limits<double>::infinity();
  for (double y = first; zones.size() < most_zones; y *= 2) {
    const double here = part(curve.log_decay_beyond(line.c, y, direction), y);
    const double next = part(curve.log_decay_beyond(line.c, 2 * y, direction), 2 * y);
    if (here < 1e-3 * share * line.size && next <= 0.5 * here) {
      beyond = 2 * here;
      break;
    }
    zones.push_back(part(curve.log_decay(line.c, y, direction), y));
    if (zones.back() >= share * line.size && too_long(2 * y, h)) return std::nullopt;
  }
  std::size_t end = zones.size();
  while (end > 0 && beyond + zones[end - 1] < share * line.size) beyond += zones[--end];
  const double y = std::ldexp(first, static_cast<int>(end));
  if (too_long(y, h)) return std::nullopt;
  return End{y, beyond};
}

struct Sum {
  double value = 0;  // as a multiple of exp(level)
  double error = 0;
};

// One point of the line, its real part and what K's error and rounding leave of it.
void add_point(const Curve& curve, Direction direction, double t, const Line& line, Kernel kernel, double y,
               double weight, Sum& sum) {
  const double size = modulus_of_kernel(kernel, line.c, y);
  try {
    const std::complex<double> z(line.c, y);
    const ComplexLogMoment k = curve.log_moment(z, direction);
    const std::complex<double> exponent(k.value.real() - line.c * t - line.level, k.value.imag() - y * t);
    const std::complex<double> pole = kernel == Kernel::tail ? z : z + 1.0;
    const double modulus = std::exp(exponent.real()) * size;
    const double turned = std::abs(k.value.imag()) + std::abs(y * t) + std::abs(k.value.real()) + term_ulps;
    sum.value += weight * std::real(std::exp(exponent) / pole);
    sum.error += weight * modulus * (std::expm1(k.error) + 2 * numerics::unit_roundoff * turned);
  } catch (const NotConverged&) {
    // The moment is lost in rounding; what is proved of the decay bounds it.
    sum.error += weight * size * std::exp(curve.log_decay(line.c, y, direction));
  }
}

}  // namespace

std::optional<Interval> contour_integral(const Curve& curve, Direction direction, double t, Kernel kernel) {
  const auto found = line_for(curve, direction, t, kernel);
  if (!found) return std::nullopt;
  const Line& line = *found;
  double x = 30 / line.c;
  double alias = aliases(curve, direction, t, line, x);
  for (int i = 0; i < 20 && !(alias < share * line.size); ++i) {
    x *= 1.5;
    alias = aliases(curve, direction, t, line, x);
  }
  const double h = 2 * pi / x;
  const auto end = end_of_line(curve, direction, line, kernel, h);
  if (!end || !(alias < widest * line.size)) return std::nullopt;

  Sum sum;
  const auto points = static_cast<long>(std::ceil(end->y / h));
  for (long j = 0; j < points; ++j) {
    add_point(curve, direction, t, line, kernel, static_cast<double>(j) * h, j == 0 ? 0.5 * h / pi : h / pi, sum);
  }
  const double additions = static_cast<double>(points) * numerics::unit_roundoff * std::abs(sum.value);
  const double error = sum.error + end->beyond + additions;
  if (!(error + alias < widest * sum.value) || !std::isfinite(std::exp(line.level))) return std::nullopt;
  // All aliases are >= 0, so the sum is above the integral.
  const double scale = std::exp(line.level), up = 1 + 8 * numerics::unit_roundoff * (1 + std::abs(line.level));
  return Interval{std::max(0.0, scale * (sum.value - error - alias) / up),
                  std::clamp(scale * (sum.value + error) * up, 0.0, 1.0)};
}

}  // namespace renyi::loss
