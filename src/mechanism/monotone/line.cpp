#include "mechanism/monotone/line.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <optional>

#include "mechanism/monotone/nodes.h"
#include "mechanism/sampled_gaussian/phi_sums.h"
#include "mechanism/sampled_gaussian/summation.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::monotone {

using sampled_gaussian::additions;
using sampled_gaussian::Cut;
using sampled_gaussian::least_step_error;
using sampled_gaussian::most_phase;
using sampled_gaussian::most_rotations;
using sampled_gaussian::PhaseSums;
using sampled_gaussian::size_bound;
using sampled_gaussian::TiltedNodes;
using sampled_gaussian::turn_from;
using sampled_gaussian::worth_turning;

namespace line_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// The longest step, in units of the pair's scale, and how often it is halved: first for the tilted loss itself, then
// for the phases.
constexpr double longest_step = 0.5;
constexpr int most_halvings = 6, levels = 12;
// The halves of the first rule agree in mass and in E[L^2] up to this share: the whole rule then errs by its square.
constexpr double halves_agree = 3e-8;
// The nodes' E[L^2] is that of the curve up to this share, or part of the loss was missed.
constexpr double same_variance = 1e-6;
// A sum less accurate than this is computed again with half the step.
constexpr double sufficient_accuracy = 1e-13;
constexpr int most_refinements = 3;
// Terms of this share of the sum need not be resolved.
constexpr double rare = 1e-14;
// The relative error of the mass that the nodes leave to loss 0.
constexpr double mass_rounding = 1e-9;

// True if both halves of the rule give the same mass and the same E[L^2].
bool is_fine(const LossNodes& nodes) {
  double mass[2] = {0, 0}, square[2] = {0, 0};
  for (std::size_t i = 0; i < nodes.loss.size(); ++i) {
    mass[i & 1] += nodes.weight[i];
    square[i & 1] += nodes.weight[i] * nodes.loss[i] * nodes.loss[i];
  }
  const auto agree = [](const double(&halves)[2]) {
    return std::abs(halves[0] - halves[1]) <= halves_agree * (halves[0] + halves[1]);
  };
  return agree(mass) && agree(square);
}

// One pair's part of the decay. Its atoms, and the mass without a loss, are kept apart from the density.
struct DecayPart {
  TiltedNodes nodes{};      // with the atoms
  std::vector<Cut> cuts{};  // without them
};

void insert_atom(const LossNode& atom, TiltedNodes& nodes) {
  const auto at = std::upper_bound(nodes.loss.begin(), nodes.loss.end(), atom.loss) - nodes.loss.begin();
  nodes.loss.insert(nodes.loss.begin() + at, atom.loss);
  nodes.weight.insert(nodes.weight.begin() + at, atom.weight);
  nodes.density.insert(nodes.density.begin() + at, 0.0);
}

class NodeLine final : public VerticalLine {
 public:
  // A line without nodes is not usable.
  NodeLine(std::vector<CoveredPair> pairs, const LossTilt& tilt, const LogMoment& base)
      : pairs_(std::move(pairs)), tilt_(tilt), base_(base) {
    step_ = longest_step;
    for (int i = 0; i < most_halvings; ++i, step_ *= 0.5) {
      LossNodes nodes = loss_nodes(pairs_, tilt_, step_);
      if (nodes.loss.empty()) return;
      if (!is_fine(nodes)) continue;
      const double second = base.curvature + base.slope * base.slope;
      if (!(std::abs(nodes.moment[2] - second) <= same_variance * second)) return;
      levels_[0] = std::make_unique<const LossNodes>(std::move(nodes));
      return;
    }
  }
  bool is_usable() const { return levels_[0] != nullptr; }

  ComplexLogMoment log_phi(double y) const override;
  void log_phis(double first, double step, std::span<ComplexLogMoment> values) const override;
  double shift_error() const override { return base_.slope_error; }
  double decay(double y) const override;
  double decay_beyond(double y) const override;
  double cost(double y) const override;

 private:
  // The level that is used, whether it resolves every phase, and a bound on the part of the sum that it does not.
  struct Level {
    int level = 0;
    bool resolves_all = true;
    double left_out = 0;
  };
  struct Sum {
    std::complex<double> value;
    double error = 0;
    double from_step = 0;  // relative to the size
  };

  const LossNodes& nodes(int level) const;
  Level level_for(double y) const;
  Sum sum_at(const LossNodes& atoms, const Level& level, double y, const PhaseSums& sums, double roundings) const;
  ComplexLogMoment log_of(const Sum& sum, double y) const;
  void turned(double first, double step, std::span<ComplexLogMoment> values) const;
  const std::vector<DecayPart>& decay_parts() const;

