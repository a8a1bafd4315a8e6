// The law of the Sampled Gaussian's loss itself: central moments, and orders below 1.
#pragma once

#include "mechanism/sampled_gaussian/lattice.h"
#include "renyi/bounded.h"
#include "renyi/curve.h"

namespace renyi::sampled_gaussian {

// Variance and third central moment about `mean`, the Kullback-Leibler divergence.
Cumulants cumulants_on(const Lattice& lattice, const Bounded& mean, Direction direction);

// -ln E_Q[(P/Q)^a] for a in [1/2, 1).
Bounded chernoff_on(const Lattice& lattice, double a, Direction direction);

}  // namespace renyi::sampled_gaussian
