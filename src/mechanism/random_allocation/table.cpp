#include "mechanism/random_allocation/table.h"

#include <algorithm>
#include <cmath>

#include "renyi/limits.h"

namespace renyi::random_allocation {

namespace table_file {
namespace {

// The step is this over s sqrt(t). For imaginary parts |y| <= 8.5 s sqrt(t) of the order, the trapezoidal rule then
// errs by less than exp(-(2 pi/h - |y|)^2/(2 t s^2)) = exp(-45).
constexpr double step = 0.35;
// Terms below exp(-negligible) of the largest are left out.
constexpr double negligible = 45;
constexpr double most_nodes = 1 << 15;
constexpr double largest_moment = 800;
constexpr int probes = 24;

}  // namespace
}  // namespace table_file

Table::Table(double steps, double s) : Table(steps, s, s * std::sqrt(steps)) {}

Table::Table(double steps, double s, double smoothness)
    : steps_(steps), s_(s), step_(table_file::step / smoothness), density_(steps, s) {}

double Table::log_density(std::int64_t node) const {
  std::vector<double>& side = node >= 0 ? right_ : left_;
  const auto index = static_cast<std::size_t>(node >= 0 ? node : -1 - node);
  while (side.size() <= index) {
    stop_if_overdue();
    const auto next = static_cast<std::int64_t>(side.size());
    side.push_back(density_.log_at(static_cast<double>(node >= 0 ? next : -1 - next) * step_));
  }
  return side[index];
}

bool Table::is_small_beyond(double x, double peak, double power, double level) const {
  const double end = peak + 3 / s_;
  for (int i = 1; i <= table_file::probes; ++i) {
    const double at = x + (end - x) * i / table_file::probes;
    if (density_.log_at(at) + power * at > level - table_file::negligible) return false;
  }
  return true;
}

std::optional<Window> Table::window(double power) const {
  const std::lock_guard lock(mutex_);
  // Centred moments also need the sums of the density and of the density times R.
  const double up = std::max(power, 1.0), down = std::min(power, 0.0);
  // Lower bounds on K: beyond this no question is decided, and the table would grow for nothing.
  const double least =
      power > 1 ? (power - 1) * (0.5 * power / (s_ * s_) - std::log(steps_)) : 0.5 * down * down / (steps_ * s_ * s_);
  if (least > table_file::largest_moment) return std::nullopt;
  const double far_left = 1.05 * down / (steps_ * s_ * s_);
  if (-far_left > table_file::most_nodes * step_) return std::nullopt;
  double largest = log_density(0);
  // Returns the first node where terms are negligible and fall, and `done` holds.
  const auto end = [&](std::int64_t way, double exponent, auto done) -> std::optional<std::int64_t> {
    double before = largest;
    for (std::int64_t j = way; std::abs(static_cast<double>(j)) <= table_file::most_nodes; j += way) {
      const double x = static_cast<double>(j) * step_, size = log_density(j) + exponent * x;
      largest = std::max(largest, size);
      if (size < largest - table_file::negligible && !(size > before)) {
        const std::optional<bool> is_done = done(x);
        if (!is_done) return std::nullopt;
        if (*is_done) return j;
      }
      before = size;
    }
    return std::nullopt;
  };
  const auto first = end(-1, down, [&](double x) { return std::optional(x <= far_left); });
  if (!first) return std::nullopt;
  // The density has a second part, where one of the terms is large and R is about this term over t: with the factor
  // R^up it is largest near here.
  const double peak = (up - 0.5) / (s_ * s_) - std::log(steps_);
  std::optional<bool> small;
  const auto last = end(1, up, [&](double x) -> std::optional<bool> {
    if (x >= peak) return true;
    if (!small) small = is_small_beyond(x, peak, up, largest);
    if (!*small && peak > table_file::most_nodes * step_) return std::nullopt;
    return *small;
  });
  if (!last) return std::nullopt;
  Window window{*first, step_, {}};
  window.log_density.reserve(static_cast<std::size_t>(*last - *first + 1));
  for (std::int64_t j = *first; j <= *last; ++j) window.log_density.push_back(log_density(j));
  return window;
}

std::optional<Window> Table::window_to(double last) const {
  const std::lock_guard lock(mutex_);
  if (!(std::abs(last) <= table_file::most_nodes * step_)) return std::nullopt;
  double largest = log_density(0), size = largest;
  std::int64_t first = 0;
  while (!(size < largest - table_file::negligible)) {
    if (static_cast<double>(--first) < -table_file::most_nodes) return std::nullopt;
    size = log_density(first);
    largest = std::max(largest, size);
  }
  Window window{first, step_, {}};
  for (std::int64_t j = first; static_cast<double>(j) * step_ <= last; ++j)
    window.log_density.push_back(log_density(j));
  return window;
}

}  // namespace renyi::random_allocation
