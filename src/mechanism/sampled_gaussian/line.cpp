#include "mechanism/sampled_gaussian/line.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "mechanism/sampled_gaussian/quadrature.h"
#include "mechanism/sampled_gaussian/summation.h"
#include "numerics/exponentials.h"
#include "numerics/rounding.h"

namespace renyi::sampled_gaussian {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// A sum less accurate than this is done again with half the step.
constexpr double sufficient_accuracy = 1e-13;
constexpr int most_refinements = 3;
// Terms of this share of the sum need not be resolved.
constexpr double rare = 1e-14;
// Phases are turned from point to point where the sum is at least this: what that leaves is absolute.
constexpr double turn_from = 0.05;
constexpr std::size_t worth_turning = 6;  // points

// |exp(ix) - 1 - ix| <= min(x^2/2, 2 + |x|), summed over atoms whose moments these are.
double size_bound(const double (&moment)[3], double y) {
  return std::min(0.5 * y * y * moment[2], 2 * moment[0] + y * moment[1]);
}

// Atoms are added in rows of this, whose roundings then do not add up over all atoms.
constexpr std::size_t row = 16;

// Where phases are too large for the kernels.
PhaseSums plain_phase_sums(const Atoms& atoms, double y) {
  PhaseSums sums;
  for (std::size_t i = 0; i < atoms.count;) {
    std::complex<double> part[2];
    for (const std::size_t end = std::min(atoms.count, i + 2 * row); i < end; ++i) {
      part[i & 1] += atoms.weight[i] * numerics::exp_remainder(std::complex<double>(0, y * atoms.loss[i]));
    }
    for (std::size_t p = 0; p < 2; ++p) {
      sums.re[p] += part[p].real();
      sums.im[p] += part[p].imag();
    }
  }
  return sums;
}

// Of w and w L.
PhaseSums mass_and_mean(const Atoms& atoms) {
  PhaseSums sums;
  for (std::size_t i = 0; i < atoms.count;) {
    PhaseSums part;
    for (const std::size_t end = std::min(atoms.count, i + 2 * row); i < end; ++i) {
      part.re[i & 1] += atoms.weight[i];
      part.im[i & 1] += atoms.weight[i] * atoms.loss[i];
    }
    for (std::size_t p = 0; p < 2; ++p) {
      sums.re[p] += part.re[p];
      sums.im[p] += part.im[p];
    }
  }
  return sums;
}

}  // namespace

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

// The level that resolves every phase, and the one that resolves all but a negligible part of the sum: far
// lower where the loss is steep only where it is rare.
Line::Levels Line::levels_for(double y) const {
  const Params& k = lattices_.params();
  const double still = 2 * std::numbers::pi / sufficient_step(k, 0, Direction::remove);  // frequencies without a phase
  // Where phases matter less than the rest a step may be somewhat longer: it is checked.
  const double allowance = y * 2 * k.inv_2s2 < still ? 0.4 : 0;
  const double needed = std::min(lattices_.levels_needed(y, direction_) - allowance, double{Lattices::levels});
  const int all = std::max(first_level_, static_cast<int>(std::ceil(needed)));
  if (all <= first_level_ + 2) return {all, all, 0};
  const TiltedNodes& atoms = first_nodes();
  const double size = size_bound(atoms.moment, y), step = lattices_[first_level_].step();
  double steepest = 0, left_out = 0;
  for (std::size_t i = 0; i < atoms.loss.size(); ++i) {
    const double x = y * std::abs(atoms.loss[i]), term = atoms.weight[i] * std::min(0.5 * x * x, 2 + x);
    if (term > rare * size) {
      steepest = std::max(steepest, atoms.weight[i] / (atoms.density[i] * step));
    } else {
      left_out += term;
    }
  }
  const double usual = first_level_ + 1 + std::log2(1 + y * steepest / still);
  return {static_cast<int>(std::min(std::ceil(usual), static_cast<double>(all))), all, left_out};
}

// phi(y) - 1 = i y E[L] + E[exp(iyL) - 1 - iyL] under the tilted law, whose mean is K'(c): nothing
// cancels, so that a curve keeps its relative accuracy however small it is.
Line::Sum Line::sum_at(const TiltedNodes& atoms, const Levels& levels, int level, double y, const PhaseSums& sums,
                       double roundings) const {
  const double re = sums.re[0] + sums.re[1], im = sums.im[0] + sums.im[1];
  const double coarse = std::hypot(sums.re[0] - sums.re[1], sums.im[0] - sums.im[1]);
  const double size = size_bound(atoms.moment, y);
  // The real parts all have one sign: their sum is a size that is surely not too large. A step that
  // does not resolve every phase is not trusted to do better than the one twice as long.
  const double from_step =
      level < levels.all ? coarse + 2 * levels.left_out : std::abs(re) * step_error(direction_, coarse, std::abs(re));
  const double rounded = additions(atoms.loss.size()) * size + size_bound(atoms.noise, y) + roundings;
  return {{re, im + y * base_.slope},
          from_step + size * least_step_error + rounded * numerics::unit_roundoff,
          from_step / size};
}

