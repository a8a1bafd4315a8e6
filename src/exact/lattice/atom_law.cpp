// A discrete loss with atoms at arbitrary positions. For the upper bound, the atoms between two points of the grid are
// masses of cells; for the lower bound, they are merged at points (docs/math/discrete-noise.md, "Atoms rounded down").
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "exact/lattice/step_law.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::exact::lattice {

using mechanism::LossAtom;
using numerics::unit_roundoff;

namespace atom_law_file {
namespace {

// An atom this close to a point, in cells, is put there, and the shift is included in the error bound.
constexpr double at_point = 1e-9;

struct Left {
  double loss = 0;  // relative to that of the heaviest atom
  double w = 0;     // tilted mass that is not yet at a point
};

class Merger {
 public:
  Merger(std::span<const LossAtom> atoms, const Grid& grid, double log_scale) : grid_(grid) {
    for (const LossAtom& atom : atoms) left_.push_back({0, std::exp(atom.p.log + grid.c * atom.loss - log_scale)});
    heaviest_ = static_cast<std::size_t>(
        std::max_element(left_.begin(), left_.end(), [](const Left& a, const Left& b) { return a.w < b.w; }) -
        left_.begin());
    for (std::size_t i = 0; i < left_.size(); ++i) left_[i].loss = atoms[i].loss - atoms[heaviest_].loss;
    offset_ = atoms[heaviest_].loss + merge_about_heaviest();
    for (std::size_t i = left_.size(); i-- > heaviest_ + 1;) from_above(i);
    for (std::size_t i = 0; i < heaviest_; ++i) from_below(i);
    put(0, left_[heaviest_].w);
  }

  double offset() const { return offset_; }
  double off() const { return off_; }  // the largest distance of an atom from its point
  const std::vector<Cells::Atom>& points() const { return points_; }

 private:
  // Merges all atoms within a cell of the heaviest one into one atom, at which the grid is anchored. Returns how far
  // the heaviest atom moves: ln(P/Q) of the sum.
  double merge_about_heaviest() {
    double p = 0, lowered = 0;
    for (Left& atom : left_) {
      if (std::abs(atom.loss) >= grid_.h) continue;
      const double mass = at(atom, 0);
      p += mass;
      lowered += mass * std::expm1(-atom.loss);
      if (&atom != &left_[heaviest_]) atom.w = 0;
    }
    const double moved = -std::log1p(lowered / p);
    for (Left& atom : left_) atom.loss -= moved;
    left_[heaviest_] = {0, p * std::exp(grid_.c * moved)};
    return moved;
  }

  void put(double index, double w) {
    if (w > 0) points_.push_back({static_cast<std::int64_t>(index), w});
  }
  // Returns the mass of the atom tilted for the loss of a point.
  double at(const Left& atom, double point) const { return atom.w * std::exp(grid_.c * (point - atom.loss)); }
  // If the atom lies at a point, puts it there and returns true.
  bool is_there(const Left& atom) {
    const double nearest = std::round(atom.loss / grid_.h), off = std::abs(atom.loss - nearest * grid_.h);
    if (off > at_point * grid_.h) return false;
    off_ = std::max(off_, off);
    put(nearest, at(atom, nearest * grid_.h));
    return true;
  }

  // Merges atoms into the point below. The excess of P of this atom there makes up for what lower atoms lack; for any
  // excess that is left, P is lowered.
  void from_above(std::size_t i) {
    if (left_[i].w == 0 || is_there(left_[i])) return;
    const double index = std::floor(left_[i].loss / grid_.h), point = index * grid_.h;
    double mass = 0, excess = 0;
    for (std::size_t j = i + 1; j-- > heaviest_;) {
      if (left_[j].loss <= point && excess <= 0) break;
      if (left_[j].loss == point) continue;
      const double all = at(left_[j], point), too_much = -std::expm1(point - left_[j].loss);
      const double share = excess + all * too_much >= 0 ? 1 : excess / (all * -too_much);
      mass += share * all;
      excess = share < 1 ? 0 : excess + all * too_much;
      left_[j].w *= 1 - share;
    }
    put(index, mass - std::max(0.0, excess));
  }

