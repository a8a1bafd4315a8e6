#include "mechanism/own/discrete_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>

#include "mechanism/own/discrete_line.h"
#include "mechanism/own/discrete_moments.h"
#include "mechanism/symmetric_curve.h"
#include "numerics/compensated.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::mechanism {

namespace {

using divergence_detail::Atoms;
using divergence_detail::DiscreteModel;
using numerics::Mass;
using numerics::unit_roundoff;
constexpr double infinity = std::numeric_limits<double>::infinity();

// Of the logarithms, beside the largest of them.
double log_sum(std::span<const LossAtom> same) {
  double most = -infinity;
  for (const LossAtom& atom : same) most = std::max(most, atom.p.log);
  numerics::CompensatedSum sum;
  for (const LossAtom& atom : same) sum.add(std::exp(atom.p.log - most));
  return most + std::log(sum.value());
}

// Outcomes of one loss, however many: the sum of their masses rounds once, its logarithm too.
LossAtom one_of(std::span<const LossAtom> same) {
  if (same.size() == 1) return same.front();
  numerics::CompensatedSum p;
  for (const LossAtom& atom : same) p.add(atom.p.value);
  LossAtom sum = same.front();
  sum.p = Mass::of(p.value(), log_sum(same));
  return sum;
}

std::vector<LossAtom> merged(const std::vector<divergence_detail::Atom>& outcomes) {
  std::vector<LossAtom> sorted;
  sorted.reserve(outcomes.size());
  for (const auto& o : outcomes) sorted.push_back({o.loss, o.loss_error, o.p});
  std::sort(sorted.begin(), sorted.end(), [](const LossAtom& a, const LossAtom& b) {
    return std::tie(a.loss, a.loss_error, a.p.log) < std::tie(b.loss, b.loss_error, b.p.log);
  });
  std::vector<LossAtom> atoms;
  for (auto first = sorted.begin(); first != sorted.end();) {
    const auto last = std::find_if(first, sorted.end(), [first](const LossAtom& atom) {
      return atom.loss != first->loss || atom.loss_error != first->loss_error;
    });
    atoms.push_back(one_of({first, last}));
    first = last;
  }
  return atoms;
}

// Masses of outcomes that both laws have.
double total_of(const std::vector<divergence_detail::Atom>& outcomes) {
  numerics::CompensatedSum sum;
  for (const auto& outcome : outcomes) sum.add(outcome.p.value);
  return sum.value();
}

// The two laws given that the other has mass too: p/P(q > 0) against q/Q(p > 0), so that every loss moves by
// ln(Q(p > 0)/P(q > 0)) (docs/math/infinite-loss.md, "The split"). What the masses' quotients lose is charged to the
// losses, which enter every error with as much.
Atoms given_both(const Atoms& from, const Atoms& to) {
  const double p = from.p_only > 0 ? total_of(from.shared) : 1, q = from.q_only > 0 ? total_of(to.shared) : 1;
  const double moved = std::log(q) - std::log(p);
  Atoms atoms;
  for (const auto& o : from.shared) {
    const double loss = o.loss + moved, size = 16 + std::abs(std::log(q)) + std::abs(std::log(p)) + std::abs(loss);
    atoms.shared.push_back({o.p.over(p), loss, o.loss_error + 4 * unit_roundoff * size});
  }
  if (atoms.shared.size() == 1) atoms.shared = {{.p = Mass::of(1)}};  // both are certain
  return atoms;
}

// Of outcomes that both laws have; nothing matters where there are none.
std::shared_ptr<const Curve> conditional_curve(const Atoms& remove, const Atoms& add, Knowledge known) {
  if (remove.never_meet()) return std::make_shared<ZeroCurve>();
  return std::make_shared<DiscreteCurve>(DiscreteModel(given_both(remove, add), given_both(add, remove)), known);
}

DiscreteLoss loss_of(std::shared_ptr<const DiscreteModel> model) {
  auto atoms = merged(model->atoms().shared);
  return {std::move(model), std::move(atoms)};
}

}  // namespace

DiscreteCurve::DiscreteCurve(const DiscreteModel& model, Knowledge known, double mass_error)
    : remove_(loss_of(std::make_shared<DiscreteModel>(model))),
      add_(loss_of(std::dynamic_pointer_cast<const DiscreteModel>(model.swapped()))),
      known_(known),
      mass_error_(mass_error),
      symmetric_(remove_.atoms == add_.atoms && model.atoms().p_only == model.atoms().q_only) {
  const bool has_gaps = model.atoms().p_only > 0 || model.atoms().q_only > 0;
  if (has_gaps) finite_ = conditional_curve(model.atoms(), add_.model->atoms(), known);
}

