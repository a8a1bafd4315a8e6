#include "certify/random_allocation/estimate.h"

#include <algorithm>
#include <cmath>
#include <list>

#include "certify/random_allocation/series.h"

namespace renyi::certify {
namespace allocation_estimate_file {
namespace {

// K at some points, with the secants between them as slopes at their middles. K is convex, so that slopes rise.
struct Table {
  AllocatedGaussian epoch;
  Direction direction = Direction::remove;
  std::vector<double> z{};
  std::vector<double> k{};
  std::vector<double> middle{};
  std::vector<double> slope{};
};

void add(Table& table, double z, double k) {
  if (!(k > 0 && std::isfinite(k))) return;
  if (!table.z.empty()) {
    table.middle.push_back((table.z.back() + z) / 2);
    table.slope.push_back((k - table.k.back()) / (z - table.z.back()));
  }
  table.z.push_back(z);
  table.k.push_back(k);
}

constexpr double small_orders[] = {1.0 / 64, 1.0 / 16, 0.25, 0.5};

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

// The interval of the points that x lies in, by its upper end.
std::size_t interval(const std::vector<double>& points, double x) {
  return static_cast<std::size_t>(std::upper_bound(points.begin() + 1, points.end() - 1, x) - points.begin());
}

// K by powers of z, and its slope by lines.
Estimate inside(const Table& table, double z) {
  const std::size_t i = interval(table.z, z), j = interval(table.middle, z);
  const double power = std::log(table.k[i] / table.k[i - 1]) / std::log(table.z[i] / table.z[i - 1]);
  const double curvature = (table.slope[j] - table.slope[j - 1]) / (table.middle[j] - table.middle[j - 1]);
  return {table.k[i] * std::pow(z / table.z[i], power), table.slope[j] + curvature * (z - table.middle[j]), curvature};
}

}  // namespace
}  // namespace allocation_estimate_file

Estimate estimate_log_moment(const AllocatedGaussian& epoch, Direction direction, double c) {
  namespace file = allocation_estimate_file;
  const file::Table& table = file::table_of(epoch, direction);
  const double first = table.z.front(), last = table.z.back();
  if (c < first) {
    // K is nearly a line there.
    const Estimate end = file::inside(table, first);
    const double mean = end.value / first - end.curvature * first / 2;
    return {c * (mean + c * end.curvature / 2), mean + c * end.curvature, end.curvature};
  }
  if (c <= last) return file::inside(table, c);
  // Far out K is a parabola: that of one large term, or that of the geometric mean.
  const Estimate end = file::inside(table, last);
  const double noise = epoch.stddev / epoch.sensitivity, off = c - last;
  const double bend = 1 / (noise * noise * (direction == Direction::remove ? 1 : static_cast<double>(epoch.steps)));
  return {end.value + off * (end.slope + off * bend / 2), end.slope + off * bend, bend};
}

}  // namespace renyi::certify
