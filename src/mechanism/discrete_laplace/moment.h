// E[exp(zL)] of discrete Laplace noise moved by D, without cancellation (docs/math/discrete-noise.md, "Discrete
// Laplace"). With s = 1/scale, E = sD and x = s(z + 1/2),
//
//     E[exp(zL)] = alpha exp(zE) + beta exp(-(z+1)E),   alpha, beta = (1 +- tanh(s/2) coth(x))/2.
#pragma once

#include <complex>

namespace renyi::mechanism {

template <class Scalar>
struct LaplaceWeights {
  Scalar alpha;
  Scalar beta;
  Scalar lambda;     // alpha z - beta (z+1)
  double error = 0;  // absolute, of lambda beyond a few units of itself
};
LaplaceWeights<double> laplace_weights(double s, double z);
LaplaceWeights<std::complex<double>> laplace_weights(double s, std::complex<double> z);

// exp(zE) alpha + exp(-(z+1)E) beta - 1 = alpha R(zE) + beta R(-(z+1)E) + E lambda, R(y) = exp(y) - 1 - y: for real z
// every term is >= 0.
struct LaplaceMoment {
  double excess = 0;
  double slope = 0;
  double curvature = 0;  // of the moment, not of its logarithm
};
LaplaceMoment laplace_moment(double s, double e, double z);

// -alpha'/alpha and alpha''/alpha.
struct AlphaFall {
  double first = 0;
  double second = 0;
};
AlphaFall alpha_fall(double s, double z);

}  // namespace renyi::mechanism