double DiscreteCurve::last_order() const {
  const bool both = remove_.model->atoms().p_only > 0 && add_.model->atoms().p_only > 0;
  return both ? 1 : infinity;
}

// A sum of masses over their total, perhaps times a rate and a weight: a few roundings.
Bounded DiscreteCurve::infinite_mass(Direction direction) const {
  const Atoms& atoms = side(direction).model->atoms();
  if (atoms.p_only == 0 || atoms.never_meet()) return {atoms.p_only, 0};
  // Too small for a double, it stands as the smallest one.
  const double coarse = atoms.p_only > Mass::least ? 0 : 4 * std::numeric_limits<double>::denorm_min();
  return {atoms.p_only, 16 * unit_roundoff * atoms.p_only + coarse + mass_error_};
}

// K(z) = z D_(1+z); the slope at 0 is D_1.
LogMoment DiscreteCurve::real_at(double z, Direction direction) const {
  const DiscreteLoss& loss = side(direction);
  const Bounded d = loss.model->renyi(z);
  if (!std::isfinite(d.upper())) return {z == 0 ? 0 : infinity, 0, infinity, 0, 0};
  if (d.value == 0 && d.error == 0) return {};
  const TiltedMoments tilted = tilted_moments(loss, z);
  if (z == 0) return {0, 0, d.value, d.error, tilted.variance};
  const double value = z * d.value, rounding = 2 * unit_roundoff * value + std::numeric_limits<double>::min();
  return {value, z * d.error + rounding, tilted.mean, tilted.mean_error, tilted.variance};
}

ComplexLogMoment DiscreteCurve::complex_at(std::complex<double> z, Direction direction) const {
  const LogMoment at_c = real_at(z.real(), direction);
  if (std::isinf(at_c.value)) throw Unsupported("z", "K is infinite there", "use steps of finite loss");
  const ComplexLogMoment phi = DiscreteLine(*this, z.real(), direction).log_phi(z.imag());
  if (!std::isfinite(phi.error)) throw NotConverged("the moment of a discrete pair at a complex point");
  const std::complex<double> value = at_c.value + phi.value;
  return {value, at_c.error + phi.error + 2 * unit_roundoff * std::abs(value.real())};
}

Bounded DiscreteCurve::max_loss_at(Direction direction) const { return side(direction).model->renyi(infinity); }

// (1-a) D_a; 1 - a is exact for a in [1/2, 1).
Bounded DiscreteCurve::chernoff_at(double a, Direction direction) const {
  const Bounded d = side(direction).model->renyi(a - 1);
  if (!std::isfinite(d.upper())) return {infinity, 0};
  const double value = (1 - a) * d.value;
  return {value, (1 - a) * d.error + 2 * unit_roundoff * value};
}

Cumulants DiscreteCurve::cumulants_at(Direction direction) const {
  const DiscreteLoss& loss = side(direction);
  const Bounded mean = loss.model->renyi(0);
  Cumulants result{.mean = mean.value, .mean_error = mean.error};
  long double second = 0, third = 0, second_error = 0, third_error = 0, third_size = 0;
  for (const LossAtom& atom : loss.atoms) {
    const long double off = static_cast<long double>(atom.loss) - mean.value, size = std::abs(off);
    const long double moved = static_cast<long double>(atom.loss_error) + mean.error;
    second += atom.p.value * off * off;
    third += atom.p.value * off * off * off;
    third_size += atom.p.value * size * size * size;
    second_error += atom.p.value * (2 * size + moved) * moved;
    third_error += atom.p.value * 3 * (size + moved) * (size + moved) * moved;
  }
  const long double relative = 16 * unit_roundoff + summation_rounding(loss.atoms.size());
  result.variance = static_cast<double>(second);
  result.variance_error = static_cast<double>(second_error + relative * second);
  result.third = static_cast<double>(third);
  result.third_error = static_cast<double>(third_error + relative * third_size);
  return result;
}

std::unique_ptr<const VerticalLine> DiscreteCurve::line_at(double c, Direction direction) const {
  return std::make_unique<DiscreteLine>(*this, c, direction);
}

}  // namespace renyi::mechanism