  // Merges atoms into the point above. What this atom lacks there is made up for by the excess of higher atoms. Where
  // that is not enough, all of them are rounded down.
  void from_below(std::size_t i) {
    if (left_[i].w == 0 || is_there(left_[i])) return;
    const double index = std::ceil(left_[i].loss / grid_.h), point = index * grid_.h;
    double mass = 0, lack = 0, taken = 0;
    for (std::size_t j = i; j <= heaviest_; ++j) {
      if (left_[j].loss >= point && lack <= 0) break;
      if (left_[j].loss == point) continue;
      const double all = at(left_[j], point), too_little = std::expm1(point - left_[j].loss);
      const double share = lack + all * too_little >= 0 ? 1 : lack / (all * -too_little);
      taken += share * at(left_[j], point - grid_.h);
      mass += share * all;
      lack = share < 1 ? 0 : lack + all * too_little;
      left_[j].w *= 1 - share;
    }
    lack > 0 ? put(index - 1, taken) : put(index, mass);
  }

  const Grid& grid_;
  std::vector<Left> left_;
  std::size_t heaviest_ = 0;
  double offset_ = 0;
  double off_ = 0;
  std::vector<Cells::Atom> points_;
};

}  // namespace
}  // namespace atom_law_file

// Merging outcomes, splitting one into copies, and lowering P or a loss all lower the hockey-stick divergence.
Cells merged_atoms(std::span<const LossAtom> atoms, const Grid& grid, double log_scale) {
  const atom_law_file::Merger merger(atoms, grid, log_scale);
  Cells cells;
  cells.offset = merger.offset();
  cells.log_scale = log_scale;
  cells.atoms = merger.points();
  if (cells.atoms.empty()) throw NotConverged("a law whose tilted masses vanish");
  const auto [least, most] = std::minmax_element(cells.atoms.begin(), cells.atoms.end(),
                                                 [](const auto& a, const auto& b) { return a.index < b.index; });
  cells.first = least->index;
  cells.p.resize(static_cast<std::size_t>(most->index - least->index));
  cells.u.resize(cells.p.size());
  for (const LossAtom& atom : atoms) {
    cells.slack = std::max(cells.slack, atom.loss_error + 8 * unit_roundoff * std::abs(atom.loss));
    cells.relative = std::max(cells.relative, 4 * unit_roundoff * (16 + std::abs(atom.p.log)));
  }
  // A mass may be the sum of several masses.
  cells.slack += merger.off();
  cells.relative += unit_roundoff * static_cast<double>(std::min<std::size_t>(atoms.size(), 1000));
  return cells;
}

namespace atom_law_file {
namespace {

// If there are more atoms, or more multiples of their smallest distance, no grid is aligned with them.
constexpr std::size_t most_aligned = 64;
constexpr double most_multiples = 2e4;
// Losses further apart than this are cut where their mass is negligible.
constexpr double far = 50;
// ln of the tilted mass below which atoms of low loss are omitted, and the rounding of one sum of two masses.
constexpr double log_light = -90, tail_rounding = 1e-13;

using Atoms = std::span<const LossAtom>;

// Returns the distance of which all distances are multiples, if there is one; else the whole range of the losses for
// few atoms, and 0 for many.
double distance_of(Atoms atoms) {
  const double spread = atoms.back().loss - atoms.front().loss;
  if (spread == 0) return 0;
  double least = spread;
  for (std::size_t i = 1; i < atoms.size(); ++i) least = std::min(least, atoms[i].loss - atoms[i - 1].loss);
  // The range divided by the number of steps is more accurate than one step.
  const double steps = std::round(spread / least), step = spread / steps;
  const bool on_lattice = steps <= most_multiples && std::all_of(atoms.begin(), atoms.end(), [&](const LossAtom& atom) {
                            const double x = (atoms.back().loss - atom.loss) / step;
                            return std::abs(x - std::round(x)) < 0.1 * at_point;
                          });
  if (on_lattice) return step;
  return atoms.size() > most_aligned ? 0 : spread;
}

// ln(exp(a) + exp(b))
double log_sum(double a, double b) {
  const double most = std::max(a, b), least = std::min(a, b);
  return most == -std::numeric_limits<double>::infinity() ? most : most + std::log1p(std::exp(least - most));
}

// The position of an atom: `over` above the point with this index.
struct LocatedPoint {
  std::int64_t index = 0;
  double over = 0;
};

// The atoms that are used on a grid, and the mass that is omitted: a list that is not complete may be cut further.
struct Kept {
  Atoms atoms;
  mechanism::LeftOut left_out{};
};

class AtomLaw final : public StepLaw {
 public:
  AtomLaw(const std::shared_ptr<const mechanism::AtomicCurve>& curve, std::int64_t count, Direction direction)
      : StepLaw(count, direction, curve),
        all_{curve->atoms(direction), curve->left_out(direction)},
        complete_(curve->is_complete() && !is_far_reaching(all_.atoms)) {
    if (!complete_) sum_tails();
  }

