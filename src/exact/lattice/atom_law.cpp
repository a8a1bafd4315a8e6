// A discrete loss: atoms anywhere. Above, those between two points are masses of cells; below, they are merged at
// points, or cells are where most hold some.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "exact/lattice/merged_atoms.h"
#include "exact/lattice/step_law.h"
#include "numerics/rounding.h"

namespace renyi::exact::lattice {

namespace {

using mechanism::LossAtom;
using numerics::unit_roundoff;

// An atom this close to a point, in cells, is put there, and the shift is charged.
constexpr double at_point = 1e-9;
// Beyond so many atoms, or multiples of their least distance, no grid suits them.
constexpr std::size_t most_aligned = 64;
constexpr double most_multiples = 2e4;
// Below, atoms of this tilted mass are left out; what one sum of two masses may round.
constexpr double log_light = -90, tail_rounding = 1e-13;

using Atoms = std::span<const LossAtom>;

// The distance all distances are multiples of, if they are; the whole reach of a few; 0 for many without order.
double distance_of(Atoms atoms) {
  const double spread = atoms.back().loss - atoms.front().loss;
  if (spread == 0) return 0;
  double least = spread;
  for (std::size_t i = 1; i < atoms.size(); ++i) least = std::min(least, atoms[i].loss - atoms[i - 1].loss);
  // The reach over the number of steps is better known than one step.
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

// Where an atom is: so far above the point with this index.
struct Place {
  std::int64_t index = 0;
  double over = 0;
};

// The atoms of a list that has no end may be cut further on a grid.
struct Kept {
  Atoms atoms;
  mechanism::LeftOut left_out{};
};

class AtomLaw final : public StepLaw {
 public:
  AtomLaw(const std::shared_ptr<const mechanism::AtomicCurve>& curve, std::int64_t count, Direction direction)
      : StepLaw(count, direction, curve),
        all_{curve->atoms(direction), curve->left_out(direction)},
        complete_(curve->is_complete()) {
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

  // The grid hangs on the largest atom, which is point 0; below, on the heaviest, unless most cells have some.
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
    // A sum of masses rounds once a term.
    cells.relative += unit_roundoff * most_in_a_cell(atoms, grid);
    cells.log_infinite = left_out.log_above;
    if (upper) put_below(left_out.log_below, atoms.front(), grid, cells);
    return cells;
  }

 private:
  static double spread(Atoms atoms) { return atoms.back().loss - atoms.front().loss; }

  // Grids of one tilt follow each other.
  double scale_at(const Grid& grid) const {
    if (!(grid.c == last_c_)) last_scale_ = log_scale(grid), last_c_ = grid.c;
    return last_scale_;
  }

  // Masses above each atom and below it.
  void sum_tails() {
    const std::size_t n = all_.atoms.size();
    above_.assign(n, all_.left_out.log_above);
    below_.assign(n, all_.left_out.log_below);
    for (std::size_t i = n - 1; i-- > 0;) above_[i] = log_sum(above_[i + 1], all_.atoms[i + 1].p.log) + tail_rounding;
    for (std::size_t i = 1; i < n; ++i) below_[i] = log_sum(below_[i - 1], all_.atoms[i - 1].p.log) + tail_rounding;
  }

  // Without the highest that may be called infinite, and the lowest that weigh nothing under the tilt.
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

  static Place place(const LossAtom& atom, double top, const Grid& grid) {
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

  // Losses below the first atom, put at the point on or above it. Without them delta is smaller.
  static void put_below(double log_mass, const LossAtom& first, const Grid& grid, Cells& cells) {
    const bool there = std::abs(place(first, cells.offset, grid).over) <= at_point * grid.h;
    const std::int64_t index = cells.first + (there ? 0 : 1);
    const double point = cells.offset + static_cast<double>(index) * grid.h;
    const double mass = std::exp(log_mass + grid.c * point - cells.log_scale);
    if (mass > 0) cells.atoms.push_back({index, mass * (1 + 1e-9)});
  }

  void put(const LossAtom& atom, const Grid& grid, Cells& cells) const {
    const Place at = place(atom, cells.offset, grid);
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

  Kept all_;  // of the curve
  bool complete_;
  mutable double last_c_ = -1;
  mutable double last_scale_ = 0;
  std::vector<double> above_;
  std::vector<double> below_;
};

}  // namespace

std::unique_ptr<StepLaw> atom_law(const std::shared_ptr<const mechanism::AtomicCurve>& curve, std::int64_t count,
                                  Direction direction) {
  return std::make_unique<AtomLaw>(curve, count, direction);
}

}  // namespace renyi::exact::lattice
