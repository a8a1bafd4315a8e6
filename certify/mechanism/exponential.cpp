// The exponential mechanism has bounded range (docs/math/selection.md, "Bounded range"). K follows from the moment of
// the two-point distribution at its worst position, e^t = z A / ((z+1) B). With U(x) = 1 - exp(-x epsilon),
//
//     K(z) = z t + ln( U(z+1) / ((z+1) U(1)) ),   t = epsilon + ln( z U(z+1) / ((z+1) U(z)) ).
#include "certify/mechanism/proof.h"

namespace renyi::certify {
namespace exponential_file {
namespace {

Ball fallen(const Ball& x, const Ball& epsilon) { return -expm1(-x * epsilon); }

Ball log_moment(Proof::Values values, const Ball& z) {
  if (values[0] == 0) return {0};
  const Ball epsilon(values[0]), upper = fallen(z + 1, epsilon);
  const Ball t = epsilon + log(z * upper / ((z + 1) * fallen(z, epsilon)));
  return z * t + log(upper / ((z + 1) * fallen(1, epsilon)));
}

// Returns the limit of K(z)/z at 0.
Ball mean_loss(Proof::Values values) {
  if (values[0] == 0) return {0};
  const Ball epsilon(values[0]);
  return epsilon - 1 + log(fallen(1, epsilon) / epsilon) + epsilon / expm1(epsilon);
}

Ball max_loss(Proof::Values values) { return {values[0]}; }

}  // namespace
}  // namespace exponential_file

namespace proof {

Proof exponential() { return {exponential_file::log_moment, exponential_file::mean_loss, exponential_file::max_loss}; }

}  // namespace proof
}  // namespace renyi::certify
