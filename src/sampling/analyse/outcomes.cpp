// Mixing a pair with its second law is done on the losses: ln((1-g) + g exp(l)), however small g is
// (docs/math/sampling.md, "Outcomes").
#include "sampling/analyse/outcomes.h"

#include <cmath>

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

// A mass and its logarithm: the exponential of the logarithm would lose as many digits as that has.
struct Mass {
  double value = 0;
  double log = 0;
};

Atom atom(const Mass& p, double loss, double error) { return {p.value, p.log, loss, error}; }

// Atoms of (P, Q) and of (Q, P).
struct BothWays {
  Atoms remove;
  Atoms add;

  void put(const Mass& p, const Mass& q, double loss, double error) {
    remove.shared.push_back(atom(p, loss, error));
    add.shared.push_back(atom(q, -loss, error));
  }
  // Mass of P where Q has none, and the other way round.
  void put_alone(double p) {
    remove.p_only += p;
    add.q_only += p;
  }
  void put_other_alone(double q) {
    remove.q_only += q;
    add.p_only += q;
  }
};

// Below this a mass has lost accuracy, and its logarithm is what is known.
constexpr double least_mass = 1e-290;

Mass weighted(const SampledOutcomes& c, double value, double log) {
  return {c.inclusion.weight * value, std::log(c.inclusion.weight) + (value > least_mass ? std::log(value) : log)};
}

// (1-g) Q + g P at an outcome, where it is exp(loss) Q.
Mass mixed(const SampledOutcomes& c, const OutcomePair::Outcome& o, double loss) {
  const double g = c.inclusion.rate;
  return weighted(c, (1 - g) * o.q + g * o.p, o.log_q + loss);
}

void put_one_sided(BothWays& both, const SampledOutcomes& c) {
  const double g = c.inclusion.rate;
  for (const auto& o : c.pair.outcomes) {
    const double loss = mixed_loss(g, o.loss);
    both.put(mixed(c, o, loss), weighted(c, o.q, o.log_q), loss, mixed_error(g, o.loss, o.loss_error, loss));
  }
  both.put_alone(c.inclusion.weight * g * c.pair.p_only);
  // Where P has nothing, the mixture has 1-g of Q.
  if (c.pair.q_only > 0) {
    const double loss = std::log1p(-g), log_q = std::log(c.pair.q_only);
    both.put(mixed(c, {.q = c.pair.q_only, .log_q = log_q}, loss), weighted(c, c.pair.q_only, log_q), loss,
             4 * unit_roundoff * std::abs(loss));
  }
}

// Outcomes of positive loss, their mirror images, and the rest at 0.
void put_symmetric(BothWays& both, const SampledOutcomes& c) {
  const double g = c.inclusion.rate, alone = g * c.pair.p_only;
  double rest = 1 - alone;
  for (const auto& o : c.pair.outcomes) {
    if (!(o.loss > 0)) continue;
    const double loss = mixed_loss(g, o.loss), error = mixed_error(g, o.loss, o.loss_error, loss);
    const Mass p = mixed(c, o, loss), q = weighted(c, o.q, o.log_q);
    both.put(p, q, loss, error);
    both.put(q, p, -loss, error);
    rest -= o.q + ((1 - g) * o.q + g * o.p);
  }
  both.put_alone(c.inclusion.weight * alone);
  both.put_other_alone(c.inclusion.weight * alone);
  if (rest > 0) {
    const Mass of_both = weighted(c, rest, std::log(rest));
    both.put(of_both, of_both, 0, 0);
  }
}

}  // namespace

std::shared_ptr<const mechanism::DiscreteCurve> outcomes_curve(const std::vector<SampledOutcomes>& components) {
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
