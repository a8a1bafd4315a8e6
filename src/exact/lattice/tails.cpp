#include "exact/lattice/tails.h"

#include <algorithm>
#include <cmath>

namespace renyi::exact::lattice {

namespace {

// Powers by multiplication, afresh every so often so that their error stays below 2^7 roundings.
constexpr std::size_t block = 64;

// ln of sum w_j exp(a j h) / sum w_j, j counted from the lowest mass.
double log_moment_above_first(const std::vector<double>& w, double step) {
  const std::size_t n = w.size();
  const double factor = std::exp(-std::abs(step));
  const auto at = [&](std::size_t i) { return step > 0 ? w[n - 1 - i] : w[i]; };  // the largest power first
  double sum = 0, total = 0;
  for (std::size_t start = 0; start < n; start += block) {
    double power = std::exp(-std::abs(step) * static_cast<double>(start));
    const std::size_t end = std::min(n, start + block);
    for (std::size_t i = start; i < end; ++i, power *= factor) {
      sum += at(i) * power;
      total += at(i);
    }
  }
  if (!(sum > 0)) return HUGE_VAL;  // all powers underflow: no bound
  return std::log(sum / total) + (step > 0 ? step * static_cast<double>(n - 1) : 0);
}

// (M(a) + level)/a for the least a of the search: M + level is a bound's logarithm, so where it is 0.
double best_order(const std::vector<CountedMasses>& steps, Side side, double sign, double h) {
  const auto position = [&](double log_a) {
    const double a = std::exp(log_a);
    return (log_tilted_moment(steps, side, sign * a, h) + tail_level) / a;
  };
  const double golden = 0.5 * (std::sqrt(5.0) - 1);
  const Support support = support_of(steps, side, h);
  const double middle = -std::log(std::max(support.high - support.low, h));
  double low = middle - 2, high = middle + 14;
  double x = high - golden * (high - low), y = low + golden * (high - low);
  double at_x = position(x), at_y = position(y);
  for (int i = 0; i < 14; ++i) {
    if (at_x < at_y) {
      high = y, y = x, at_y = at_x;
      x = high - golden * (high - low), at_x = position(x);
    } else {
      low = x, x = y, at_x = at_y;
      y = low + golden * (high - low), at_y = position(y);
    }
  }
  return std::exp(0.5 * (low + high));
}

}  // namespace

double log_tilted_moment(const std::vector<CountedMasses>& steps, Side side, double a, double h) {
  double sum = 0;
  for (const CountedMasses& step : steps) {
    const Masses& masses = side_of(step, side);
    const double lowest = masses.offset + static_cast<double>(masses.first) * h;
    sum += step.count * (log_moment_above_first(masses.w, a * h) + a * lowest);
  }
  return sum;
}

Support support_of(const std::vector<CountedMasses>& steps, Side side, double h) {
  Support support;
  for (const CountedMasses& step : steps) {
    const Masses& masses = side_of(step, side);
    support.low += step.count * (masses.offset + static_cast<double>(masses.first) * h);
    support.high += step.count * (masses.offset + static_cast<double>(masses.last()) * h);
  }
  return support;
}

TailOrders tail_orders(const std::vector<CountedMasses>& steps, double h) {
  return {best_order(steps, Side::upper, 1, h), best_order(steps, Side::lower, -1, h)};
}

}  // namespace renyi::exact::lattice
