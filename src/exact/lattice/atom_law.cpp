// A discrete loss: atoms anywhere. Above, those between two points are masses of cells; below, they are rounded down
// unless they lie so close that cells can be merged.
#include <algorithm>
#include <cmath>

#include "exact/lattice/step_law.h"
#include "numerics/rounding.h"

namespace renyi::exact::lattice {

namespace {

using mechanism::LossAtom;
using numerics::unit_roundoff;

// An atom this close to a point, in cells, is put there, and the shift is charged.
constexpr double at_point = 1e-9;
// Smaller masses are formed by their logarithm, of up to 745.
constexpr double least_mass = 1e-290;
// Beyond so many atoms, or multiples of their least distance, no grid suits them.
constexpr std::size_t most_aligned = 64;
constexpr double most_multiples = 2e4;

// The distance all distances are multiples of, if they are; the whole reach of a few; 0 for many without order.
double distance_of(const std::vector<LossAtom>& atoms) {
  const double spread = atoms.back().loss - atoms.front().loss;
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

// Where an atom is: so far above the point with this index.
struct Place {
  std::int64_t index = 0;
  double over = 0;
};

class AtomLaw final : public StepLaw {
 public:
  AtomLaw(const std::shared_ptr<const mechanism::DiscreteCurve>& curve, std::int64_t count, Direction direction)
      : StepLaw(count, direction, curve), atoms_(curve->atoms(direction)), distance_(distance_of(atoms_)) {}

  double cells(const Grid& grid) const override { return spread() / grid.h + static_cast<double>(atoms_.size()); }
  bool sides_agree() const override { return false; }
  double atom_distance(const Grid&) const override { return distance_; }
  double misplaced(const Grid& grid) const override {
    if (atoms_.size() > most_aligned) return 0;
    const double scale = log_scale(grid);
    double lost = 0;
    for (const LossAtom& atom : atoms_) {
      const double over = place(atom, grid).over;
      if (over > at_point * grid.h) lost -= tilted(atom, grid.c * atom.loss - scale) * std::expm1(-over);
    }
    return lost;
  }

  // The grid hangs on the largest atom, which is point 0.
  Cells cut(const Grid& grid, bool upper) const override {
    Cells cells;
    cells.offset = atoms_.back().loss;
    cells.log_scale = log_scale(grid);
    cells.first = place(atoms_.front(), grid).index;
    cells.p.resize(static_cast<std::size_t>(-cells.first));
    cells.u.resize(cells.p.size());
    const bool in_cells = upper || atoms_.size() > cells.size() / 2;
    for (const LossAtom& atom : atoms_) put(atom, grid, in_cells, cells);
    // A sum of masses rounds once a term.
    cells.relative += unit_roundoff * most_in_a_cell(grid);
    return cells;
  }

 private:
  double spread() const { return atoms_.back().loss - atoms_.front().loss; }

  static double tilted(const LossAtom& atom, double exponent) {
    return atom.p > least_mass ? atom.p * std::exp(exponent) : std::exp(atom.log_p + exponent);
  }

  Place place(const LossAtom& atom, const Grid& grid) const {
    const double below = atom.loss - atoms_.back().loss, nearest = std::round(below / grid.h);
    const double off = below - nearest * grid.h;
    const bool there = std::abs(off) <= at_point * grid.h;
    const double index = there || off > 0 ? nearest : nearest - 1;
    return {static_cast<std::int64_t>(index), there ? off : below - index * grid.h};
  }

  // Atoms of one cell or point follow one another, because losses ascend.
  double most_in_a_cell(const Grid& grid) const {
    double most = 0, here = 0;
    std::int64_t last = 1;  // no atom is above point 0
    for (const LossAtom& atom : atoms_) {
      const std::int64_t index = place(atom, grid).index;
      here = index == last ? here + 1 : 1;
      last = index;
      most = std::max(most, here);
    }
    return most;
  }

  void put(const LossAtom& atom, const Grid& grid, bool in_cells, Cells& cells) const {
    const Place at = place(atom, grid);
    const double point = cells.offset + static_cast<double>(at.index) * grid.h;
    const double mass = tilted(atom, grid.c * point - cells.log_scale);
    const double exponent = atom.p > least_mass ? 8 : 8 + std::abs(atom.log_p);
    cells.relative = std::max(cells.relative, 4 * unit_roundoff * exponent);
    const bool there = std::abs(at.over) <= at_point * grid.h;
    cells.slack = std::max(cells.slack, atom.loss_error + (there ? std::abs(at.over) : 0));
    if (there || !in_cells) {
      cells.atoms.push_back({at.index, mass});
      return;
    }
    const auto i = static_cast<std::size_t>(at.index - cells.first);
    cells.p[i] += mass;
    cells.u[i] += mass * -std::expm1(-at.over);
  }

  const std::vector<LossAtom>& atoms_;  // of the curve
  double distance_;
};

}  // namespace

std::unique_ptr<StepLaw> atom_law(const std::shared_ptr<const mechanism::DiscreteCurve>& curve, std::int64_t count,
                                  Direction direction) {
  return std::make_unique<AtomLaw>(curve, count, direction);
}

}  // namespace renyi::exact::lattice