  double cells(const Grid& grid) const override {
    const Atoms atoms = kept(grid).atoms;
    return spread(atoms) / grid.h + static_cast<double>(atoms.size());
  }
  bool sides_agree() const override { return false; }
  double atom_distance(const Grid& grid) const override { return distance_of(kept(grid).atoms); }
  double misplaced(const Grid& grid) const override {
    const Atoms atoms = kept(grid).atoms;
    if (atoms.size() > most_aligned) return 0;
    const double scale = scale_at(grid), top = atoms.back().loss;
    double lost = 0;
    for (const LossAtom& atom : atoms) {
      const double over = place(atom, top, grid).over;
      if (over > at_point * grid.h) lost -= tilted(atom, grid.c * atom.loss - scale) * std::expm1(-over);
    }
    return lost;
  }

  // For the upper bound, the grid is anchored at the largest atom, which is point 0; for the lower bound, at the
  // heaviest atom.
  Cells cut(const Grid& grid, bool upper) const override {
    const auto [atoms, left_out] = kept(grid);
    if (!upper) return merged_atoms(atoms, grid, scale_at(grid));
    Cells cells;
    cells.offset = atoms.back().loss;
    cells.log_scale = scale_at(grid);
    cells.first = place(atoms.front(), cells.offset, grid).index;
    cells.p.resize(static_cast<std::size_t>(-cells.first));
    cells.u.resize(cells.p.size());
    for (const LossAtom& atom : atoms) put(atom, grid, cells);
    // A sum of masses rounds once per term.
    cells.relative += unit_roundoff * most_in_a_cell(atoms, grid);
    cells.log_infinite = left_out.log_above;
    if (upper) put_below(left_out.log_below, atoms.front(), grid, cells);
    return cells;
  }

 private:
  // The farthest of many atoms have next to no mass, such as those of a record that is drawn often: a grid over all of
  // them would be coarse.
  static bool is_far_reaching(Atoms atoms) { return atoms.size() > most_aligned && spread(atoms) > far; }
  static double spread(Atoms atoms) { return atoms.back().loss - atoms.front().loss; }

  // The last scale is kept, because successive grids have the same tilt.
  double scale_at(const Grid& grid) const {
    if (!(grid.c == last_c_)) last_scale_ = log_scale(grid), last_c_ = grid.c;
    return last_scale_;
  }

  // Sums the masses above each atom and below it.
  void sum_tails() {
    const std::size_t n = all_.atoms.size();
    above_.assign(n, all_.left_out.log_above);
    below_.assign(n, all_.left_out.log_below);
    for (std::size_t i = n - 1; i-- > 0;) above_[i] = log_sum(above_[i + 1], all_.atoms[i + 1].p.log) + tail_rounding;
    for (std::size_t i = 1; i < n; ++i) below_[i] = log_sum(below_[i - 1], all_.atoms[i - 1].p.log) + tail_rounding;
  }

