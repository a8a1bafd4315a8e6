#include "certify/random_allocation/estimate.h"

#include <algorithm>
#include <cmath>
#include <list>

#include "certify/random_allocation/series.h"

namespace renyi::certify {
namespace allocation_estimate_file {
namespace {

// A natural cubic spline of ln K over ln z, which is nearly a line.
struct Table {
  AllocatedGaussian epoch;
  Direction direction = Direction::remove;
  std::vector<double> x{};
  std::vector<double> y{};
  std::vector<double> second{};  // second derivatives at the nodes
};

void add(Table& table, double z, double k) {
  if (!(k > 0 && std::isfinite(k))) return;
  table.x.push_back(std::log(z));
  table.y.push_back(std::log(k));
}

// Solves the tridiagonal system for the second derivatives.
void fit(Table& table) {
  const std::size_t n = table.x.size();
  table.second.assign(n, 0);
  std::vector<double> upper(n, 0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double left = table.x[i] - table.x[i - 1], right = table.x[i + 1] - table.x[i];
    const double bend = (table.y[i + 1] - table.y[i]) / right - (table.y[i] - table.y[i - 1]) / left;
    const double pivot = 2 * (left + right) - left * upper[i - 1];
    upper[i] = right / pivot;
    table.second[i] = (6 * bend - left * table.second[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) table.second[i] -= upper[i] * table.second[i + 1];
}

constexpr double small_orders[] = {1.0 / 64, 1.0 / 8, 0.5};

// In the direction remove all whole orders come from one power of a series.
Table made(const AllocatedGaussian& epoch, Direction direction) {
  constexpr long bits = 96, bits_of_sum = 128;
  Table table{.epoch = epoch, .direction = direction};
  const auto by_rule = [&](double z) {
    const Precision working(bits);
    add(table, z, trapezoid_log_moment(epoch, direction, z, Route::first).about());
  };
  for (const double z : small_orders) by_rule(z);
  if (direction == Direction::add) {
    constexpr double last = 8192;
    for (double z = 1; z <= last; z *= 2) by_rule(z);
  } else {
    constexpr std::size_t length = 256;
    const Precision working(bits_of_sum);
    const Ball variance = square(Ball(epoch.sensitivity) / epoch.stddev);
    const std::vector<Ball> moments = whole_moments(variance, epoch.steps, length);
    for (std::size_t z = 1; z + 1 < length; z = std::max(z + 1, z * 5 / 4))
      add(table, static_cast<double>(z), log(moments[z + 1]).about());
  }
  fit(table);
  return table;
}

const Table& table_of(const AllocatedGaussian& epoch, Direction direction) {
  constexpr std::size_t most = 8;
  thread_local std::list<Table> known;
  const auto found = std::find_if(known.begin(), known.end(), [&](const Table& table) {
    return table.epoch == epoch && table.direction == direction;
  });
  if (found != known.end()) return *found;
  known.push_front(made(epoch, direction));
  if (known.size() > most) known.pop_back();
  return known.front();
}

// K, K' and K'' at z from f = ln K and its first two derivatives by ln z.
Estimate from_logarithms(double z, double f, double first, double second) {
  const double k = std::exp(f);
  return {k, k * first / z, std::max(0.0, k * (second + first * first - first) / (z * z))};
}

Estimate inside(const Table& table, double x) {
  const auto above = std::upper_bound(table.x.begin() + 1, table.x.end() - 1, x);
  const auto i = static_cast<std::size_t>(above - table.x.begin());
  const double h = table.x[i] - table.x[i - 1], b = (x - table.x[i - 1]) / h, a = 1 - b;
  const double m0 = table.second[i - 1], m1 = table.second[i];
  const double f = a * table.y[i - 1] + b * table.y[i] + h * h / 6 * ((a * a * a - a) * m0 + (b * b * b - b) * m1);
  const double first = (table.y[i] - table.y[i - 1]) / h + h / 6 * ((3 * b * b - 1) * m1 - (3 * a * a - 1) * m0);
  return from_logarithms(std::exp(x), f, first, a * m0 + b * m1);
}

}  // namespace
}  // namespace allocation_estimate_file

Estimate estimate_log_moment(const AllocatedGaussian& epoch, Direction direction, double c) {
  namespace file = allocation_estimate_file;
  const file::Table& table = file::table_of(epoch, direction);
  const double first = std::exp(table.x.front()), last = std::exp(table.x.back());
  if (c < first) {
    // K is nearly a line there.
    const Estimate end = file::inside(table, table.x.front());
    const double mean = end.value / first - end.curvature * first / 2;
    return {c * (mean + c * end.curvature / 2), mean + c * end.curvature, end.curvature};
  }
  if (c <= last) return file::inside(table, std::log(c));
  // Far out K is a parabola: that of one large term, or that of the geometric mean.
  const Estimate end = file::inside(table, table.x.back());
  const double noise = epoch.stddev / epoch.sensitivity, off = c - last;
  const double bend = 1 / (noise * noise * (direction == Direction::remove ? 1 : static_cast<double>(epoch.steps)));
  return {end.value + off * (end.slope + off * bend / 2), end.slope + off * bend, bend};
}

}  // namespace renyi::certify
