// A plan's delta(epsilon) from one grid.
#pragma once

#include <cstddef>
#include <optional>

#include "exact/lattice/delta_law.h"
#include "exact/lattice/parts.h"

namespace renyi::exact::lattice {

struct GridLaw {
  DeltaLaw law;
  double points = 0;  // the transform had to have
};

// Cells of all laws on that grid, about.
double cells_of(const Parts& parts, const Grid& grid);
// One or two steps: they are summed without a transform.
bool is_direct(const Parts& parts);
// The spacing near grid.h, at most it, that suits the atoms of all laws.
double aligned_spacing(const Parts& parts, Grid grid);

// Nothing if the transform would need more than `most_points`. `orders` are found if there are none.
std::optional<GridLaw> grid_law(const Parts& parts, const Grid& grid, std::size_t most_points,
                                std::optional<TailOrders>& orders, Precision precision = Precision::plain);

// A plan of randomized responses and lists only, which needs no grid.
std::optional<DeltaLaw> response_law(const Parts& parts, double c);

}  // namespace renyi::exact::lattice
