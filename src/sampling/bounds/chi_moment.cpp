#include "sampling/bounds/chi_moment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "renyi/error.h"
#include "sampling/bounds/logarithms.h"

namespace renyi::sampling {

namespace chi_moment_file {
namespace {

// The integrand under q, x in units of s: exp(l ln|e^w - 1| - x^2/2)/sqrt(2 pi), w = x/s - 1/(2 s^2). The second
// derivative of its logarithm is at most -1 on either side of w = 0: each lobe falls like a normal density, or faster.
struct Integrand {
  long double s;
  long double l;

  long double w(long double x) const { return (x - 1 / (2 * s)) / s; }
  long double logarithm(long double x) const {
    const long double v = w(x), grown = v > 40 ? v : std::log(std::abs(std::expm1(v)));
    return l * grown - x * x / 2 - std::log(2 * std::numbers::pi_v<long double>) / 2;
  }
  // Errors of x and w are multiplied by l/s and by x; s^2 is rounded too.
  long double error(long double x) const {
    const long double v = std::abs(w(x)), grown = v > 40 ? v : std::abs(std::log(std::abs(std::expm1(w(x)))));
    return 8 * log_epsilon * (4 + l * (1 + grown + v) + x * x);
  }
  // The derivative of the logarithm: (l/s) e^w/(e^w - 1) - x.
  long double slope(long double x) const { return l / s / -std::expm1(-w(x)) - x; }
};

// Finds the top of a lobe by bisection; the slope decreases.
long double top_between(const Integrand& f, long double low, long double high) {
  for (int i = 0; i < 200 && low < high; ++i) {
    const long double middle = low + (high - low) / 2;
    (f.slope(middle) > 0 ? low : high) = middle;
  }
  return low;
}

// Farther than this from its top a lobe has less than 1e-30 of its mass.
constexpr long double reach = 12;

struct Lobes {
  long double left;
  long double right;
};

Lobes tops(const Integrand& f) {
  const long double zero = 1 / (2 * f.s), width = f.l / f.s + std::sqrt(f.l) + 2;
  return {top_between(f, zero - width - 2 * zero, zero), top_between(f, zero, zero + width + 2 * zero)};
}

// The trapezoidal rule: h times the sum over the points x = i h within `reach` of a top, each point once.
LogSum trapezoid(const Integrand& f, const Lobes& at, long double h) {
  LogSum sum;
  const long double step = std::log(h);
  long double done = -std::numeric_limits<long double>::infinity();
  for (const long double top : {at.left, at.right}) {
    const long double first = std::max(std::ceil((top - reach) / h), done + 1);
    for (long double i = first; i * h <= top + reach; ++i) {
      const long double x = i * h;
      if (f.w(x) != 0) sum.add(f.logarithm(x) + step, f.error(x));
      done = i;
    }
  }
  return sum;
}

}  // namespace
}  // namespace chi_moment_file

// The integrand is entire in x: halving the step squares the remaining error, until the sum no longer changes.
LogValue log_chi_moment(double noise_multiplier, std::size_t l) {
  const chi_moment_file::Integrand f{noise_multiplier, static_cast<long double>(l)};
  const chi_moment_file::Lobes at = chi_moment_file::tops(f);
  long double before = chi_moment_file::trapezoid(f, at, 0.25L).upper();
  for (long double h = 0.125L; h > 1e-3L; h /= 2) {
    const LogSum sum = chi_moment_file::trapezoid(f, at, h);
    const long double value = sum.upper(), moved = std::abs(value - before);
    const long double rounding = sum.error() + 1e-17L;
    if (moved <= 1e-12L + 4 * rounding) return {value, moved + rounding};
    before = value;
  }
  throw NotConverged(fmt::format("moment {} of p/q - 1 for noise multiplier {}", l, noise_multiplier));
}

}  // namespace renyi::sampling
