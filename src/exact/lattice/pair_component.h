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

// As x grows, the loss is l(x), where P has the density exp(l) Q (rising), or it is -l(x), and P is the pair's Q
// (falling).
enum class Course { rising, falling };

struct PairSums {
  double p = 0;  // mass
  double u = 0;  // integral of 1 - exp(point - L)
};

// The mass that a branch may omit at its ends.
struct TailLevels {
  double log_infinite = -60;  // ln of the P-mass that is counted as infinite loss
  double log_dropped = -50;   // ln of the tilted mass that is dropped
};

// One branch of a pair with a weight, and its share of the cells of a grid.
class PairBranch {
 public:
  PairBranch(std::shared_ptr<const monotone::MonotonePair> pair, double log_weight, Course course);

  const monotone::MonotonePair& pair() const { return *pair_; }
  bool rises() const { return course_ == Course::rising; }
  // Returns the smallest l: 0 for each of the two branches of a symmetric pair.
  double least() const { return least_; }
  double signed_loss(double l) const { return rises() ? l : -l; }
  // The branch lies between these two points; `add` includes the mass beyond them in the error bounds.
  double begin(const Grid& grid, double log_scale) const;
  double end(const Grid& grid, double log_scale, const TailLevels& levels) const;

  // Adds the branch to cells that cover the losses up to `end`.
  void add(const Grid& grid, double end, Cells& cells) const;

  // Returns the sums over [from, to] relative to a point of the grid; everything is multiplied by exp(c point -
  // log_scale).
  PairSums sums(const Grid& grid, double log_scale, const LocatedPoint& from, const LocatedPoint& to,
                double point) const;
  // Returns |integral of 1 - exp(point - L)| over the atom at the smallest l, relative to the point at y above it.
  double atom_moment(const Grid& grid, double log_scale, double y) const;

 private:
  std::int64_t first_cell(const Grid& grid, double offset) const;
  double log_tilted_above(const Grid& grid, double log_scale, double x) const;
  double log_tilted_below(const Grid& grid, double log_scale, double x) const;
  void leave_out(const Grid& grid, const LocatedPoint& begin, double end, Cells& cells) const;

  std::shared_ptr<const monotone::MonotonePair> pair_;
  double log_weight_;
  Course course_;
  double least_;
};

struct PairAtom {
  double loss = 0;
  double loss_error = 0;
  double log_mass = 0;  // ln of its P-mass, including the component's weight
  double log_mass_error = 0;
};

struct PairComponent {
  double weight = 0;
  bool symmetric = false;
  bool halves_differ = false;  // losses above and below 0 are those of two pairs
  std::vector<PairBranch> branches{};
  std::vector<PairAtom> atoms{};
  double atom_distance = 0;  // the distance between its outermost atoms
  double rest_error = 0;     // the error of the mass at loss 0 of a symmetric pair, relative to the component's weight
};

PairComponent pair_component(const monotone::WeightedPair& component, Direction direction);

// Returns the loss beyond which P has negligible mass.
double farthest_loss(const monotone::MonotonePair& pair);

// Returns the offset of the grid for a law in which a whole half-line of outcomes lies close to one loss. The branches
// have one course and the same smallest l, each with a half-line or an atom there. The result is the y in (0, h] such
// that the mass up to y above it, merged into the point at y, balances the half of the next cell that is merged with it
// (docs/math/lattice.md): then nothing is lost.
double balanced_start(const std::vector<const PairBranch*>& branches, const Grid& grid, double log_scale);

}  // namespace renyi::exact::lattice
