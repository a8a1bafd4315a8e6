// Discrete Gaussian noise: K(z) = t (t+D)/(2 s^2) + ln(Theta(t)/Theta(0)), t = zD, with the shorter of the two
// series of Theta (docs/math/discrete-noise.md, "Two series"). The omitted terms of a series are bounded by a geometric
// one.
#include <cmath>

#include "certify/mechanism/proof.h"

namespace renyi::certify {
namespace discrete_gaussian_file {
namespace {

// From this value on the second series is the shorter one.
constexpr double widest_narrow = 0.4;

// The sum over whole x of exp(-(x+t)^2/(2 s^2)) = exp(-f^2/(2 s^2)) + ..., t = n + f. Beyond N + 1 > |f|, (x+f)^2 >=
// (N+1-|f|)^2 + (|x|-N-1), because squares of numbers a distance k >= 1 beyond m >= 1/2 grow by at least k.
Ball direct_series(const Ball& rate, const Ball& t) {
  const Ball f = t - Ball(std::round(t.about()));
  const double bits = static_cast<double>(Precision::bits());
  const auto last = static_cast<std::int64_t>(std::ceil(std::sqrt(bits / std::max(rate.about(), 0.1)))) + 2;
  Ball sum = exp(-rate * square(f));
  for (std::int64_t x = 1; x <= last; ++x) sum += exp(-rate * square(Ball(x) + f)) + exp(-rate * square(Ball(x) - f));
  const Ball nearest = Ball(last + 1) - abs(f);
  return sum.widen(2 * exp(-rate * square(nearest)) / -expm1(-rate));
}

// The same sum divided by s sqrt(2 pi): 1 + 2 sum exp(-2 pi^2 s^2 k^2) cos(2 pi k t).
Ball dual_series(const Ball& variance, const Ball& t) {
  const Ball rate = 2 * square(Ball::pi()) * variance, f = t - Ball(std::round(t.about()));
  const double bits = static_cast<double>(Precision::bits());
  const auto last = static_cast<std::int64_t>(std::ceil(std::sqrt(bits / std::max(rate.about(), 1.0)))) + 1;
  Ball sum = 1;
  for (std::int64_t k = 1; k <= last; ++k) sum += 2 * exp(-rate * square(Ball(k))) * cos(2 * Ball::pi() * Ball(k) * f);
  return sum.widen(2 * exp(-rate * square(Ball(last + 1))) / -expm1(-rate));
}

Ball log_ratio(double stddev, const Ball& t) {
  const Ball variance = square(Ball(stddev));
  if (stddev > widest_narrow) return log(dual_series(variance, t) / dual_series(variance, 0));
  const Ball rate = 1 / (2 * variance);
  return log(direct_series(rate, t) / direct_series(rate, 0));
}

Ball log_moment(Proof::Values values, const Ball& z) {
  const Ball stddev = values[0], distance = values[1], t = z * distance;
  return t * (t + distance) / (2 * square(stddev)) + log_ratio(values[0], t);
}

// Theta is even, so that it does not contribute to the slope at 0.
Ball mean_loss(Proof::Values values) { return square(Ball(values[1]) / values[0]) / 2; }

Ball max_loss(Proof::Values) { return Ball::infinity(); }

}  // namespace
}  // namespace discrete_gaussian_file

namespace proof {
Proof discrete_gaussian();
Proof discrete_gaussian() {
  return {discrete_gaussian_file::log_moment, discrete_gaussian_file::mean_loss, discrete_gaussian_file::max_loss};
}
}  // namespace proof

}  // namespace renyi::certify
