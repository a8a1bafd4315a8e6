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

// Sums over even and odd atoms apart of w (cos x - 1) and w (sin x - x), x = y loss: the real
// and imaginary parts of exp(ix) - 1 - ix.
struct Sums {
  double re[2] = {0, 0};
  double im[2] = {0, 0};

  void operator+=(const Sums& other) {
    for (std::size_t p = 0; p < 2; ++p) {
      re[p] += other.re[p];
      im[p] += other.im[p];
    }
  }
};

// Sums are taken in blocks, whose roundings then do not add up over all atoms.
constexpr std::size_t block = 32;
double additions(std::size_t atoms) { return 0.5 * block + static_cast<double>(atoms) / block + 3; }

// |x| <= 1: by their series, the first neglected terms below 2^-53 of the sum.
void add_small(const double* loss, const double* weight, double y, Sums& sums) {
  for (std::size_t p = 0; p < 2; ++p) {
    const double x = y * loss[p], t = x * x;
    const double c =
        1 - t * (1. / 12) *
                (1 - t * (1. / 30) *
                         (1 - t * (1. / 56) *
                                  (1 - t * (1. / 90) *
                                           (1 - t * (1. / 132) * (1 - t * (1. / 182) * (1 - t * (1. / 240)))))));
    const double s =
        1 - t * (1. / 20) *
                (1 - t * (1. / 42) *
                         (1 - t * (1. / 72) *
                                  (1 - t * (1. / 110) *
                                           (1 - t * (1. / 156) * (1 - t * (1. / 210) * (1 - t * (1. / 272)))))));
    const double wt = weight[p] * t;
    sums.re[p] -= 0.5 * wt * c;
    sums.im[p] -= wt * x * (1. / 6) * s;
  }
}

void add_large(const double* loss, const double* weight, double y, std::size_t p, Sums& sums) {
  const double x = y * *loss;
  sums.re[p] += *weight * (std::cos(x) - 1);
  sums.im[p] += *weight * (std::sin(x) - x);
}

Sums sum_over(const TiltedNodes& nodes, double y) {
  const auto begin = nodes.loss.begin(), last = nodes.loss.end();
  const auto index = [&](auto at) { return static_cast<std::size_t>(at - begin); };
  // Whole pairs within |x| <= 1.
  const std::size_t n = nodes.loss.size();
  const std::size_t low = (index(std::lower_bound(begin, last, -1 / y)) + 1) & ~std::size_t{1};
  const std::size_t high = std::max(low, index(std::upper_bound(begin, last, 1 / y)) & ~std::size_t{1});
  const double *loss = nodes.loss.data(), *weight = nodes.weight.data();
  Sums sums;
  for (std::size_t i = 0; i < std::min(low, n);) {
    Sums part;
    for (const std::size_t end = std::min({low, n, i + block}); i < end; ++i) {
      add_large(loss + i, weight + i, y, i & 1, part);
    }
    sums += part;
  }
  for (std::size_t i = low; i < high;) {
    Sums part;
    for (const std::size_t end = std::min(high, i + block); i < end; i += 2) add_small(loss + i, weight + i, y, part);
    sums += part;
  }
  for (std::size_t i = high; i < n;) {
    Sums part;
    for (const std::size_t end = std::min(n, i + block); i < end; ++i) add_large(loss + i, weight + i, y, i & 1, part);
    sums += part;
  }
  return sums;
}

// |exp(ix) - 1 - ix| <= min(x^2/2, 2 + |x|), summed over atoms whose moments these are.
double size_bound(const double (&moment)[3], double y) {
  return std::min(0.5 * y * y * moment[2], 2 * moment[0] + y * moment[1]);
}

}  // namespace

Line::Line(const Lattices& lattices, double c, Direction direction, const LogMoment& base)
    : lattices_(lattices),
      c_(c),
      direction_(direction),
      base_(base),
      first_level_(std::max(0, static_cast<int>(std::ceil(lattices.levels_needed(0, direction) - 1e-3)))),
      cuts_(cuts(nodes(first_level_))) {}