Line::Sum Line::direct_sum(const Levels& levels, int level, double y) const {
  const TiltedNodes& atoms = nodes(level);
  const bool served = y * atoms.largest() <= most_phase;
  return sum_at(atoms, levels, level, y, served ? phase_sums(atoms.atoms(), y) : plain_phase_sums(atoms.atoms(), y), 0);
}

ComplexLogMoment Line::log_of(const Sum& sum, double y) const {
  const double size = std::abs(sum.value), modulus = std::abs(1.0 + sum.value);
  // Of the mean's error all but the shift: ln(phi + i y m) = ln phi + i y m/phi.
  const double error = sum.error + y * base_.slope_error * size;
  if (!(error < 0.5 * modulus)) {
    const double bound = std::log(modulus + error);  // NaN and infinity bound nothing
    return {{bound < 0 ? bound : 0, 0}, infinity};
  }
  const double rounding = 4 * numerics::unit_roundoff * size * (1 + size) / modulus;
  return {numerics::log1p(sum.value), rounding - std::log1p(-error / modulus)};
}

ComplexLogMoment Line::log_phi(double y) const {
  if (y == 0) return {};
  const Levels levels = levels_for(y);
  Sum sum{{}, infinity, infinity};
  for (int level = levels.usual; level < std::min(levels.usual + most_refinements, Lattices::levels); ++level) {
    if (nodes(level).loss.empty()) break;
    sum = direct_sum(levels, level, y);
    if (sum.from_step <= sufficient_accuracy) break;
  }
  return log_of(sum, y);
}

void Line::log_phis(double first, double step, std::span<ComplexLogMoment> values) const {
  for (std::size_t j = 0; j < values.size();) {
    const double y = first + static_cast<double>(j) * step;
    const std::size_t points = std::min(most_rotations, values.size() - j);
    if (points < worth_turning || size_bound(first_nodes().moment, y) < turn_from) {
      values[j++] = log_phi(y);
      continue;
    }
    turned(y, step, values.subspan(j, points));
    j += points;
  }
}

// Points in a row on one lattice, that of the last of them: with what it leaves out at the others it leaves out less.
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
    const bool refinable = level + 1 < std::min(levels.usual + most_refinements, Lattices::levels);
    const TiltedNodes& atoms = nodes(level);
    if (atoms.loss.empty() || last * atoms.largest() > most_phase) return point_by_point();
    turned_phase_sums(atoms.atoms(), first, step, {sums.data(), n});
    const PhaseSums still = mass_and_mean(atoms.atoms());
    const double added = additions(atoms.loss.size());
    double from_step = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double y = y_of(j);
      for (std::size_t p = 0; p < 2; ++p) {
        sums[j].re[p] -= still.re[p];
        sums[j].im[p] -= y * still.im[p];
      }
      // What turning, the phases' own rounding and three more sums leave (docs/math/privacy-loss.md, "Turned phases").
      const double phases =
          (turning_error + 3 * added + 2) * atoms.moment[0] + (6 * last + added * y) * atoms.moment[1];
      const Sum sum = sum_at(atoms, levels, level, y, sums[j], phases);
      from_step = std::max(from_step, sum.from_step);
      values[j] = log_of(sum, y);
    }
    if (from_step <= sufficient_accuracy || !refinable) return;
  }
}

double Line::decay(double y) const { return std::min(decay_beyond(y), near_decay(first_nodes(), y)); }

double Line::decay_beyond(double y) const {
  if (!cuts_) cuts_ = cuts(first_nodes());
  return far_decay(*cuts_, y);
}

// What decides between the contour and the lattice, so it stays as it was: over the lanes of a vector an atom costs far
// less, but a smaller figure would hand the contour plans of a few steps that the lattice serves.
double Line::cost(double y) const {
  const int finer = levels_for(y).usual - first_level_;
  const double each = finer > 1 ? 8 : 3;
  return 20 + each * std::ldexp(static_cast<double>(first_nodes().loss.size()), finer);
}

}  // namespace renyi::sampled_gaussian
