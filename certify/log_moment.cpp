#include "certify/log_moment.h"

#include <cmath>

#include "certify/mechanism/closed_form.h"
#include "certify/mechanism/guarantee.h"
#include "certify/mechanism/proof.h"
#include "certify/method.h"
#include "certify/sampled_gaussian/curve.h"
#include "renyi/error.h"

namespace renyi::certify {
namespace {

// Orders as doubles name a method, never a value: whole ones are found exactly.
double order_about(const Ball& z) {
  const bool whole = arb_is_int(z.raw()) != 0;
  const double order = z.about() + 1;
  return whole == (order == std::floor(order)) ? order : std::nextafter(order, 0);
}

Ball sampled_log_moment(const SampledGaussian& mechanism, Direction direction, const Ball& z, Method method) {
  constexpr double farthest = 1e9;
  if (!(z.about() <= farthest)) throw NotConverged("the curve of a sampled Gaussian beyond order 1e9");
  switch (method) {
    case Method::finite_sum: return finite_sum_log_moment(mechanism, static_cast<std::int64_t>(z.about()) + 1);
    case Method::integration: return integral_log_moment(mechanism, direction, z);
    default: return trapezoid_log_moment(mechanism, direction, z);
  }
}

Ball mean_loss(const Mechanism& mechanism, Direction direction, Route route) {
  if (auto closed = closed_mean_loss(mechanism)) return *closed;
  if (const Proof* proof = proof_of(mechanism)) return proof->mean_loss(mechanism.values());
  if (const auto bound = guarantee_of(mechanism)) return bound->at_one;
  const Method method = method_of(mechanism, direction, 1, route);
  const auto& sampled = *mechanism.get_if<SampledGaussian>();
  return method == Method::integration ? integral_mean_loss(sampled, direction)
                                       : trapezoid_mean_loss(sampled, direction);
}

Ball supremum(const Mechanism& mechanism, Direction direction) {
  if (auto closed = closed_max_loss(mechanism)) return *closed;
  if (const Proof* proof = proof_of(mechanism)) return proof->max_loss(mechanism.values());
  if (const auto bound = guarantee_of(mechanism)) return bound->max_loss();
  method_of(mechanism, direction, HUGE_VAL, Route::first);
  return max_loss(*mechanism.get_if<SampledGaussian>(), direction);
}

}  // namespace

Ball log_moment(const Mechanism& mechanism, Direction direction, const Ball& z, Route route) {
  if (auto closed = closed_log_moment(mechanism, z)) return *closed;
  if (const Proof* proof = proof_of(mechanism)) return proof->log_moment(mechanism.values(), z);
  if (const auto bound = guarantee_of(mechanism)) {
    const Ball divergence = bound->divergence(z);
    return divergence.is_finite() ? z * divergence : divergence;  // infinite, or open
  }
  const Method method = method_of(mechanism, direction, order_about(z), route);
  return sampled_log_moment(*mechanism.get_if<SampledGaussian>(), direction, z, method);
}

Ball divergence(const Mechanism& mechanism, Direction direction, double order, Route route) {
  if (order == 1) return mean_loss(mechanism, direction, route);
  if (std::isinf(order)) return supremum(mechanism, direction);
  const Ball z = Ball(order) - 1;
  if (const auto bound = guarantee_of(mechanism)) return bound->divergence(z);
  return log_moment(mechanism, direction, z, route) / z;
}

}  // namespace renyi::certify
