// Moments of R = P/Q from a window of its density: the real curve and what belongs to it.
#pragma once

#include "mechanism/random_allocation/table.h"
#include "renyi/extras/curve.h"

namespace renyi::random_allocation {

// Returns a bound on the relative error of the density: what its sums of 1 and R - 1 show, and what they cannot show.
double density_error(const Window& window, double s);

LogMoment moment_of(const Window& window, double z, Direction direction, double s);
// Returns -ln E_Q[(P/Q)^a] for a in [1/2, 1).
Bounded chernoff_of(const Window& window, double a, Direction direction, double s);
// `mean` is the Kullback-Leibler divergence.
Cumulants cumulants_of(const Window& window, const Bounded& mean, Direction direction, double s);

}  // namespace renyi::random_allocation
