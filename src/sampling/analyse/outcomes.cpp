// Mixing a pair with its second law is done on the losses: ln((1-g) + g exp(l)), however small g is
// (docs/math/sampling.md, "Outcomes").
#include "sampling/analyse/outcomes.h"

#include <cmath>

#include "mechanism/own/discrete_curve.h"
#include "numerics/mixed_loss.h"
#include "numerics/rounding.h"

namespace renyi::sampling {

namespace {

using divergence_detail::Atom;
using divergence_detail::Atoms;
using numerics::unit_roundoff;

using numerics::mixed_loss;

double mixed_error(double g, double l, double error, double value) {
  return numerics::mixed_loss_slope(g, l + error) * error + 8 * unit_roundoff * std::abs(value);
}

Atom atom(double log_p, double loss, double error) { return {std::exp(log_p), log_p, loss, error}; }

// Atoms of (P, Q) and of (Q, P).
struct BothWays {
  Atoms remove;
  Atoms add;

  void put(double log_p, double log_q, double loss, double error) {
    remove.shared.push_back(atom(log_p, loss, error));
    add.shared.push_back(atom(log_q, -loss, error));
  }
};

void put_one_sided(BothWays& both, const SampledOutcomes& c) {
  const double log_weight = std::log(c.inclusion.weight), g = c.inclusion.rate;
  for (const auto& o : c.pair.outcomes) {
    const double loss = mixed_loss(g, o.loss), log_q = log_weight + o.log_q;
    both.put(log_q + loss, log_q, loss, mixed_error(g, o.loss, o.loss_error, loss));
  }
}

// Outcomes of positive loss, their mirror images, and the rest at 0.
void put_symmetric(BothWays& both, const SampledOutcomes& c) {
  const double log_weight = std::log(c.inclusion.weight), g = c.inclusion.rate;
  double rest = 1;
  for (const auto& o : c.pair.outcomes) {
    if (!(o.loss > 0)) continue;
    const double loss = mixed_loss(g, o.loss), error = mixed_error(g, o.loss, o.loss_error, loss);
    const double log_q = log_weight + o.log_q, log_p = log_q + loss;
    both.put(log_p, log_q, loss, error);
    both.put(log_q, log_p, -loss, error);
    rest -= o.q + std::exp(o.log_q + loss);
  }
  if (rest > 0) {
    const double log_rest = log_weight + std::log(rest);
    both.put(log_rest, log_rest, 0, 0);
  }
}

}  // namespace

std::shared_ptr<const Curve> outcomes_curve(const std::vector<SampledOutcomes>& components) {
  // The law of the loss, if one pair of datasets attains the whole pair; a bound on the profile otherwise.
  const auto& [first, pair] = components.front();
  const bool attained = components.size() == 1 && first.shape == Shape::one_sided;
  BothWays both;
  for (const SampledOutcomes& c : components) {
    c.inclusion.shape == Shape::symmetric ? put_symmetric(both, c) : put_one_sided(both, c);
  }
  return std::make_shared<mechanism::DiscreteCurve>(
      divergence_detail::DiscreteModel(std::move(both.remove), std::move(both.add)),
      attained ? pair.knowledge : Knowledge::profile);
}

}  // namespace renyi::sampling
