#include "divergence/density/integrands.h"

#include <algorithm>
#include <cmath>

#include "numerics/exponentials.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::divergence_detail {
namespace {

using numerics::exp_remainder;

constexpr double nothing = -INFINITY;

// [exp(zl) - 1]/z times p.
double grown(double p, double log_p, double z, double l, double scale) {
  if (z == 0) return p * l;
  return std::abs(z * l) < 1 ? p * std::expm1(z * l) / z : (std::exp(log_p + z * l - scale) - p) / z;
}

double centred(const LogPair& at, double z, double l, double scale) {
  const double p = std::exp(at.p - scale);
  if (std::abs(l) > 0.5) return grown(p, at.p, z, l, scale) + (std::exp(at.q - scale) - p);
  if (std::abs(z * l) > 300) return grown(p, at.p, z, l, scale) + p * std::expm1(-l);
  return p * ((z == 0 ? 0 : exp_remainder(z * l) / z) + exp_remainder(-l));
}

// One law alone: q, or -(1+z)/z p, of which there may be some only for z < 0.
Sample lone_sample(const LogPair& at, double z, double scale) {
  if (at.p == nothing) return {std::exp(at.q - scale), std::exp(at.q - scale) * rounding_of(at.q)};
  // Whether P has mass here is a question to p itself: next to a high peak exp(at.p - scale) underflows.
  if (std::exp(at.p) == 0) return {};
  if (z >= 0) return {INFINITY, 0};
  const double p = std::exp(at.p - scale);
  return {-(1 + z) / z * p, -(1 + z) / z * p * rounding_of(at.p)};
}

}  // namespace

double rounding_of(double log_density) { return 4 * numerics::unit_roundoff * (1 + std::abs(log_density)); }

double tilted(const LogPair& at, double z) {
  if (at.p == nothing || at.q == nothing) return nothing;
  return at.p + z * at.loss();
}

Sample mass_sample(double log_density) {
  if (log_density == nothing) return {};
  const double p = std::exp(log_density);
  return {p, p * rounding_of(log_density)};
}

Sample centred_sample(const LogPair& at, double z, double scale) {
  if (at.p == nothing && at.q == nothing) return {};
  if (at.p == nothing || at.q == nothing) return lone_sample(at, z, scale);
  const double l = at.loss(), value = std::max(0.0, centred(at, z, l, scale));
  if (!std::isfinite(value)) throw NotConverged("an integrand overflows: the order is too large for these densities");
  const double p = std::exp(at.p - scale), q = std::exp(at.q - scale), of_p = rounding_of(at.p),
               of_q = rounding_of(at.q);
  // Derivatives by ln p and ln q: (1+z) (p exp(zl) - p)/z and q - p exp(zl).
  const double by_p = (1 + z) * std::abs(grown(p, at.p, z, l, scale)),
               by_q = std::abs(q - std::exp(tilted(at, z) - scale));
  // Where both vanish, the square of a small error.
  const double off = std::min(0.01, at.knows_loss() ? at.loss_rounding : of_p + of_q);
  const double square = off * off * (1 + std::abs(z)) * std::max(p, q);
  // By ln q and the loss: the value is q times a function of the loss.
  if (at.knows_loss()) return {value, of_q * value + (by_p == 0 ? 0 : at.loss_rounding * by_p) + square};
  const double noise = (by_p == 0 ? 0 : of_p * by_p) + (by_q == 0 ? 0 : of_q * by_q) + square;
  return {value, noise};
}

Sample moment_sample(const LogPair& at, double z, double scale) {
  const double exponent = tilted(at, z);
  if (exponent == nothing) return {};
  const double value = std::exp(exponent - scale);
  if (value == 0) return {};
  return {value, value * ((1 + std::abs(z)) * rounding_of(at.p) + std::abs(z) * rounding_of(at.q))};
}

Sample excess_sample(const LogPair& at, double epsilon) {
  if (at.p == nothing) return {};
  const double p = std::exp(at.p), of_p = rounding_of(at.p);
  if (at.q == nothing) return {p, p * of_p};
  const double excess = at.loss() - epsilon;
  if (!(excess > 0)) return {};
  const double value = -p * std::expm1(-excess);
  return {value, value * of_p + (p - value) * (of_p + rounding_of(at.q))};
}

}  // namespace renyi::divergence_detail
