#include "sampling/analyse/step_model.h"

#include <fmt/format.h>

#include <cmath>

#include "mechanism/curve.h"
#include "mechanism/law.h"
#include "mechanism/monotone/pairs_curve.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::sampling {

namespace step_model_file {
namespace {

using numerics::Mass;

// The loss is +e, -e or 0, with Q's masses low, high and the remainder.
OutcomePair three_outcomes(const Bounded& e, double high, double rest, Knowledge knowledge) {
  OutcomePair pair{.knowledge = knowledge};
  const Mass likely = Mass::of(high), unlikely = likely.tilted(-e.value), neither = Mass::of(rest);
  pair.outcomes.push_back({unlikely, likely, e.value, e.error});
  pair.outcomes.push_back({likely, unlikely, -e.value, e.error});
  if (rest > 0) pair.outcomes.push_back({neither, neither, 0, 0});
  return pair;
}

OutcomePair of(const mechanism::CategoricalResponse& law, const Curve& curve) {
  const double p = law.truth_probability, r = (1 - p) / (law.categories - 1);
  return three_outcomes(curve.max_loss(Direction::remove), std::max(p, r), (law.categories - 2) * r, curve.knowledge());
}

OutcomePair of(const mechanism::TwoLosses& law, const Curve& curve) {
  return three_outcomes({law.epsilon, 0}, 1 / (1 + std::exp(-law.epsilon)), 0, curve.knowledge());
}

// Returns P's mass at an atom of direction add. Formed from that atom it may be too small for a double, so that the
// mass of the other direction is returned if it belongs to the same outcome. Rounding may have merged losses of one
// direction only.
Mass p_mass(const mechanism::LossAtom& atom, const Mass& known) {
  const Mass formed = atom.p.tilted(-atom.loss);
  const double tolerated = 4 * atom.loss_error + 1e-13 * (1 + std::abs(atom.loss) + std::abs(atom.p.log));
  return std::abs(known.log - formed.log) <= tolerated ? known : formed;
}

OutcomePair of(const mechanism::AtomicCurve& curve) {
  OutcomePair pair{.p_only = curve.infinite_mass(Direction::remove).value,
                   .q_only = curve.infinite_mass(Direction::add).value,
                   .symmetric = curve.is_symmetric(),
                   .knowledge = curve.knowledge()};
  const auto &remove = curve.atoms(Direction::remove), &add = curve.atoms(Direction::add);
  for (std::size_t i = 0; i < add.size(); ++i) {
    const auto& atom = add[i];
    const Mass known = i < remove.size() ? remove[remove.size() - 1 - i].p : Mass{};
    pair.outcomes.push_back({atom.p, p_mass(atom, known), -atom.loss, atom.loss_error});
  }
  return pair;
}

// Scales the finite part, and adds the mass that each distribution has on outcomes the other cannot produce.
OutcomePair with_infinite_loss(OutcomePair finite, double mass) {
  finite.p_only = finite.q_only = mass;
  finite.knowledge = Knowledge::profile;
  if (mass == 1) finite.outcomes.clear();
  for (auto& outcome : finite.outcomes) {
    outcome.q = outcome.q.times(1 - mass);
    outcome.p = outcome.p.times(1 - mass);
  }
  return finite;
}

// Returns the step's pair if it has finitely many outcomes.
std::optional<OutcomePair> outcomes_of(const Curve& curve) {
  const mechanism::Law law = curve.law();
  if (const auto* response = law.get_if<mechanism::CategoricalResponse>()) return of(*response, curve);
  if (const auto* two = law.get_if<mechanism::TwoLosses>()) return of(*two, curve);
  if (const auto* atoms = law.get_if<mechanism::AtomicLoss>()) {
    const bool is_whole = atoms->curve->is_listed() && atoms->curve->is_complete();
    if (!is_whole || curve.knowledge() == Knowledge::orders) return std::nullopt;
    return of(*atoms->curve);
  }
  const auto finite_part = curve.finite_part();
  auto finite = finite_part && curve.is_symmetric() ? outcomes_of(*finite_part) : std::nullopt;
  if (!finite) return std::nullopt;
  return with_infinite_loss(*std::move(finite), curve.infinite_mass(Direction::remove).value);
}

// Returns the step's pair on the real line, if it has exactly one and that can be mixed.
std::shared_ptr<const monotone::MonotonePair> noise_of(const mechanism::Law& law) {
  const auto* pairs = law.get_if<mechanism::RevealedPairs>();
  if (pairs == nullptr || pairs->curve->components().size() != 1) return nullptr;
  const auto& [weight, pair, other] = pairs->curve->components().front();
  return weight == 1 && !other && pair->can_be_mixed() ? pair : nullptr;
}

// Returns true if the guarantee is the same for any two datasets.
bool is_the_same_for_all(const Mechanism& mechanism) {
  const auto two = mechanism.for_group(2);
  return two && *two == mechanism;
}

}  // namespace
}  // namespace step_model_file

