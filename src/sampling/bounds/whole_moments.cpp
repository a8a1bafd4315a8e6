#include "sampling/bounds/whole_moments.h"

#include <cmath>
#include <utility>

#include "numerics/rounding.h"

namespace renyi::sampling {

namespace {

// Each order up to here is asked for, and then one in every 64th part of it: a K that grows with the square of the
// order lies by 1/16,000 of itself below its chords, and a step may take a quadrature for each order.
constexpr std::size_t dense = 512, parts = 64;

// At least the chord through (0, low) and (1, high) at t: K is convex.
double chord_up(double low, double high, double t) {
  if (low == 0 && high == 0) return 0;
  return numerics::next_up(((1 - t) * low + t * high) * (1 + 4 * numerics::unit_roundoff));
}

}  // namespace

WholeMoments::WholeMoments(std::function<double(double z)> log_moment)
    : log_moment_(std::move(log_moment)), known_(std::make_shared<const std::vector<double>>(2, 0.0)) {}

void WholeMoments::extend(std::vector<double>& values) const {
  const auto at = [&](std::size_t l) { return log_moment_(static_cast<double>(l - 1)); };
  const std::size_t last = values.size() - 1, step = last < dense ? 1 : last / parts;
  const double low = values.back(), high = at(last + step);
  for (std::size_t i = 1; i < step; ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(step);
    values.push_back(std::isfinite(high) ? chord_up(low, high, t) : at(last + i));
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
  // Not under the lock: a step may be a function of the user's, which may ask this curve again.
  std::vector<double> longer = *known;
  while (longer.size() <= n) extend(longer);
  auto values = std::make_shared<const std::vector<double>>(std::move(longer));
  const std::lock_guard lock(mutex_);
  if (values->size() > known_->size()) known_ = values;
  return values;
}

}  // namespace renyi::sampling