  std::vector<CoveredPair> pairs_;
  LossTilt tilt_;
  LogMoment base_;
  double step_ = 0;  // the step at level 0
  mutable std::array<std::unique_ptr<const LossNodes>, levels> levels_{};
  mutable std::vector<DecayPart> parts_{};
  mutable double still_ = 0;  // mass that does not decay: atoms, and what has no loss
};

const LossNodes& NodeLine::nodes(int level) const {
  auto& slot = levels_[static_cast<std::size_t>(level)];
  if (!slot) slot = std::make_unique<const LossNodes>(loss_nodes(pairs_, tilt_, std::ldexp(step_, -level)));
  return *slot;
}

// The step of the first level resolves frequencies up to about pi/step; phases add y times the speed of the loss. Where
// the loss is steep only where it is rare, a longer step serves.
NodeLine::Level NodeLine::level_for(double y) const {
  const LossNodes& atoms = nodes(0);
  const double size = size_bound(atoms.moment, y), still = 2 * std::numbers::pi / step_;
  double usual = 0, all = 0, left_out = 0;
  for (std::size_t i = 0; i < atoms.loss.size(); ++i) {
    const double x = y * std::abs(atoms.loss[i]), term = atoms.weight[i] * std::min(0.5 * x * x, 2 + x);
    all = std::max(all, atoms.speed[i]);
    if (term > rare * size) {
      usual = std::max(usual, atoms.speed[i]);
    } else {
      left_out += term;
    }
  }
  // Where phases matter less than the other frequencies the step may be somewhat longer; its error is checked.
  const auto needed = [&](double speed) {
    const double allowance = y * speed < still ? 0.4 : 0;
    return static_cast<int>(
        std::clamp(std::ceil(std::log2(1 + y * speed / still) - allowance), 0.0, static_cast<double>(levels)));
  };
  const int of_all = needed(all), of_usual = needed(usual);
  return {of_usual, of_usual == of_all, of_usual == of_all ? 0 : left_out};
}

// phi(y) - 1 = i y E[L] + E[exp(iyL) - 1 - iyL] under the tilted distribution, whose mean is K'(c): nothing cancels.
NodeLine::Sum NodeLine::sum_at(const LossNodes& atoms, const Level& level, double y, const PhaseSums& sums,
                               double roundings) const {
  const double re = sums.re[0] + sums.re[1], im = sums.im[0] + sums.im[1];
  const double coarse = std::abs(std::complex(sums.re[0] - sums.re[1], sums.im[0] - sums.im[1]));
  const double size = size_bound(atoms.moment, y), modulus = std::abs(re);
  // Halving the step squares the error of a function that is analytic in a strip. A step that does not resolve every
  // phase is not trusted to be more accurate than the step twice as long.
  const double share = modulus > 0 ? coarse / modulus : 0;
  const double from_step = level.resolves_all ? modulus * std::max(least_step_error, std::min(share, 4 * share * share))
                                              : coarse + 2 * level.left_out;
  const double rounded = additions(atoms.loss.size()) * size + size_bound(atoms.noise, y) + roundings;
  return {{re, im + y * base_.slope},
          from_step + size * least_step_error + rounded * numerics::unit_roundoff,
          from_step / size};
}

ComplexLogMoment NodeLine::log_of(const Sum& sum, double y) const {
  return sampled_gaussian::log_of_phi(sum.value, sum.error, y * base_.slope_error);
}

ComplexLogMoment NodeLine::log_phi(double y) const {
  if (y == 0) return {};
  Level level = level_for(y);
  Sum sum{{}, infinity, infinity};
  for (const int last = std::min(level.level + most_refinements, levels); level.level < last; ++level.level) {
    const LossNodes& atoms = nodes(level.level);
    if (atoms.loss.empty()) break;
    sum = sum_at(atoms, level, y, sampled_gaussian::centred_sums(atoms.atoms(), atoms.largest, y), 0);
    if (sum.from_step <= sufficient_accuracy) break;
  }
  return log_of(sum, y);
}

void NodeLine::log_phis(double first, double step, std::span<ComplexLogMoment> values) const {
  for (std::size_t j = 0; j < values.size();) {
    const double y = first + static_cast<double>(j) * step;
    const std::size_t points = std::min(most_rotations, values.size() - j);
    if (points < worth_turning || size_bound(nodes(0).moment, y) < turn_from) {
      values[j++] = log_phi(y);
      continue;
    }
    turned(y, step, values.subspan(j, points));
    j += points;
  }
}