StepModel::StepModel(const Mechanism& mechanism, const Adjacency& relation, numerics::Rounding rounding)
    : mechanism_(mechanism), curve_(mechanism.curve()), relation_(relation), rounding_(rounding) {}

// Noise is stated relative to what one record contributes, so that an exchange counts twice. A guarantee is stated for
// the plan's neighbouring relation: an exchange is then the removal of one record and the addition of another, or,
// under replace-one, the stated change itself.
double StepModel::units(const Inclusion& inclusion) const {
  const bool two_records = inclusion.distance == Distance::exchange;
  if (mechanism_.is_additive_noise() || relation_.neighbors != Neighbors::replace_one)
    return (two_records ? 2 : 1) * inclusion.copies;
  if (two_records && inclusion.shape != Shape::opposite) return inclusion.copies;
  throw Unsupported("neighbors",
                    fmt::format("under replace-one this sampling compares a record with none as well, and {} is stated "
                                "for records that are replaced",
                                mechanism_.kind()),
                    "use add-or-remove-one or zero-out, or fixed-size sampling that is not padded");
}

// Less noise costs more, so that the quotient is rounded down for an upper bound.
double StepModel::noise(double scale, double sensitivity, const Inclusion& inclusion) const {
  const double distance = units(inclusion);
  return rounds_up() ? numerics::quotient_down(scale, numerics::product_up(sensitivity, distance))
                     : numerics::quotient_up(scale, numerics::product_down(sensitivity, distance));
}

std::variant<Noise, OutcomePair, LatticeNoise, CurveOnly> StepModel::at(const Inclusion& inclusion) const {
  const mechanism::Law law = curve_->law();
  if (const auto* normal = law.get_if<mechanism::NormalShift>()) {
    return Noise{Noise::Kind::gaussian, noise(normal->stddev, normal->shift, inclusion), curve_->knowledge()};
  }
  if (const auto* laplace = law.get_if<mechanism::DoubleExponential>()) {
    return Noise{Noise::Kind::laplace, noise(laplace->scale, laplace->shift, inclusion), curve_->knowledge()};
  }
  const double distance = step_model_file::is_the_same_for_all(mechanism_) ? 1 : units(inclusion);
  auto moved = distance == 1 ? std::optional(mechanism_) : mechanism_.for_group(distance);
  if (moved && !rounds_up()) moved = moved->optimistic();
  if (!moved) {
    throw Unsupported("sampling",
                      fmt::format("this sampling exchanges records, or counts one several times, and {} is stated for "
                                  "one record more or less",
                                  mechanism_.kind()),
                      "use Poisson sampling, or fixed-size sampling under replace-one");
  }
  auto curve = moved->curve();
  const mechanism::Law there = curve->law();
  if (const auto* atoms = there.get_if<mechanism::AtomicLoss>(); atoms != nullptr && atoms->lattice != nullptr) {
    return LatticeNoise{std::move(curve), atoms->lattice};
  }
  if (auto pair = step_model_file::noise_of(there)) {
    return Noise{.kind = Noise::Kind::any, .knowledge = curve->knowledge(), .pair = std::move(pair)};
  }
  if (auto pair = step_model_file::outcomes_of(*curve)) return *std::move(pair);
  return CurveOnly{std::move(curve)};
}

}  // namespace renyi::sampling
