#include "mechanism/random_allocation/table.h"

#include <algorithm>
#include <cmath>

namespace renyi::random_allocation {

namespace table_file {
namespace {

// The step is this over s sqrt(t). For imaginary parts |y| <= 8.5 s sqrt(t) of the order, the trapezoidal rule then
// errs by less than exp(-(2 pi/h - |y|)^2/(2 t s^2)) = exp(-45).
constexpr double step = 0.35;
// Terms below exp(-negligible) of the largest are left out.
constexpr double negligible = 45;
constexpr long most_nodes = 1 << 17;
constexpr int probes = 24;

}  // namespace
}  // namespace table_file

Table::Table(double steps, double s)
    : steps_(steps), s_(s), step_(table_file::step / (s * std::sqrt(steps))), density_(steps, s) {}

double Table::log_density(long node) const {
  std::vector<double>& side = node >= 0 ? right_ : left_;
  const auto index = static_cast<std::size_t>(node >= 0 ? node : -1 - node);
  while (side.size() <= index) {
    const auto next = static_cast<long>(side.size());
    side.push_back(density_.log_at(static_cast<double>(node >= 0 ? next : -1 - next) * step_));
  }
  return side[index];
}

// The density has a second part, where one of the terms is large and R is about a term over t: with the factor R^power
// it is largest near power/s^2 - ln t - 1/(2 s^2).
bool Table::is_small_beyond(double x, double power, double level) const {
  const double peak = (power - 0.5) / (s_ * s_) - std::log(steps_);
  if (peak <= x) return true;
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
  double largest = log_density(0);
  const auto march = [&](long way, double exponent, auto done) -> std::optional<long> {
    double before = largest;
    for (long j = way;; j += way) {
      if (std::abs(j) > table_file::most_nodes) return std::nullopt;
      const double x = static_cast<double>(j) * step_, size = log_density(j) + exponent * x;
      largest = std::max(largest, size);
      if (size < largest - table_file::negligible && size < before && done(x)) return j;
      before = size;
    }
  };
  const double far_left = 1.05 * down / (steps_ * s_ * s_);
  const auto first = march(-1, down, [&](double x) { return x <= far_left; });
  if (!first) return std::nullopt;
  const double peak = (up - 0.5) / (s_ * s_) - std::log(steps_);
  std::optional<bool> small;
  const auto last = march(1, up, [&](double x) {
    if (x >= peak) return true;
    if (!small) small = is_small_beyond(x, up, largest);
    return *small;
  });
  if (!last) return std::nullopt;
  Window window{*first, step_, {}};
  window.log_density.reserve(static_cast<std::size_t>(*last - *first + 1));
  for (long j = *first; j <= *last; ++j) window.log_density.push_back(log_density(j));
  return window;
}

}  // namespace renyi::random_allocation
