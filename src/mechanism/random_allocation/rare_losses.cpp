#include "mechanism/random_allocation/rare_losses.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "numerics/exponentials.h"

namespace renyi::random_allocation {

using numerics::exp_remainder;
using std::numbers::pi;

namespace rare_losses_file {
namespace {

// The normal variable is integrated from minus this on, by so many steps of the trapezoidal rule.
constexpr double range = 10;
constexpr int intervals = 240;
// The largest exponent under the integrals.
constexpr double most_exponent = 40;
constexpr int bisections = 60, sections = 40;

double normal_tail(double z) { return 0.5 * std::erfc(z / std::numbers::sqrt2); }

// The terms X, each replaced by min(X, bound). Under P one of them has the density X, which moves its normal variable
// by 1/s.
class BoundedTerms {
 public:
  BoundedTerms(double steps, double s, double log_bound)
      : steps_(steps), s_(s), bound_(std::exp(log_bound)), end_(s * log_bound + 0.5 / s) {}

  double largest_theta() const { return most_exponent / bound_; }

  // Returns an upper bound on ln E_P[exp(theta (sum of the terms - t))]; the terms' mean is at most 1.
  double log_moment(double theta) const {
    const double rest = remainder(theta, 0), y = theta + rest, moved = remainder(theta, 1 / s_);
    // ln(1 + y) - theta, and exp(theta Y) = 1 + theta Y + rem(theta Y) where Y is the term of P.
    return (steps_ - 1) * (std::log1p(y) - y + rest) + std::log1p(theta * moved_mean() + moved) - theta;
  }

 private:
  // E[Y] <= E[X] under P.
  double moved_mean() const { return std::min(bound_, std::exp(1 / (s_ * s_))); }

  // Returns E[exp(theta Y) - 1 - theta Y], Y the smaller of X and the bound, for a normal variable of this mean.
  double remainder(double theta, double mean) const {
    const double first = mean - range, step = (end_ - first) / intervals;
    if (!(step > 0)) return exp_remainder(theta * bound_);
    double sum = 0;
    for (int i = 0; i <= intervals; ++i) {
      const double z = first + i * step, off = z - mean, x = std::exp((z - 0.5 / s_) / s_);
      sum += std::exp(-0.5 * off * off) * exp_remainder(theta * x) * (i == 0 || i == intervals ? 0.5 : 1.0);
    }
    return sum * step / std::sqrt(2 * pi) + exp_remainder(theta * bound_) * normal_tail(end_ - mean);
  }

  double steps_;
  double s_;
  double bound_;
  double end_;  // the normal variable at which X is the bound
};

}  // namespace
}  // namespace rare_losses_file

double rarely_exceeded(double steps, double s, double most) {
  using namespace rare_losses_file;
  // One term exceeds exp(b) with at most half the probability.
  const auto exceeds = [&](double b) {
    return (steps - 1) * normal_tail(s * b + 0.5 / s) + normal_tail(s * b - 0.5 / s);
  };
  double low = 0, high = 1 / (s * s) + 40 / s;
  for (int i = 0; i < bisections; ++i) {
    const double middle = 0.5 * (low + high);
    (exceeds(middle) > 0.5 * most ? low : high) = middle;
  }
  const BoundedTerms terms(steps, s, high);
  // Chernoff's bound for the others, with half of the remaining probability; the rest is for the quadrature.
  const auto excess = [&](double log_theta) {
    const double theta = std::exp(log_theta);
    return (terms.log_moment(theta) + std::log(4 / most)) / (steps * theta);
  };
  double right = std::log(terms.largest_theta()), left = right - 25;
  constexpr double golden = 0.6180339887498949;
  for (int i = 0; i < sections && right - left > 0.01; ++i) {
    const double a = right - golden * (right - left), b = left + golden * (right - left);
    // Not finite is too far right.
    (excess(a) > excess(b) ? left : right) = excess(a) > excess(b) ? a : b;
  }
  return std::log1p(excess(0.5 * (left + right)));
}

}  // namespace renyi::random_allocation
