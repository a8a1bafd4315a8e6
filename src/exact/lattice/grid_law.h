// A plan as the lattice sees it (steps that go to the grid, and randomized responses and short lists that need none),
// and its delta(epsilon) from one grid.
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

  // Steps on the grid.
  double count() const;
  // Atoms of the responses and the lists together, about.
  double listed() const;
  // The variance of the grid's part under the tilt c.
  double variance(double c) const;
};

// Nothing for a plan that is hopeless here.
std::optional<LatticeSteps> lattice_steps_of(const EngineQuestion& question);

struct GridLaw {
  DeltaLaw law;
  double points = 0;  // the transform had to have
};

// Cells of all laws on that grid, about.
double cells_of(const LatticeSteps& parts, const Grid& grid);
// One or two steps: they are summed without a transform.
bool is_direct(const LatticeSteps& parts);
// The spacing near grid.h, at most it, that suits the atoms of all laws.
double aligned_spacing(const LatticeSteps& parts, Grid grid);

// Nothing if the transform would need more than `most_points`. `orders` are found if there are none.
std::optional<GridLaw> grid_law(const LatticeSteps& parts, const Grid& grid, std::size_t most_points,
                                std::optional<TailOrders>& orders, Precision precision = Precision::plain);

// A plan of randomized responses and lists only, which needs no grid.
std::optional<DeltaLaw> response_law(const LatticeSteps& parts, double c);

}  // namespace renyi::exact::lattice