const TiltedNodes& Line::nodes(int level) const {
  auto& slot = nodes_[static_cast<std::size_t>(level)];
  if (!slot) slot = tilted_nodes(lattices_[level], c_, direction_, base_.value);
  return *slot;
}

// The level that resolves every phase, and the one that resolves all but a negligible part of the sum: far
// lower where the loss is steep only where it is rare.
Line::Levels Line::levels_for(double y) const {
  const Params& k = lattices_.params();
  const double still = 2 * std::numbers::pi / sufficient_step(k, 0, Direction::remove);  // frequencies without a phase
  // Where phases matter less than the rest a step may be somewhat longer: it is checked.
  const double allowance = y * 2 * k.inv_2s2 < still ? 0.4 : 0;
  const int all =
      std::max(first_level_, static_cast<int>(std::ceil(lattices_.levels_needed(y, direction_) - allowance)));
  if (all <= first_level_ + 2) return {all, all, 0};
  const TiltedNodes& atoms = nodes(first_level_);
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
  return {std::min(static_cast<int>(std::ceil(usual)), all), all, left_out};
}

// phi(y) - 1 = i y E[L] + E[exp(iyL) - 1 - iyL] under the tilted law, whose mean is K'(c): nothing
// cancels, so that a curve keeps its relative accuracy however small it is.
ComplexLogMoment Line::log_phi(double y) const {
  if (y == 0) return {};
  const Levels levels = levels_for(y);
  std::complex<double> s;
  double error = infinity;
  for (int level = levels.usual; level < std::min(levels.usual + most_refinements, Lattices::levels); ++level) {
    const TiltedNodes& atoms = nodes(level);
    if (atoms.loss.empty()) break;
    const Sums sums = sum_over(atoms, y);
    const double re = sums.re[0] + sums.re[1], im = sums.im[0] + sums.im[1];
    const double coarse = std::hypot(sums.re[0] - sums.re[1], sums.im[0] - sums.im[1]);
    const double size = size_bound(atoms.moment, y);
    // The real parts all have one sign: their sum is a size that is surely not too large. A step that
    // does not resolve every phase is not trusted to do better than the one twice as long.
    const double from_step =
        level < levels.all ? coarse + 2 * levels.left_out : std::abs(re) * step_error(direction_, coarse, std::abs(re));
    const double roundings = additions(atoms.loss.size()) * size + size_bound(atoms.noise, y);
    s = {re, im + y * base_.slope};
    error = from_step + size * least_step_error + roundings * numerics::unit_roundoff;
    if (from_step <= sufficient_accuracy * size) break;
  }
  const double modulus = std::abs(1.0 + s);
  // Of the mean's error all but the shift: ln(phi + i y m) = ln phi + i y m/phi.
  error += y * base_.slope_error * std::abs(s);
  if (!(error < 0.5 * modulus)) {
    const double bound = std::log(modulus + error);  // NaN and infinity bound nothing
    return {{bound < 0 ? bound : 0, 0}, infinity};
  }
  const double rounding = 4 * numerics::unit_roundoff * std::abs(s) * (1 + std::abs(s)) / modulus;
  return {numerics::log1p(s), rounding - std::log1p(-error / modulus)};
}

double Line::decay(double y) const { return std::min(decay_beyond(y), near_decay(nodes(first_level_), y)); }

double Line::decay_beyond(double y) const { return far_decay(cuts_, y); }

// Small phases go by their series, large ones by sine and cosine.
double Line::cost(double y) const {
  const int finer = levels_for(y).usual - first_level_;
  const double each = finer > 1 ? 8 : 3;
  return 20 + each * std::ldexp(static_cast<double>(nodes(first_level_).loss.size()), finer);
}

}  // namespace renyi::sampled_gaussian
