#include "mechanism/sampled_gaussian/line.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <utility>

#include "mechanism/sampled_gaussian/order.h"
#include "mechanism/sampled_gaussian/phi_sums.h"
#include "mechanism/sampled_gaussian/quadrature.h"
#include "mechanism/sampled_gaussian/summation.h"
#include "numerics/rounding.h"

namespace renyi::sampled_gaussian {

namespace line_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// A sum less accurate than this is computed again with half the step.
constexpr double sufficient_accuracy = 1e-13;
constexpr int most_refinements = 3;
// Terms of this share of the sum need not be resolved.
constexpr double rare = 1e-14;
// The time for one point, and for one atom at one point, in units of one call of std::exp.
constexpr double cost_a_point = 100, cost_a_node = 0.15;
// Shifted nodes: how many lines, each how much nearer to the real axis than the last, and the largest sum of the
// weights' moduli.
constexpr int shifts = 3;
constexpr double nearer = 0.3, most_mass = 1e3;
// They are used in place of lattices this much finer, where the sum is at least turn_from: their error is absolute.
constexpr int much_finer = 2;
// The number of short zones between y and 2y.
constexpr int zones_in_two = 8;

}  // namespace
}  // namespace line_file

Line::Line(const Lattices& lattices, double c, Direction direction, const LogMoment& base)
    : lattices_(lattices),
      c_(c),
      direction_(direction),
      base_(base),
      first_level_(std::max(0, static_cast<int>(std::ceil(lattices.levels_needed(0, direction) - 1e-3)))) {}

const TiltedNodes& Line::nodes(int level) const {
  auto& slot = nodes_[static_cast<std::size_t>(level)];
  if (!slot) slot = std::make_unique<const TiltedNodes>(tilted_nodes(lattices_[level], c_, direction_, base_.value));
  return *slot;
}

// Finds the level that resolves every phase, and the level that resolves all but a negligible part of the sum: the
// latter is far lower if the loss is steep only where it is rare.
Line::Levels Line::levels_for(double y) const {
  const Params& k = lattices_.params();
  const double still = 2 * std::numbers::pi / sufficient_step(k, 0, Direction::remove);  // frequencies without a phase
  // Where phases matter less than the other frequencies the step may be somewhat longer; its error is checked.
  const double allowance = y * 2 * k.inv_2s2 < still ? 0.4 : 0;
  const double needed = std::min(lattices_.levels_needed(y, direction_) - allowance, double{Lattices::levels});
  const int all = std::max(first_level_, static_cast<int>(std::ceil(needed)));
  if (all <= first_level_ + 2) return {all, all, 0};
  const TiltedNodes& atoms = first_nodes();
  const double size = size_bound(atoms.moment, y), step = lattices_[first_level_].step();
  double steepest = 0, left_out = 0;
  for (std::size_t i = 0; i < atoms.loss.size(); ++i) {
    const double x = y * std::abs(atoms.loss[i]), term = atoms.weight[i] * std::min(0.5 * x * x, 2 + x);
    if (term > line_file::rare * size) {
      steepest = std::max(steepest, atoms.weight[i] / (atoms.density[i] * step));
    } else {
      left_out += term;
    }
  }
  const double usual = first_level_ + 1 + std::log2(1 + y * steepest / still);
  return {static_cast<int>(std::min(std::ceil(usual), static_cast<double>(all))), all, left_out};
}

// phi(y) - 1 = i y E[L] + E[exp(iyL) - 1 - iyL] under the tilted distribution, whose mean is K'(c): nothing cancels, so
// that a curve keeps its relative accuracy however small it is.
Line::Sum Line::sum_at(const TiltedNodes& atoms, const Levels& levels, int level, double y, const PhaseSums& sums,
                       double roundings) const {
  const double re = sums.re[0] + sums.re[1], im = sums.im[0] + sums.im[1];
  // By std::abs: the symbol of std::hypot is of glibc 2.35, and wheels run with older ones.
  const double coarse = std::abs(std::complex(sums.re[0] - sums.re[1], sums.im[0] - sums.im[1]));
  const double size = size_bound(atoms.moment, y);
  // The real parts all have one sign: their sum is a size that is certainly not too large. A step that does not resolve
  // every phase is not trusted to be more accurate than the step twice as long.
  const double from_step =
      level < levels.all ? coarse + 2 * levels.left_out : std::abs(re) * step_error(direction_, coarse, std::abs(re));
  const double rounded = additions(atoms.loss.size()) * size + size_bound(atoms.noise, y) + roundings;
  return {{re, im + y * base_.slope},
          from_step + size * least_step_error + rounded * numerics::unit_roundoff,
          from_step / size};
}

