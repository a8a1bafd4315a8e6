// K, D_1 and D_inf in closed form (docs/math/closed-form-curves.md). Each form is scaled so that nothing overflows;
// what cancels is left to the precision, which the caller raises.
#include "certify/mechanism/closed_form.h"

namespace renyi::certify {
namespace {

// K = z e + ln( ((z+1) + z exp(-(2z+1) e)) / (2z+1) )
Ball laplace_log_moment(const Ball& e, const Ball& z) {
  const Ball w = 2 * z + 1;
  return z * e + log((z + 1 + z * exp(-w * e)) / w);
}

// K = z l + ln( P(l) + P(-l) exp(-2 z l) + P(0) exp(-z l) )
Ball atoms_log_moment(const TwoSided& law, const Ball& z) {
  const Ball fall = z * law.loss;
  return fall + log(law.high + law.low * exp(-2 * fall) + law.rest * exp(-fall));
}

}  // namespace

std::optional<Ball> closed_log_moment(const Mechanism& mechanism, const Ball& z) {
  if (is_trivial(mechanism)) return Ball(0);
  if (const auto rate = gaussian_rate(mechanism)) return *rate * z * (z + 1);
  if (const auto* laplace = mechanism.get_if<Laplace>()) return laplace_log_moment(largest_loss(*laplace), z);
  if (const auto law = two_sided(mechanism)) return atoms_log_moment(*law, z);
  return std::nullopt;
}

std::optional<Ball> closed_mean_loss(const Mechanism& mechanism) {
  if (is_trivial(mechanism)) return Ball(0);
  if (auto rate = gaussian_rate(mechanism)) return rate;
  if (const auto* laplace = mechanism.get_if<Laplace>()) {
    const Ball e = largest_loss(*laplace);
    return e + expm1(-e);
  }
  if (const auto law = two_sided(mechanism)) return (law->high - law->low) * law->loss;
  return std::nullopt;
}

std::optional<Ball> closed_max_loss(const Mechanism& mechanism) {
  if (is_trivial(mechanism)) return Ball(0);
  if (gaussian_rate(mechanism)) return Ball::infinity();
  if (const auto* laplace = mechanism.get_if<Laplace>()) return largest_loss(*laplace);
  if (const auto law = two_sided(mechanism)) return law->loss;
  return std::nullopt;
}

}  // namespace renyi::certify
