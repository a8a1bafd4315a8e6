// One component of a revealed mixture of one-dimensional pairs, in one direction: its branches, with their share of the
// cells of a grid, and its atoms.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "exact/lattice/cells.h"
#include "exact/pair_quadrature.h"
#include "mechanism/monotone/pairs_curve.h"

namespace renyi::exact::lattice {

// As x grows the loss is l(x), and P has exp(l) Q there; or it is -l(x), and P is the pair's Q.
enum class Course { rising, falling };

struct PairSums {
  double p = 0;  // mass
  double u = 0;  // integral of 1 - exp(point - L)
};

// What a branch may leave out at its ends.
struct TailLevels {
  double log_infinite = -60;  // ln of P-mass called infinite loss
  double log_dropped = -50;   // ln of tilted mass
};

// One branch of a pair of some weight, and its share of the cells of a grid.
class PairBranch {
 public:
  PairBranch(std::shared_ptr<const monotone::MonotonePair> pair, double log_weight, Course course);

  const monotone::MonotonePair& pair() const { return *pair_; }
  bool rises() const { return course_ == Course::rising; }
  // The loss where l is least: 0 for one of the two branches of a symmetric pair.
  double least() const { return least_; }
  double signed_loss(double l) const { return rises() ? l : -l; }
  // The branch lies between these; what is beyond them is charged by `add`.
  double begin(const Grid& grid) const;
  double end(const Grid& grid, double log_scale, const TailLevels& levels) const;

  // Into cells that have room for the losses up to `end`.
  void add(const Grid& grid, double end, Cells& cells) const;

  // Over [from, to] beside a point of the grid; everything is times exp(c point - log_scale).
  PairSums sums(const Grid& grid, double log_scale, const LocatedPoint& from, const LocatedPoint& to,
                double point) const;
  // |integral of 1 - exp(point - L)| over the atom at the least l, beside the point at y above it.
  double atom_moment(const Grid& grid, double log_scale, double y) const;

 private:
  std::int64_t first_cell(const Grid& grid, double offset) const;
  double log_tilted_above(const Grid& grid, double log_scale, double x) const;
  void leave_out(const Grid& grid, const LocatedPoint& begin, double end, Cells& cells) const;

  std::shared_ptr<const monotone::MonotonePair> pair_;
  double log_weight_;
  Course course_;
  double least_;
};

struct PairAtom {
  double loss = 0;
  double loss_error = 0;
  double log_mass = 0;  // of P, the component's weight included
  double log_mass_error = 0;
};

struct PairComponent {
  double weight = 0;
  bool symmetric = false;
  std::vector<PairBranch> branches{};
  std::vector<PairAtom> atoms{};
  double atom_distance = 0;  // of its outermost atoms
  double rest_error = 0;     // of the mass at loss 0 of a symmetric pair, beside the component's weight
};

PairComponent pair_component(const monotone::WeightedPair& component, Direction direction);

// The loss beyond which P has next to nothing.
double farthest_loss(const monotone::MonotonePair& pair);

// Where to hang the grid of a law that has a whole half-line of outcomes next to one loss.
// Branches of one course and of the same least l, each with a half-line or an atom there. The y in (0, h] such that
// what they have up to y above it, merged into the point at y, balances the half of the next cell that is merged with
// it (docs/math/lattice.md): then nothing is lost.
double balanced_start(const std::vector<const PairBranch*>& branches, const Grid& grid, double log_scale);

}  // namespace renyi::exact::lattice