Line::Sum Line::direct_sum(const Levels& levels, int level, double y) const {
  const TiltedNodes& atoms = nodes(level);
  return sum_at(atoms, levels, level, y, centred_sums(atoms.atoms(), atoms.largest(), y), 0);
}

ComplexLogMoment Line::log_of(const Sum& sum, double y) const {
  return log_of_phi(sum.value, sum.error, y * base_.slope_error);
}

const std::vector<ShiftedNodes>& Line::shifted() const {
  if (!shifted_) {
    shifted_.emplace();
    const Params& k = lattices_.params();
    double angle = std::min(direction_ == Direction::remove ? 1.5 : 1.0, 1 / k.s);
    for (int i = 0; i < line_file::shifts; ++i, angle *= line_file::nearer) {
      ShiftedNodes nodes(k, c_, direction_, base_.value, angle);
      if (!nodes.empty() && nodes.mass() < line_file::most_mass) shifted_->push_back(std::move(nodes));
    }
  }
  return *shifted_;
}

const ShiftedNodes* Line::faster_nodes(double y) const {
  const int finer = levels_for(y).usual - first_level_;
  if (finer < line_file::much_finer || size_bound(first_nodes().moment, y) < turn_from || shifted().empty())
    return nullptr;
  const double direct = std::ldexp(static_cast<double>(first_nodes().loss.size()), finer);
  const ShiftedNodes& nodes = shifted().front();
  return static_cast<double>(nodes.alive(y)) < direct ? &nodes : nullptr;
}

double Line::shifted_decay(double y) const {
  double least = 0;
  for (const ShiftedNodes& nodes : shifted()) least = std::min(least, nodes.decay_beyond(y));
  return least;
}

void Line::damped(const ShiftedNodes& nodes, double first, double step, std::span<ComplexLogMoment> values) const {
  std::array<ShiftedNodes::Value, most_rotations> phis;
  nodes.phis(first, step, {phis.data(), values.size()});
  for (std::size_t j = 0; j < values.size(); ++j) {
    const double modulus = std::abs(phis[j].phi), error = phis[j].error;
    if (error < 0.5 * modulus) {
      values[j] = {std::log(phis[j].phi), 8 * numerics::unit_roundoff - std::log1p(-error / modulus)};
    } else {
      const double bound = std::log(modulus + error);  // NaN gives no bound
      values[j] = {{bound < 0 ? bound : 0, 0}, line_file::infinity};
    }
  }
}

ComplexLogMoment Line::log_phi(double y) const {
  if (y == 0) return {};
  if (const ShiftedNodes* nodes = faster_nodes(y)) {
    ComplexLogMoment value;
    damped(*nodes, y, 0, {&value, 1});
    return value;
  }
  const Levels levels = levels_for(y);
  Sum sum{{}, line_file::infinity, line_file::infinity};
  for (int level = levels.usual; level < std::min(levels.usual + line_file::most_refinements, Lattices::levels);
       ++level) {
    if (nodes(level).loss.empty()) break;
    sum = direct_sum(levels, level, y);
    if (sum.from_step <= line_file::sufficient_accuracy) break;
  }
  return log_of(sum, y);
}

