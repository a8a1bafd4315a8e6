// The steps of a plan as the lattice engine uses them (steps that go to the grid, and randomized responses and short
// lists that need none), and the plan's delta(epsilon) from one grid.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "exact/engine.h"
#include "exact/lattice/atoms.h"
#include "exact/lattice/delta_law.h"
#include "exact/lattice/step_law.h"

namespace renyi::exact::lattice {

struct ResponsePart {
  Response response;
  std::shared_ptr<const Curve> curve;
};

struct LatticeSteps {
  std::vector<std::unique_ptr<StepLaw>> laws;
  std::vector<ResponsePart> responses;
  std::vector<Listed> lists;

  // Returns the number of steps on the grid.
  double count() const;
  // Returns approximately the number of atoms of the responses and the lists together.
  double listed() const;
  // Returns the variance of the steps on the grid under the tilt c.
  double variance(double c) const;
};

// Returns std::nullopt for a plan that the lattice engine does not support.
std::optional<LatticeSteps> lattice_steps_of(const EngineQuestion& question);

struct GridLaw {
  DeltaLaw law;
  double points = 0;  // the number of points that the transform needed
};

// Returns approximately the number of cells of all laws on that grid.
double cells_of(const LatticeSteps& parts, const Grid& grid);
// Returns whether there are only one or two steps: they are summed without a transform.
bool is_direct(const LatticeSteps& parts);
// Returns the spacing near grid.h, and at most grid.h, that suits the atoms of all laws.
double aligned_spacing(const LatticeSteps& parts, Grid grid);

// Returns std::nullopt if the transform would need more than `most_points`. `orders` are computed if they are not
// given.
std::optional<GridLaw> grid_law(const LatticeSteps& parts, const Grid& grid, std::size_t most_points,
                                std::optional<TailOrders>& orders, Precision precision = Precision::plain);

// The law of a plan of randomized responses and lists only, which needs no grid.
std::optional<DeltaLaw> response_law(const LatticeSteps& parts, double c);

}  // namespace renyi::exact::lattice