  // Returns the atoms without the highest ones, whose mass may be counted as infinite loss, and without the lowest
  // ones, whose tilted mass is negligible.
  Kept kept(const Grid& grid) const {
    if (complete_) return all_;
    const double scale = scale_at(grid);
    std::size_t first = 0, last = all_.atoms.size() - 1;
    const auto log_tilted = [&](const LossAtom& atom) { return atom.p.log + grid.c * atom.loss; };
    const auto heaviest = static_cast<std::size_t>(
        std::max_element(all_.atoms.begin(), all_.atoms.end(),
                         [&](const LossAtom& a, const LossAtom& b) { return log_tilted(a) < log_tilted(b); }) -
        all_.atoms.begin());
    while (last > heaviest && above_[last - 1] <= grid.log_negligible) --last;
    while (first < heaviest && below_[first + 1] + grid.c * all_.atoms[first + 1].loss - scale <= log_light) ++first;
    return {all_.atoms.subspan(first, last - first + 1), {above_[last], below_[first]}};
  }

  static double tilted(const LossAtom& atom, double exponent) { return atom.p.tilted(exponent).value; }

  static LocatedPoint place(const LossAtom& atom, double top, const Grid& grid) {
    const double below = atom.loss - top, nearest = std::round(below / grid.h);
    const double off = below - nearest * grid.h;
    const bool there = std::abs(off) <= at_point * grid.h;
    const double index = there || off > 0 ? nearest : nearest - 1;
    return {static_cast<std::int64_t>(index), there ? off : below - index * grid.h};
  }

  // Atoms of one cell or point follow one another, because losses ascend.
  static double most_in_a_cell(Atoms atoms, const Grid& grid) {
    double most = 0, here = 0;
    std::int64_t last = 1;  // no atom is above point 0
    for (const LossAtom& atom : atoms) {
      const std::int64_t index = place(atom, atoms.back().loss, grid).index;
      here = index == last ? here + 1 : 1;
      last = index;
      most = std::max(most, here);
    }
    return most;
  }

  // Puts the mass of losses below the first atom at the point on or above that atom. Omitting it lowers delta, so the
  // lower bound does not need it.
  static void put_below(double log_mass, const LossAtom& first, const Grid& grid, Cells& cells) {
    const bool there = std::abs(place(first, cells.offset, grid).over) <= at_point * grid.h;
    const std::int64_t index = cells.first + (there ? 0 : 1);
    const double point = cells.offset + static_cast<double>(index) * grid.h;
    const double mass = std::exp(log_mass + grid.c * point - cells.log_scale);
    if (mass > 0) cells.atoms.push_back({index, mass * (1 + 1e-9)});
  }

  void put(const LossAtom& atom, const Grid& grid, Cells& cells) const {
    const LocatedPoint at = place(atom, cells.offset, grid);
    const double point = cells.offset + static_cast<double>(at.index) * grid.h;
    const double mass = tilted(atom, grid.c * point - cells.log_scale);
    const double exponent = complete_ && atom.p.value > numerics::Mass::least ? 8 : 8 + std::abs(atom.p.log);
    cells.relative = std::max(cells.relative, 4 * unit_roundoff * exponent);
    const bool there = std::abs(at.over) <= at_point * grid.h;
    cells.slack = std::max(cells.slack, atom.loss_error + (there ? std::abs(at.over) : 0));
    if (there) {
      cells.atoms.push_back({at.index, mass});
      return;
    }
    const auto i = static_cast<std::size_t>(at.index - cells.first);
    cells.p[i] += mass;
    cells.u[i] += mass * -std::expm1(-at.over);
  }

  Kept all_;  // the atoms of the curve
  bool complete_;
  mutable double last_c_ = -1;
  mutable double last_scale_ = 0;
  std::vector<double> above_;
  std::vector<double> below_;
};

}  // namespace
}  // namespace atom_law_file

std::unique_ptr<StepLaw> atom_law(const std::shared_ptr<const mechanism::AtomicCurve>& curve, std::int64_t count,
                                  Direction direction) {
  return std::make_unique<atom_law_file::AtomLaw>(curve, count, direction);
}

}  // namespace renyi::exact::lattice
