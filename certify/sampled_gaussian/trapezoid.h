// Moments of the sampled Gaussian by the trapezoidal rule, with its proven error (docs/math/certified-curves.md).
//
// With Q = N(0, s^2) and r(x) = (1-q) + q exp((2x-1)/(2 s^2)), every moment of its loss is
//
//     A(e) = E_Q[r^e]:   e = 1+z in the direction remove, e = -z in the direction add.
#pragma once

#include <vector>

#include "certify/ball/ball.h"
#include "renyi/mechanism.h"

namespace renyi::certify {

// The points x = j*step that matter for r^e, with |Im e| up to `reach`.
struct Nodes {
  Ball step;                   // exact
  std::vector<Ball> position;  // x, exact
  std::vector<Ball> weight;    // step times the density of N(0, s^2) at x
  std::vector<Ball> loss;      // ln r(x)
  Ball error;                  // |sum - A| <= error * A(Re e): from the rule and the omitted points
};

// The exponent is exact and real, e >= 1 or e < 0; the error is at most approximately 2^-bits.
Nodes trapezoid_nodes(const SampledGaussian& mechanism, const Ball& exponent, const Ball& reach, long bits);

// Returns the number of these points. The work of the sums below is this number times the number of their points.
double trapezoid_node_count(const SampledGaussian& mechanism, const Ball& exponent, const Ball& reach, long bits);

// Returns A(exponent + i j spacing), j = 0 ... points-1; each has an error of at most 2^-bits A(exponent), besides
// rounding.
std::vector<Complex> trapezoid_moments(const SampledGaussian& mechanism, const Ball& exponent, const Ball& spacing,
                                       long points, long bits);

}  // namespace renyi::certify
