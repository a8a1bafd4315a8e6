// Mixing a pair with its second law is done on the losses: ln((1-g) + g exp(l)), however small g is
// (docs/math/sampling.md, "Outcomes").
#include "sampling/analyse/outcomes.h"

#include <cmath>

#include "numerics/compensated.h"
#include "numerics/directed.h"
#include "numerics/mixed_loss.h"
#include "numerics/rounding.h"

namespace renyi::sampling {

namespace {

using divergence_detail::Atom;
using divergence_detail::Atoms;
using numerics::unit_roundoff;

using numerics::Mass;
using numerics::mixed_loss;
using numerics::product_up;

double mixed_error(double g, double l, double error, double value) {
  return numerics::mixed_loss_slope(g, l + error) * error + 8 * unit_roundoff * std::abs(value);
}

// How much of its law's mass 1 a list lacks beyond what its masses may be off by: each by a few units, and by those of
// its logarithm where it was formed from that.
double missing(const Atoms& atoms) {
  numerics::CompensatedSum total;
  double rounding = 4;
  total.add(atoms.p_only);
  for (const Atom& atom : atoms.shared) {
    total.add(atom.p.value);
    if (atom.p.value > 0) rounding += atom.p.value * (8 + 4 * std::abs(atom.p.log));
  }
  const double rest = (1 - total.high()) - total.low();
  return rest > rounding * unit_roundoff ? rest : 0;
}

// Atoms of (P, Q) and of (Q, P).
struct BothWays {
  Atoms remove;
  Atoms add;

  void put(const Mass& p, const Mass& q, double loss, double error) {
    remove.shared.push_back({p, loss, error});
    add.shared.push_back({q, -loss, error});
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

// (1-g) Q + g P at an outcome, where it is exp(loss) Q.
Mass mixed(double g, const OutcomePair::Outcome& o, double loss) {
  return Mass::of((1 - g) * o.q.value + g * o.p.value, o.q.log + loss);
}

void put_one_sided(BothWays& both, const SampledOutcomes& c) {
  const double g = c.inclusion.rate, weight = c.inclusion.weight;
  for (const auto& o : c.pair.outcomes) {
    const double loss = mixed_loss(g, o.loss);
    both.put(mixed(g, o, loss).times(weight), o.q.times(weight), loss, mixed_error(g, o.loss, o.loss_error, loss));
  }
  both.put_alone(product_up(weight, product_up(g, c.pair.p_only)));
  // Where P has nothing, the mixture has 1-g of Q.
  if (c.pair.q_only > 0) {
    const double loss = std::log1p(-g);
    const OutcomePair::Outcome only{.q = Mass::of(c.pair.q_only)};
    both.put(mixed(g, only, loss).times(weight), only.q.times(weight), loss, 4 * unit_roundoff * std::abs(loss));
  }
}

// Outcomes of positive loss, their mirror images, and the rest at 0.
void put_symmetric(BothWays& both, const SampledOutcomes& c) {
  const double g = c.inclusion.rate, weight = c.inclusion.weight, alone = product_up(g, c.pair.p_only);
  numerics::CompensatedSum counted;
  counted.add(alone);
  for (const auto& o : c.pair.outcomes) {
    if (!(o.loss > 0)) continue;
    const double loss = mixed_loss(g, o.loss), error = mixed_error(g, o.loss, o.loss_error, loss);
    const Mass p = mixed(g, o, loss);
    both.put(p.times(weight), o.q.times(weight), loss, error);
    both.put(o.q.times(weight), p.times(weight), -loss, error);
    counted.add(o.q.value);
    counted.add(p.value);
  }
  both.put_alone(product_up(weight, alone));
  both.put_other_alone(product_up(weight, alone));
  if (const double rest = (1 - counted.high()) - counted.low(); rest > 0) {
    const Mass of_both = Mass::of(rest).times(weight);
    both.put(of_both, of_both, 0, 0);
  }
}

}  // namespace

std::shared_ptr<const mechanism::DiscreteCurve> outcomes_curve(const std::vector<SampledOutcomes>& components,
                                                               Listing listing) {
  // The law of the loss, if one pair of datasets attains the whole pair; a bound on the profile otherwise.
  const auto& [first, pair] = components.front();
  const bool attained = components.size() == 1 && first.shape == Shape::one_sided;
  BothWays both;
  for (const SampledOutcomes& c : components) {
    c.inclusion.shape == Shape::symmetric ? put_symmetric(both, c) : put_one_sided(both, c);
  }
  if (listing == Listing::whole) {
    both.put_alone(missing(both.remove));
    both.put_other_alone(missing(both.add));
  }
  return std::make_shared<mechanism::DiscreteCurve>(
      divergence_detail::DiscreteModel(std::move(both.remove), std::move(both.add)),
      attained ? pair.knowledge : Knowledge::profile);
}

}  // namespace renyi::sampling
