#include "exact/lattice/merged_atoms.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::exact::lattice {

namespace {

using mechanism::LossAtom;
using numerics::unit_roundoff;

// An atom this close to a point, in cells, is put there, and the shift is charged.
constexpr double at_point = 1e-9;

struct Left {
  double loss = 0;  // beside that of the heaviest
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
  double off() const { return off_; }  // the farthest that one was from its point
  const std::vector<Cells::Atom>& points() const { return points_; }

 private:
  // All within a cell of the heaviest become one; the grid hangs on it. How far that moves it: ln(P/Q) of the sum.
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
  // Tilted for the loss of a point.
  double at(const Left& atom, double point) const { return atom.w * std::exp(grid_.c * (point - atom.loss)); }
  // Whether it lies at a point: then it is put there.
  bool is_there(const Left& atom) {
    const double nearest = std::round(atom.loss / grid_.h), off = std::abs(atom.loss - nearest * grid_.h);
    if (off > at_point * grid_.h) return false;
    off_ = std::max(off_, off);
    put(nearest, at(atom, nearest * grid_.h));
    return true;
  }

  // To the point below: what it has too much of P for, lower atoms lack. Of what is left P is lowered.
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

  // To the point above: what it lacks, higher atoms have too much of. Where that is not enough all are rounded down.
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

// Merging outcomes, splitting one into copies, and lowering P or a loss all lower the hockey-stick divergence.
Cells merged_atoms(std::span<const LossAtom> atoms, const Grid& grid, double log_scale) {
  const Merger merger(atoms, grid, log_scale);
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
  // A mass may be the sum of several.
  cells.slack += merger.off();
  cells.relative += unit_roundoff * static_cast<double>(std::min<std::size_t>(atoms.size(), 1000));
  return cells;
}

}  // namespace renyi::exact::lattice
