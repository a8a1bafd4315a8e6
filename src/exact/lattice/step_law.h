// The privacy loss distributions of the steps that go to the grid.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "exact/lattice/cells.h"
#include "mechanism/curve.h"
#include "mechanism/law.h"
#include "mechanism/monotone/pairs_curve.h"
#include "renyi/plan.h"

namespace renyi::exact::lattice {

struct Response;

class StepLaw {
 public:
  StepLaw(std::int64_t count, Direction direction, std::shared_ptr<const Curve> curve)
      : count_(count), direction_(direction), curve_(std::move(curve)) {}
  virtual ~StepLaw() = default;
  StepLaw(const StepLaw&) = delete;
  StepLaw& operator=(const StepLaw&) = delete;

  std::int64_t count() const { return count_; }
  const Curve& curve() const { return *curve_; }
  Direction direction() const { return direction_; }

  // Returns approximately the number of cells on such a grid.
  virtual double cells(const Grid& grid) const = 0;
  // Cuts the law into cells, for the pessimistic side if `upper`; the two sides may have different offsets.
  virtual Cells cut(const Grid& grid, bool upper) const = 0;
  // Returns whether the cells of both sides are the same.
  virtual bool sides_agree() const { return true; }
  // Returns the distance between two atoms, which should be a multiple of h; 0 if there are no atoms.
  virtual double atom_distance(const Grid&) const { return 0; }
  // Returns the relative loss of one step on the lower side where that distance is not a multiple of h.
  virtual double misplaced(const Grid&) const { return 0; }

 protected:
  double log_scale(const Grid& grid) const { return curve_->log_moment(grid.c, direction_).value; }

 private:
  std::int64_t count_;
  Direction direction_;
  std::shared_ptr<const Curve> curve_;
};

// The laws of steps with the given distribution; the curve is that of one step.
std::unique_ptr<StepLaw> laplace_law(const mechanism::DoubleExponential& law, std::shared_ptr<const Curve> curve,
                                     std::int64_t count);
std::unique_ptr<StepLaw> bounded_range_law(const mechanism::ExponentialOnInterval& law,
                                           std::shared_ptr<const Curve> curve, std::int64_t count);
std::unique_ptr<StepLaw> sampled_gaussian_law(const mechanism::SampledNormal& law, std::shared_ptr<const Curve> curve,
                                              std::int64_t count, Direction direction);
// All Gaussian steps as one step: noise_multiplier^-2 adds up.
std::unique_ptr<StepLaw> gaussian_law(double noise_multiplier);
// All copies of a randomized response or pure-DP step as one step: rounding to the grid moves the loss by h only once.
std::unique_ptr<StepLaw> response_law(const CountedMechanism& step, const Response& response);

// A pair of distributions on finitely many outcomes whose losses are finite and not all equal.
std::unique_ptr<StepLaw> atom_law(const std::shared_ptr<const mechanism::AtomicCurve>& curve, std::int64_t count,
                                  Direction direction);
// The lower side of such a pair: cells without mass, and atoms at points, of a pair that the given one dominates.
// Outcomes are split and merged, so that both masses are kept and the ratio is that of a point. The grid is anchored at
// the heaviest atom.
Cells merged_atoms(std::span<const mechanism::LossAtom> atoms, const Grid& grid, double log_scale);

// A revealed mixture of one-dimensional pairs; null if all its losses are too large for cells, or negligible.
std::unique_ptr<StepLaw> pairs_law(const std::shared_ptr<const monotone::PairsCurve>& curve, std::int64_t count,
                                   Direction direction);

}  // namespace renyi::exact::lattice
