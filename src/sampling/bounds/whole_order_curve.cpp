#include "sampling/bounds/whole_order_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "numerics/rounding.h"
#include "renyi/error.h"
#include "sampling/bounds/logarithms.h"

namespace renyi::sampling {

namespace whole_order_curve_file {
namespace {

// Every order up to `dense` is computed, and beyond it the orders in steps of a 64th: a K that grows with the square of
// the order lies by 1/16,000 of itself below its chords, and a step may need a quadrature for each order.
constexpr std::size_t dense = 512, parts = 64;

// Returns an upper bound on the chord through (0, low) and (1, high) at t: K is convex.
double chord_up(double low, double high, double t) {
  if (low == 0 && high == 0) return 0;
  return numerics::next_up(((1 - t) * low + t * high) * (1 + 4 * numerics::unit_roundoff));
}

}  // namespace
}  // namespace whole_order_curve_file

WholeMoments::WholeMoments(std::function<double(double z)> log_moment)
    : log_moment_(std::move(log_moment)), known_(std::make_shared<const std::vector<double>>(2, 0.0)) {}

void WholeMoments::extend(std::vector<double>& values) const {
  const auto at = [&](std::size_t l) { return log_moment_(static_cast<double>(l - 1)); };
  const std::size_t last = values.size() - 1,
                    step = last < whole_order_curve_file::dense ? 1 : last / whole_order_curve_file::parts;
  const double low = values.back(), high = at(last + step);
  for (std::size_t i = 1; i < step; ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(step);
    values.push_back(std::isfinite(high) ? whole_order_curve_file::chord_up(low, high, t) : at(last + i));
  }
  values.push_back(high);
}

WholeMoments::Values WholeMoments::up_to(std::size_t n) const {
  Values known;
  {
    const std::lock_guard lock(mutex_);
    known = known_;
  }
  if (known->size() > n) return known;
  // The lock is not held here: a step may be a function of the user's, which may evaluate this curve again.
  std::vector<double> longer = *known;
  while (longer.size() <= n) extend(longer);
  auto values = std::make_shared<const std::vector<double>>(std::move(longer));
  const std::lock_guard lock(mutex_);
  if (values->size() > known_->size()) known_ = values;
  return values;
}

using numerics::next_up;

namespace whole_order_curve_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double upper_end(const LogMoment& k) {
  if (!std::isfinite(k.value)) return infinity;
  const double upper = k.error == 0 ? k.value : next_up(k.value + k.error);
  return std::isnan(upper) ? infinity : std::max(0.0, upper);
}

}  // namespace
}  // namespace whole_order_curve_file

double step_log_moment(const Curve& step, double z, Direction direction) {
  return whole_order_curve_file::upper_end(step.log_moment(z, direction));
}

double step_worst_log_moment(const Curve& step, double z) {
  return whole_order_curve_file::upper_end(step.worst_log_moment(z));
}

double mixed_log_moment(double k, double rate) {
  if (k == 0) return 0;
  const long double log_rate = std::log(static_cast<long double>(rate)), grown = log_expm1(k);
  return log1p_exp_up(log_rate + grown, 4 * log_epsilon * (1 + std::abs(log_rate) + std::abs(grown)));
}

double mixed_divergence(double k, double d1, double rate, double order) {
  if (order > 1) return divergence_up(mixed_log_moment(k, rate), order);
  return d1 == 0 ? 0 : next_up(rate * d1);
}

double divergence_up(double k, double order) { return k == 0 ? 0 : next_up(k / (order - 1)); }

void check_sampled(const std::shared_ptr<const Curve>& step, double rate) {
  if (!step) throw InvalidArgument("step", "none", "a curve");
  if (!(rate >= 0 && rate <= 1)) throw InvalidArgument("rate", fmt::format("{}", rate), "a number in [0, 1]");
}

// Sampling never increases a divergence, and decreases the largest by at most ln(1/rate) a/(a-1).
Growth WholeOrderCurve::growth() const {
  const double most = worst_max_loss().upper();
  return std::isfinite(most) ? Growth{most, 0} : step_->growth();
}

double WholeOrderCurve::best_at_whole(std::size_t n, Direction direction) const {
  const std::pair key(n, direction);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
  }
  const auto order = static_cast<double>(n);
  const double most = largest_loss(direction);
  double k = std::min(log_moment_at_whole(n, direction), next_up((order - 1) * divergence_at_any(order, direction)));
  if (std::isfinite(most)) k = std::min(k, beyond(n / 2, order, direction));
  const std::lock_guard lock(mutex_);
  known_.emplace(key, k);
  return k;
}

// K increases no faster than the largest loss: K(a-1) <= K(n-1) + (a-n) D_inf, n = 1 being the line through 0.
double WholeOrderCurve::beyond(std::size_t n, double order, Direction direction) const {
  const double from = n < 2 ? 0 : best_at_whole(n, direction);
  const double along = next_up((order - static_cast<double>(std::max<std::size_t>(n, 1))) * largest_loss(direction));
  return largest_loss(direction) == 0 ? from : next_up(from + along);
}

// K is convex with K(0) = 0: (a-1) D_a <= (1-t) K(n-1) + t K(n), t = a - n. On [1, 2] that is D_2.
double WholeOrderCurve::by_whole_orders(double order, Direction direction) const {
  const double n = std::floor(order), t = order - n;
  const double low = n == 1 ? 0 : best_at_whole(static_cast<std::size_t>(n), direction);
  if (t == 0 && n > 1) return divergence_up(low, order);
  const double high = best_at_whole(static_cast<std::size_t>(n) + 1, direction);
  if (n == 1) return high;
  if (low == 0 && high == 0) return 0;
  const double k = (1 - t) * low + t * high;
  return divergence_up(next_up(next_up(k * (1 + 4 * numerics::unit_roundoff))), order);
}

Bounded WholeOrderCurve::divergence_of(double order, Direction direction) const {
  const double most = largest_loss(direction);
  if (std::isinf(order)) return {most, 0};
  double best = std::min(most, divergence_at_any(order, direction));
  if (std::ceil(order) <= static_cast<double>(most_whole_order)) {
    best = std::min(best, by_whole_orders(order, direction));
  } else if (std::isfinite(most)) {
    best = std::min(best, divergence_up(beyond(most_whole_order, order, direction), order));
  }
  return {best, 0};
}

}  // namespace renyi::sampling
