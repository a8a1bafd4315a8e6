// K by the trapezoidal rule (docs/math/certified-trapezoid.md).
#include "certify/sampled_gaussian/curve.h"
#include "certify/sampled_gaussian/exponent.h"
#include "certify/sampled_gaussian/trapezoid.h"

namespace renyi::certify {

Ball trapezoid_log_moment(const SampledGaussian& mechanism, Direction direction, const Ball& z, Effort effort) {
  const Ball exponent = exponent_of(direction, z);
  const Nodes nodes = trapezoid_nodes(mechanism, exponent, 0, effort.rule);
  Ball sum;
  for (std::size_t i = 0; i < nodes.loss.size(); ++i) sum += nodes.weight[i] * exp(exponent * nodes.loss[i]);
  // |sum - A| <= error A, so A is within error/(1 - error) of the sum, relatively.
  sum.widen(nodes.error * sum / (1 - nodes.error));
  return log1p(sum - 1);
}

}  // namespace renyi::certify