void Line::log_phis(double first, double step, std::span<ComplexLogMoment> values) const {
  for (std::size_t j = 0; j < values.size();) {
    const double y = first + static_cast<double>(j) * step;
    const std::size_t points = std::min(most_rotations, values.size() - j);
    if (const ShiftedNodes* nodes = y > 0 ? faster_nodes(y) : nullptr) {
      damped(*nodes, y, step, values.subspan(j, points));
      j += points;
      continue;
    }
    if (points < worth_turning || size_bound(first_nodes().moment, y) < turn_from) {
      values[j++] = log_phi(y);
      continue;
    }
    turned(y, step, values.subspan(j, points));
    j += points;
  }
}

// Evaluates consecutive points on one lattice, that of the last of them: it omits no more at the other points than at
// the last.
void Line::turned(double first, double step, std::span<ComplexLogMoment> values) const {
  const auto y_of = [&](std::size_t j) { return first + static_cast<double>(j) * step; };
  const std::size_t n = values.size();
  const double last = y_of(n - 1);
  const Levels levels = levels_for(last);
  const auto point_by_point = [&] {
    for (std::size_t j = 0; j < n; ++j) values[j] = log_phi(y_of(j));
  };
  if (levels.usual >= Lattices::levels) return point_by_point();
  std::array<PhaseSums, most_rotations> sums;
  for (int level = levels.usual;; ++level) {
    const bool refinable = level + 1 < std::min(levels.usual + line_file::most_refinements, Lattices::levels);
    const TiltedNodes& atoms = nodes(level);
    if (atoms.loss.empty() || last * atoms.largest() > most_phase) return point_by_point();
    turned_centred_sums(atoms.atoms(), first, step, {sums.data(), n});
    double from_step = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double y = y_of(j);
      const Sum sum =
          sum_at(atoms, levels, level, y, sums[j], turned_roundings(atoms.moment, atoms.loss.size(), y, last));
      from_step = std::max(from_step, sum.from_step);
      values[j] = log_of(sum, y);
    }
    if (from_step <= line_file::sufficient_accuracy || !refinable) return;
  }
}

double Line::decay(double y) const { return std::min(decay_beyond(y), near_decay(first_nodes(), {y, 2 * y})); }

// The zone [y, 2y] is covered by short zones of a fixed geometric sequence, so that each is computed once.
double Line::close_decay(double y) const {
  const auto zone_of = [](double v) { return static_cast<int>(std::floor(line_file::zones_in_two * std::log2(v))); };
  double most = -line_file::infinity;
  for (int zone = zone_of(y), last = zone_of(2 * y); zone <= last; ++zone) most = std::max(most, decay_of_zone(zone));
  return std::min(most, close_decay_beyond(y));
}

double Line::decay_of_zone(int zone) const {
  if (const auto known = zones_.find(zone); known != zones_.end()) return known->second;
  if (!parts_) {
    const TiltedNodes& finer = nodes(std::min(first_level_ + 1, Lattices::levels - 1));
    parts_.emplace(finer.loss.empty() ? first_nodes() : finer, direction_);
  }
  // The ends are moved by a little more than the rounding of exp2 and log2.
  const Zone ends{std::exp2((zone - 1e-9) / line_file::zones_in_two),
                  std::exp2((zone + 1 + 1e-9) / line_file::zones_in_two)};
  const double found = std::min(near_decay(first_nodes(), ends), parts_->decay(ends));
  zones_.emplace(zone, found);
  return found;
}

double Line::decay_beyond(double y) const {
  if (!cuts_) cuts_ = cuts(first_nodes());
  return far_decay(*cuts_, y);
}

double Line::close_decay_beyond(double y) const { return std::min(decay_beyond(y), shifted_decay(y)); }

// Turned phases take a fraction of an exponential a node (bench/micro.cpp).
double Line::cost(double y) const {
  if (const ShiftedNodes* nodes = faster_nodes(y))
    return line_file::cost_a_point + line_file::cost_a_node * static_cast<double>(nodes->alive(y));
  const int finer = levels_for(y).usual - first_level_;
  return line_file::cost_a_point +
         line_file::cost_a_node * std::ldexp(static_cast<double>(first_nodes().loss.size()), finer);
}

}  // namespace renyi::sampled_gaussian
