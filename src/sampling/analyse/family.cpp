#include "sampling/analyse/family.h"

#include <fmt/format.h>

#include <cmath>

#include "mechanism/own/discrete_curve.h"
#include "renyi/error.h"

namespace renyi::sampling {

namespace {

// A loss of +e, -e or 0, with Q's masses low, high and the rest.
OutcomePair three_outcomes(const Bounded& e, double high, double rest, Knowledge knowledge) {
  OutcomePair pair{.knowledge = knowledge};
  const double log_high = std::log(high), log_low = log_high - e.value;
  pair.outcomes.push_back({std::exp(log_low), log_low, e.value, e.error});
  pair.outcomes.push_back({high, log_high, -e.value, e.error});
  if (rest > 0) pair.outcomes.push_back({rest, std::log(rest), 0, 0});
  return pair;
}

OutcomePair of(const RandomizedResponse& m) {
  const double p = m.truth_probability, r = (1 - p) / (m.categories - 1);
  return three_outcomes(m.curve()->max_loss(Direction::remove), std::max(p, r), (m.categories - 2) * r,
                        Knowledge::loss);
}

OutcomePair of(const PureDp& m) {
  return three_outcomes({m.epsilon, 0}, 1 / (1 + std::exp(-m.epsilon)), 0, Knowledge::profile);
}

OutcomePair of(const mechanism::DiscreteCurve& curve) {
  OutcomePair pair{.symmetric = curve.is_symmetric(), .knowledge = curve.knowledge()};
  for (const auto& atom : curve.atoms(Direction::remove)) {
    const double log_q = atom.log_p - atom.loss;
    pair.outcomes.push_back({std::exp(log_q), log_q, atom.loss, atom.loss_error});
  }
  return pair;
}

}  // namespace

Family::Family(const Mechanism& mechanism, const Adjacency& relation) : mechanism_(mechanism), relation_(relation) {}

// Noise is stated beside what one record contributes, so that an exchange is two of it. A guarantee is stated for the
// plan's relation: an exchange is then a record less and a record more, or, under replace-one, what is stated.
double Family::units(const Inclusion& inclusion) const {
  const bool is_noise = mechanism_.get_if<Gaussian>() != nullptr || mechanism_.get_if<Laplace>() != nullptr;
  const bool two_records = inclusion.distance == Distance::exchange;
  if (is_noise || relation_.neighbors != Neighbors::replace_one) return (two_records ? 2 : 1) * inclusion.copies;
  if (two_records && inclusion.shape != Shape::opposite) return inclusion.copies;
  throw Unsupported("neighbors",
                    fmt::format("under replace-one this sampling compares a record with none as well, and {} is stated "
                                "for records that are replaced",
                                mechanism_.kind()),
                    "use add-or-remove-one or zero-out, or fixed-size sampling");
}

std::variant<Noise, OutcomePair, CurveOnly> Family::at(const Inclusion& inclusion) const {
  if (const auto* m = mechanism_.get_if<RandomizedResponse>()) return of(*m);  // whatever the two datasets are
  if (const auto* m = mechanism_.get_if<Gaussian>()) {
    return Noise{Noise::Kind::gaussian, m->stddev / (m->l2_sensitivity * units(inclusion))};
  }
  if (const auto* m = mechanism_.get_if<Laplace>()) {
    return Noise{Noise::Kind::laplace, m->scale / (m->l1_sensitivity * units(inclusion))};
  }
  if (const auto* m = mechanism_.get_if<GaussianDp>()) {
    return Noise{Noise::Kind::gaussian, 1 / (m->mu * units(inclusion)), Knowledge::profile};
  }
  if (const auto* m = mechanism_.get_if<PureDp>()) return of(PureDp{m->epsilon * units(inclusion)});
  if (units(inclusion) != 1) {
    throw Unsupported("sampling",
                      fmt::format("this sampling exchanges records, or counts one several times, and {} is stated for "
                                  "one record more or less",
                                  mechanism_.kind()),
                      "use Poisson sampling, or fixed-size sampling under replace-one");
  }
  if (const auto own = mechanism::discrete_curve_of(mechanism_); own && own->knowledge() != Knowledge::orders) {
    return of(*own);
  }
  return CurveOnly{mechanism_.curve()};
}

}  // namespace renyi::sampling