// Evaluates consecutive points with the nodes of the last of them.
void NodeLine::turned(double first, double step, std::span<ComplexLogMoment> values) const {
  const auto y_of = [&](std::size_t j) { return first + static_cast<double>(j) * step; };
  const std::size_t n = values.size();
  const double last = y_of(n - 1);
  Level level = level_for(last);
  const int end = std::min(level.level + most_refinements, levels);
  std::array<PhaseSums, most_rotations> sums;
  for (; level.level < end; ++level.level) {
    const LossNodes& atoms = nodes(level.level);
    if (atoms.loss.empty() || last * atoms.largest > most_phase) break;
    sampled_gaussian::turned_centred_sums(atoms.atoms(), first, step, {sums.data(), n});
    double from_step = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double y = y_of(j);
      const double roundings = sampled_gaussian::turned_roundings(atoms.moment, atoms.loss.size(), y, last);
      const Sum sum = sum_at(atoms, level, y, sums[j], roundings);
      from_step = std::max(from_step, sum.from_step);
      values[j] = log_of(sum, y);
    }
    if (from_step <= sufficient_accuracy || level.level + 1 == end) return;
  }
  for (std::size_t j = 0; j < n; ++j) values[j] = log_phi(y_of(j));
}

const std::vector<DecayPart>& NodeLine::decay_parts() const {
  if (!parts_.empty()) return parts_;
  double mass = 0, heaviest = -1;
  std::size_t leading = 0;
  for (const CoveredPair& pair : pairs_) {
    DecayPart part{.nodes = sorted_nodes(pair, tilt_, step_)};
    double own = 0;
    for (const double weight : part.nodes.weight) own += weight;
    part.cuts = sampled_gaussian::cuts(part.nodes);
    for (const LossNode& atom : atoms_of(pair, tilt_)) {
      still_ += atom.weight * (1 + mass_rounding);
      mass += atom.weight;
      insert_atom(atom, part.nodes);
    }
    mass += own;
    if (own > heaviest) {
      heaviest = own;
      leading = parts_.size();
    }
    parts_.push_back(std::move(part));
  }
  // All other mass has loss 0, or a loss that is negligible.
  still_ += std::max(0.0, 1 - mass) + mass_rounding;
  if (const double rest = 1 - mass - mass_rounding; rest > mass_rounding)
    insert_atom({0, rest, 0}, parts_[leading].nodes);
  return parts_;
}

// The parts of different pairs, and of different buckets of each, are disjoint events: what each of them loses of
// |phi|^2 adds up.
double NodeLine::decay(double y) const {
  double lost = 0;
  for (const DecayPart& part : decay_parts())
    lost -= std::expm1(2 * sampled_gaussian::near_decay(part.nodes, {y, 2 * y}));
  const double near = lost > 0 && lost < 1 ? 0.5 * std::log1p(-lost) : 0;
  return std::min(decay_beyond(y), near);
}

double NodeLine::decay_beyond(double y) const {
  double most = 0;
  for (const DecayPart& part : decay_parts()) most += std::exp(sampled_gaussian::far_decay(part.cuts, y));
  return std::min(0.0, std::log(most + still_));
}

double NodeLine::cost(double y) const {
  constexpr double each = 0.16;
  return 20 + each * std::ldexp(nodes(0).nodes, level_for(y).level);
}

// The panels of a symmetric pair lie above its zero. One that is its own mirror image has nodes on both sides.
Cover mirrored(const MonotonePair& pair, Cover above) {
  std::vector<Panel> both;
  for (const Panel& panel : above.panels) both.push_back({2 * pair.zero() - panel.right, 2 * pair.zero() - panel.left});
  std::reverse(both.begin(), both.end());
  both.insert(both.end(), above.panels.begin(), above.panels.end());
  return {std::move(both), above.peak};
}

}  // namespace
}  // namespace line_file

std::unique_ptr<const VerticalLine> node_line(const std::vector<PairPart>& parts, double c, Direction direction,
                                              const LogMoment& base) {
  std::vector<CoveredPair> pairs;
  try {
    for (const PairPart& part : parts) {
      const MonotonePair& pair = *part.pair;
      if (std::isfinite(pair.first()) != std::isfinite(pair.last())) return nullptr;
      const bool adds = part.side == Side::falling || (direction == Direction::add && !pair.is_symmetric());
      Cover where = cover(pair, adds ? -c : c + 1);
      if (pair.is_mirror_image()) where = line_file::mirrored(pair, std::move(where));
      pairs.push_back({part, std::move(where)});
    }
  } catch (const NotConverged&) {
    return nullptr;
  }
  auto line =
      std::make_unique<line_file::NodeLine>(std::move(pairs), LossTilt{c, direction, base.value, base.error}, base);
  return line->is_usable() ? std::move(line) : nullptr;
}

}  // namespace renyi::monotone
