#include "mechanism/random_allocation/line.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "mechanism/sampled_gaussian/phi_sums.h"
#include "numerics/rounding.h"

namespace renyi::random_allocation {

using numerics::unit_roundoff;
using sampled_gaussian::additions;
using sampled_gaussian::most_phase;
using sampled_gaussian::most_rotations;
using sampled_gaussian::PhaseSums;
using sampled_gaussian::size_bound;
using sampled_gaussian::turn_from;
using sampled_gaussian::worth_turning;

namespace line_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Atoms at the ends with less than this share of the mass and of E[L^2] are left out.
constexpr double negligible = 1e-19;
// Times s sqrt(t): the imaginary parts for which the step of the table is fine enough.
constexpr double resolved = 8.5;
// The time for one atom at one point, in units of one call of std::exp.
constexpr double atom_cost = 0.25;

}  // namespace
}  // namespace line_file

Line::Line(const Window& window, double c, Direction direction, const LogMoment& base, double smoothness,
           double relative_error)
    : base_(base), smoothness_(smoothness), relative_error_(relative_error) {
  const bool remove = direction == Direction::remove;
  const double power = remove ? c + 1 : -c;
  const std::size_t n = window.log_density.size();
  std::vector<double> loss(n), weight(n);
  double square = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t from = remove ? i : n - 1 - i;
    const double x = window.x(from);
    loss[i] = remove ? x : -x;
    weight[i] = window.step * std::exp(window.log_density[from] + power * x - base.value);
    square += weight[i] * loss[i] * loss[i];
  }
  const auto counts = [&](std::size_t i) {
    return weight[i] > line_file::negligible || weight[i] * loss[i] * loss[i] > line_file::negligible * square;
  };
  std::size_t begin = 0, end = n;
  while (begin < end && !counts(begin)) ++begin;
  while (end > begin && !counts(end - 1)) --end;
  nodes_.loss.assign(loss.begin() + static_cast<std::ptrdiff_t>(begin),
                     loss.begin() + static_cast<std::ptrdiff_t>(end));
  nodes_.weight.assign(weight.begin() + static_cast<std::ptrdiff_t>(begin),
                       weight.begin() + static_cast<std::ptrdiff_t>(end));
  nodes_.density.reserve(end - begin);
  for (std::size_t i = begin; i < end; ++i) {
    const double l = std::abs(loss[i]), w = weight[i];
    // The rounding of the exponent, and 16 for later operations.
    const double roundings = 20 + 3 * (std::abs(power * l) + std::abs(base.value) + std::abs(std::log(w)));
    nodes_.density.push_back(w / window.step);
    double part = w;
    for (std::size_t k = 0; k < 3; ++k, part *= l) {
      nodes_.moment[k] += part;
      nodes_.noise[k] += part * roundings;
    }
  }
}

double Line::largest_y() const {
  return std::min(line_file::resolved * smoothness_, most_phase / std::max(nodes_.largest(), 1e-300));
}

// |phi(y)| <= exp(-y^2/(2 t s^2)) on every line (docs/math/random-allocation.md, "Decay").
double Line::smooth_decay(double y) const {
  const double u = y / smoothness_;
  return -0.5 * u * u * (1 - 8 * unit_roundoff);
}

ComplexLogMoment Line::unresolved(double y) const { return {{smooth_decay(y), 0}, line_file::infinity}; }

// phi(y) - 1 = i y E[L] + E[exp(iyL) - 1 - iyL] under the tilted distribution, whose mean is K'(c).
ComplexLogMoment Line::log_of(const PhaseSums& sums, double roundings, double y) const {
  const std::complex<double> less_one(sums.re[0] + sums.re[1], sums.im[0] + sums.im[1] + y * base_.slope);
  const double size = size_bound(nodes_.moment, y);
  const double error = relative_error_ * size + unit_roundoff * (additions(nodes_.loss.size()) * size + roundings);
  ComplexLogMoment value = sampled_gaussian::log_of_phi(less_one, error, y * base_.slope_error);
  if (std::isinf(value.error)) value.value = std::min(value.value.real(), smooth_decay(y));
  return value;
}

ComplexLogMoment Line::log_phi(double y) const {
  if (y == 0) return {};
  if (y > largest_y()) return unresolved(y);
  return log_of(sampled_gaussian::phase_sums(nodes_.atoms(), y), size_bound(nodes_.noise, y), y);
}

void Line::log_phis(double first, double step, std::span<ComplexLogMoment> values) const {
  std::array<PhaseSums, most_rotations> sums;
  for (std::size_t j = 0; j < values.size();) {
    const auto y_of = [&](std::size_t k) { return first + static_cast<double>(j + k) * step; };
    const std::size_t points = std::min(most_rotations, values.size() - j);
    const double last = y_of(points - 1);
    if (points < worth_turning || size_bound(nodes_.moment, y_of(0)) < turn_from || last > largest_y()) {
      values[j] = log_phi(y_of(0));
      ++j;
      continue;
    }
    sampled_gaussian::turned_centred_sums(nodes_.atoms(), y_of(0), step, {sums.data(), points});
    for (std::size_t k = 0; k < points; ++k) {
      const double y = y_of(k), noise = 2 * nodes_.noise[0] + y * nodes_.noise[1];
      values[j + k] =
          log_of(sums[k], noise + sampled_gaussian::turned_roundings(nodes_.moment, nodes_.loss.size(), y, last), y);
    }
    j += points;
  }
}

double Line::decay(double y) const {
  return std::min(decay_beyond(y), sampled_gaussian::near_decay(nodes_, {y, 2 * y}));
}

double Line::decay_beyond(double y) const {
  if (!cuts_) cuts_ = sampled_gaussian::cuts(nodes_);
  return std::min(smooth_decay(y), sampled_gaussian::far_decay(*cuts_, y));
}

double Line::cost(double /*y*/) const { return 20 + line_file::atom_cost * static_cast<double>(nodes_.loss.size()); }

}  // namespace renyi::random_allocation
