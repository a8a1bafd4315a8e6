// The steps that go to the grid, as it sees them.
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

  // The number of cells on such a grid, about.
  virtual double cells(const Grid& grid) const = 0;
  // `upper` for the pessimistic side, which may want another offset.
  virtual Cells cut(const Grid& grid, bool upper) const = 0;
  // Are the cells of both sides the same?
  virtual bool sides_agree() const { return true; }
  // The distance between two atoms, which should be a multiple of h; 0 without them.
  virtual double atom_distance(const Grid&) const { return 0; }
  // What one step loses on the lower side, relatively, where it is no multiple.
  virtual double misplaced(const Grid&) const { return 0; }

 protected:
  double log_scale(const Grid& grid) const { return curve_->log_moment(grid.c, direction_).value; }

 private:
  std::int64_t count_;
  Direction direction_;
  std::shared_ptr<const Curve> curve_;
};

// Of steps that have that law; the curve is that of one step.
std::unique_ptr<StepLaw> laplace_law(const mechanism::DoubleExponential& law, std::shared_ptr<const Curve> curve,
                                     std::int64_t count);
std::unique_ptr<StepLaw> bounded_range_law(const mechanism::ExponentialOnInterval& law,
                                           std::shared_ptr<const Curve> curve, std::int64_t count);
std::unique_ptr<StepLaw> sampled_gaussian_law(const mechanism::SampledNormal& law, std::shared_ptr<const Curve> curve,
                                              std::int64_t count, Direction direction);
// All Gaussian steps as one: noise_multiplier^-2 adds up.
std::unique_ptr<StepLaw> gaussian_law(double noise_multiplier);
// All copies of a randomized response or pure-DP step as one: rounding to the grid costs h once.
std::unique_ptr<StepLaw> response_law(const CountedMechanism& step, const Response& response);

// A pair of laws on finitely many outcomes, of finite loss and not all the same.
std::unique_ptr<StepLaw> atom_law(const std::shared_ptr<const mechanism::AtomicCurve>& curve, std::int64_t count,
                                  Direction direction);
// Its lower side: cells without mass, and atoms at points, of a pair below the one given. Outcomes are split and
// merged, so that both masses are kept and the ratio is that of a point. The grid hangs on the heaviest atom.
Cells merged_atoms(std::span<const mechanism::LossAtom> atoms, const Grid& grid, double log_scale);

// A revealed mixture of one-dimensional pairs; nothing if all its losses are too large for cells, or next to nothing.
std::unique_ptr<StepLaw> pairs_law(const std::shared_ptr<const monotone::PairsCurve>& curve, std::int64_t count,
                                   Direction direction);

}  // namespace renyi::exact::lattice
