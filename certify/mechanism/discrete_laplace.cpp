// Discrete Laplace noise: K(z) = zE + ln(alpha + beta exp(-(2z+1) E)), the sum of three geometric series
// (docs/math/discrete-noise.md, "Discrete Laplace").
#include "certify/mechanism/proof.h"

namespace renyi::certify {
namespace discrete_laplace_file {
namespace {

// alpha, beta = sinh(s (z+1)), sinh(sz) divided by 2 cosh(s/2) sinh(s (z+1/2)), computed by exponentials that do not
// overflow.
Ball log_moment(Proof::Values values, const Ball& z) {
  const Ball s = 1 / Ball(values[0]), largest = s * values[1], r = exp(-s), twice = 2 * z + 1;
  const Ball norm = (1 + r) * -expm1(-s * twice);
  const Ball alpha = -expm1(-2 * s * (z + 1)) / norm, beta = r * -expm1(-2 * s * z) / norm;
  return z * largest + log(alpha + beta * exp(-twice * largest));
}

// K'(0) = E - s/sinh(s) (1 - exp(-E))
Ball mean_loss(Proof::Values values) {
  const Ball s = 1 / Ball(values[0]), largest = s * values[1];
  return largest - 2 * s * exp(-s) / -expm1(-2 * s) * -expm1(-largest);
}

Ball max_loss(Proof::Values values) { return Ball(values[1]) / values[0]; }

}  // namespace
}  // namespace discrete_laplace_file

namespace proof {
Proof discrete_laplace();
Proof discrete_laplace() {
  return {discrete_laplace_file::log_moment, discrete_laplace_file::mean_loss, discrete_laplace_file::max_loss};
}
}  // namespace proof

}  // namespace renyi::certify
