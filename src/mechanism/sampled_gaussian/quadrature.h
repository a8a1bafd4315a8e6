// Expectations over the Sampled Gaussian's loss by the trapezoidal rule on a lattice: log-moments, central moments of
// the loss itself, and orders below 1.
#pragma once

#include <complex>

#include "mechanism/sampled_gaussian/lattice.h"
#include "renyi/extras/curve.h"
#include "renyi/interval.h"

namespace renyi::sampled_gaussian {

// The largest step that is fine enough for orders with this imaginary part
// (docs/math/sampled-gaussian.md, "Step").
double sufficient_step(const Params& params, double imaginary, Direction direction);

// A log-moment with the part of its error that a finer lattice would reduce, relative to the sum of the terms' moduli.
struct SummedMoment : ComplexLogMoment {
  double step_error = 0;
};

LogMoment moment_on(const Lattice& lattice, double z, Direction direction);
SummedMoment moment_on(const Lattice& lattice, std::complex<double> z, Direction direction);

// Returns the variance and the third central moment about `mean`, which is the Kullback-Leibler divergence.
Cumulants cumulants_on(const Lattice& lattice, const Bounded& mean, Direction direction);

// Returns -ln E_Q[(P/Q)^a] for a in [1/2, 1).
Bounded chernoff_on(const Lattice& lattice, double a, Direction direction);

}  // namespace renyi::sampled_gaussian
