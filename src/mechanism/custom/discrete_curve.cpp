#include "mechanism/custom/discrete_curve.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

#include "numerics/compensated.h"
#include "numerics/exponentials.h"
#include "numerics/extended.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::mechanism {

using divergence_detail::Atoms;
using divergence_detail::DiscreteModel;
using numerics::Mass;
using numerics::unit_roundoff;

namespace discrete_curve_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Up to this exponent exp(z l) is computed directly.
constexpr double large_exponent = 500;
// Losses up to this are centred: their sum cancels to second order.
constexpr double small_loss = 0.5;
constexpr double term_ulps = 64;

// Returns the error of a sum of that many terms in long double, relative to the sum of their sizes.
double summation_rounding(std::size_t terms) {
  return static_cast<double>(terms) * static_cast<double>(numerics::extended_epsilon);
}

struct Sum {
  long double value = 0;
  long double error = 0;
};

// E_P[L exp(zL)] = sum p [l expm1(zl) + R(-l)] + Q(p = 0), R(y) = exp(y) - 1 - y: every term is >= 0
// (docs/math/log-moment-curve.md, "centred moments"). For a large loss the term is computed as p l exp(zl) + q - p.
Sum centred_mean(const DiscreteLoss& loss, double z) {
  Sum sum{loss.model->atoms().q_only, 4 * unit_roundoff * loss.model->atoms().q_only};
  const double summation = summation_rounding(loss.atoms.size() + 1);
  for (const LossAtom& atom : loss.atoms) {
    const double l = atom.loss, grown = std::expm1(z * l);
    const double moved = std::abs(grown) + z * std::abs(l) * (1 + grown);
    const double ulps = (term_ulps + 2 * z * std::abs(l)) * unit_roundoff + summation;
    if (std::abs(l) <= small_loss) {
      const double term = atom.p.value * (l * grown + numerics::exp_remainder(-l));
      sum.value += term;
      sum.error += ulps * term + atom.p.value * (moved + std::abs(std::expm1(-l))) * atom.loss_error;
    } else {
      const double q = std::exp(atom.p.log - l), tilted = atom.p.value * l * (1 + grown);
      sum.value += tilted + q - atom.p.value;
      sum.error += ulps * (1 + std::abs(atom.p.log)) * (std::abs(tilted) + q + atom.p.value) +
                   (atom.p.value * (1 + moved) + q) * atom.loss_error;
    }
  }
  return sum;
}

// Returns p exp(zl) of an atom relative to that of the heaviest: the differences lose no digits where z l is large.
double weight(const LossAtom& atom, const LossAtom& top, double z) {
  return std::exp((atom.p.log - top.p.log) + z * (atom.loss - top.loss));
}

// Returns the relative error of `weight`, including that from the loss of the heaviest atom.
double weight_error(const LossAtom& atom, const LossAtom& top, double z) {
  const double size = 1 + std::abs(atom.p.log) + std::abs(top.p.log) + z * std::abs(atom.loss - top.loss);
  return 4 * unit_roundoff * size + z * (atom.loss_error + top.loss_error);
}

// Returns the mean as the loss of the heaviest atom plus the weighted differences of the other losses from it.
Sum weighted_mean(const std::vector<LossAtom>& atoms, const LossAtom& top, double z, long double total) {
  Sum sum{top.loss, top.loss_error};
  const double summation = summation_rounding(2 * atoms.size());  // for this sum and for the total
  for (const LossAtom& atom : atoms) {
    const long double share = weight(atom, top, z) / total, off = static_cast<long double>(atom.loss) - top.loss;
    const double exponent = 1 + std::abs(atom.p.log) + std::abs(top.p.log) + z * std::abs(atom.loss - top.loss);
    const double errors = atom.loss_error + top.loss_error;
    sum.value += share * off;
    sum.error += share * (errors + std::abs(off) * (8 * unit_roundoff * exponent + summation + z * errors));
  }
  return sum;
}

// Returns the atom with the largest p exp(zl).
const LossAtom& heaviest(const std::vector<LossAtom>& atoms, double z) {
  return *std::max_element(atoms.begin(), atoms.end(), [z](const LossAtom& a, const LossAtom& b) {
    return a.p.log + z * a.loss < b.p.log + z * b.loss;
  });
}

// Mean and variance of a discrete loss tilted by exp(z L): the first derivatives of K.
struct TiltedMoments {
  double mean = 0;
  double mean_error = 0;
  double variance = 0;
};

// Requires z >= 0 and finite losses.
TiltedMoments tilted_moments(const DiscreteLoss& loss, double z) {
  const LossAtom& top = heaviest(loss.atoms, z);
  long double total = 0, moved = 0;  // `moved` is the error of the total from the errors of the exponents
  for (const LossAtom& atom : loss.atoms) {
    const double w = weight(atom, top, z);
    total += w;
    moved += w * weight_error(atom, top, z);
  }
  const bool centred = z * loss.atoms.back().loss < large_exponent;
  Sum mean = centred ? centred_mean(loss, z) : weighted_mean(loss.atoms, top, z, total);
  if (centred) {
    const long double moment = total * std::exp(static_cast<long double>(top.p.log + z * top.loss));
    const double largest = 1 + std::abs(top.p.log) + z * std::abs(top.loss);
    const long double relative = moved / total + 4 * unit_roundoff * largest + summation_rounding(loss.atoms.size());
    mean.value /= moment;
    mean.error = mean.error / moment + 2 * relative * std::abs(mean.value);
  }
  long double variance = 0;
  for (const LossAtom& atom : loss.atoms) {
    const long double off = atom.loss - mean.value;
    variance += weight(atom, top, z) / total * off * off;
  }
  const auto value = static_cast<double>(mean.value);
  return {value, static_cast<double>(mean.error) + 64 * unit_roundoff * std::abs(value), static_cast<double>(variance)};
}

// The curve of a discrete loss on a vertical line: a sum over its tilted atoms.
class DiscreteLine final : public PointwiseLine {
 public:
  DiscreteLine(const DiscreteCurve& curve, double c, Direction direction);

  ComplexLogMoment log_phi(double y) const override;
  double cost(double) const override { return 14 * static_cast<double>(atoms_.size()); }

 private:
  struct Tilted {
    double loss;
    double loss_error;
    double weight;
    double relative;  // relative error of the weight
  };
  std::vector<Tilted> atoms_;
};

// Weights p exp(c l) that sum to 1.
DiscreteLine::DiscreteLine(const DiscreteCurve& curve, double c, Direction direction)
    : PointwiseLine(curve, c, direction) {
  const auto& atoms = curve.atoms(direction);
  const LossAtom& top = heaviest(atoms, c);
  long double total = 0, error = 0;
  for (const LossAtom& atom : atoms) {
    const double weight = std::exp((atom.p.log - top.p.log) + c * (atom.loss - top.loss));
    const double size = 4 + std::abs(atom.p.log) + std::abs(top.p.log) + c * std::abs(atom.loss - top.loss);
    atoms_.push_back(
        {atom.loss, atom.loss_error, weight, 4 * unit_roundoff * size + c * (atom.loss_error + top.loss_error)});
    total += weight;
    error += weight * atoms_.back().relative;
  }
  // The error of the sum scales all weights by the same factor; sums over them, here and along the line, round once per
  // term.
  const double summation = 2 * summation_rounding(atoms.size());
  for (Tilted& atom : atoms_) {
    atom.weight = static_cast<double>(atom.weight / total);
    atom.relative += static_cast<double>(error / total) + 2 * unit_roundoff + summation;
  }
}

// phi(y) - 1 = sum w (exp(ix) - 1), x = y l, exp(ix) - 1 = -2 sin(x/2)^2 + i sin(x).
ComplexLogMoment DiscreteLine::log_phi(double y) const {
  long double re = 0, im = 0, error = 0;
  for (const Tilted& atom : atoms_) {
    const double x = y * atom.loss, half = std::sin(0.5 * x), whole = std::sin(x);
    re -= 2 * atom.weight * half * half;
    im += atom.weight * whole;
    const double turned = std::min(2.0, std::abs(y) * (atom.loss_error + unit_roundoff * std::abs(atom.loss)));
    error += atom.weight * ((atom.relative + 8 * unit_roundoff) * 2 * std::abs(half) + turned);
  }
  const std::complex<double> s(static_cast<double>(re), static_cast<double>(im));
  const double off = static_cast<double>(error) + 2 * unit_roundoff * std::abs(s), modulus = std::abs(1.0 + s);
  if (!(off < 0.5 * modulus)) return {{std::min(0.0, std::log(modulus + off)), 0}, HUGE_VAL};
  return {numerics::log1p(s), 2 * off / modulus + 4 * unit_roundoff * std::abs(s)};
}

// Returns ln of the sum of the masses, computed from their logarithms relative to the largest of them.
double log_sum(std::span<const LossAtom> same) {
  double most = -infinity;
  for (const LossAtom& atom : same) most = std::max(most, atom.p.log);
  numerics::CompensatedSum sum;
  for (const LossAtom& atom : same) sum.add(std::exp(atom.p.log - most));
  return most + std::log(sum.value());
}

// Merges any number of outcomes of the same loss: the sum of their masses rounds once, and so does its logarithm.
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
    atoms.push_back(one_of({&*first, static_cast<std::size_t>(last - first)}));
    first = last;
  }
  return atoms;
}

// Returns the mass of the outcomes that both distributions have.
double total_of(const std::vector<divergence_detail::Atom>& outcomes) {
  numerics::CompensatedSum sum;
  for (const auto& outcome : outcomes) sum.add(outcome.p.value);
  return sum.value();
}

// The two distributions under the condition that the other one has mass too: p/P(q > 0) against q/Q(p > 0), so that
// every loss moves by ln(Q(p > 0)/P(q > 0)) (docs/math/infinite-loss.md, "The split"). The rounding of the quotients of
// masses is included in the errors of the losses, which enter every error to the same amount.
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

// Returns the curve of the outcomes that both distributions have. If there are none, the returned curve does not
// matter.
std::shared_ptr<const Curve> conditional_curve(const Atoms& remove, const Atoms& add, Knowledge known) {
  if (remove.never_meet()) return std::make_shared<ZeroCurve>();
  return std::make_shared<DiscreteCurve>(DiscreteModel(given_both(remove, add), given_both(add, remove)), known);
}

DiscreteLoss loss_of(std::shared_ptr<const DiscreteModel> model) {
  auto atoms = merged(model->atoms().shared);
  return {std::move(model), std::move(atoms)};
}

}  // namespace
}  // namespace discrete_curve_file

DiscreteCurve::DiscreteCurve(const DiscreteModel& model, Knowledge known, double mass_error)
    : remove_(discrete_curve_file::loss_of(std::make_shared<DiscreteModel>(model))),
      add_(discrete_curve_file::loss_of(std::dynamic_pointer_cast<const DiscreteModel>(model.swapped()))),
      known_(known),
      mass_error_(mass_error),
      symmetric_(remove_.atoms == add_.atoms && model.atoms().p_only == model.atoms().q_only) {
  const bool has_gaps = model.atoms().p_only > 0 || model.atoms().q_only > 0;
  if (has_gaps) finite_ = discrete_curve_file::conditional_curve(model.atoms(), add_.model->atoms(), known);
}

double DiscreteCurve::last_order() const {
  const bool both = remove_.model->atoms().p_only > 0 && add_.model->atoms().p_only > 0;
  return both ? 1 : discrete_curve_file::infinity;
}

// A sum of masses over their total, perhaps times a rate and a weight: a few roundings.
Bounded DiscreteCurve::infinite_mass(Direction direction) const {
  const Atoms& atoms = side(direction).model->atoms();
  if (atoms.p_only == 0 || atoms.never_meet()) return {atoms.p_only, 0};
  // A mass too small for a double is represented by the smallest one.
  const double coarse = atoms.p_only > Mass::least ? 0 : 4 * std::numeric_limits<double>::denorm_min();
  return {atoms.p_only, 16 * unit_roundoff * atoms.p_only + coarse + mass_error_};
}

// K(z) = z D_(1+z); the slope at 0 is D_1.
LogMoment DiscreteCurve::real_at(double z, Direction direction) const {
  const DiscreteLoss& loss = side(direction);
  const Bounded d = loss.model->renyi(z);
  if (!std::isfinite(d.upper()))
    return {z == 0 ? 0 : discrete_curve_file::infinity, 0, discrete_curve_file::infinity, 0, 0};
  if (d.value == 0 && d.error == 0) return {};
  const discrete_curve_file::TiltedMoments tilted = discrete_curve_file::tilted_moments(loss, z);
  if (z == 0) return {0, 0, d.value, d.error, tilted.variance};
  const double value = z * d.value, rounding = 2 * unit_roundoff * value + std::numeric_limits<double>::min();
  return {value, z * d.error + rounding, tilted.mean, tilted.mean_error, tilted.variance};
}

ComplexLogMoment DiscreteCurve::complex_at(std::complex<double> z, Direction direction) const {
  const LogMoment at_c = real_at(z.real(), direction);
  if (std::isinf(at_c.value)) throw Unsupported("z", "K is infinite there", "use steps of finite loss");
  const ComplexLogMoment phi = discrete_curve_file::DiscreteLine(*this, z.real(), direction).log_phi(z.imag());
  if (!std::isfinite(phi.error)) throw NotConverged("the moment of a discrete pair at a complex point");
  const std::complex<double> value = at_c.value + phi.value;
  return {value, at_c.error + phi.error + 2 * unit_roundoff * std::abs(value.real())};
}

Bounded DiscreteCurve::max_loss_at(Direction direction) const {
  return side(direction).model->renyi(discrete_curve_file::infinity);
}

// (1-a) D_a; 1 - a is exact for a in [1/2, 1).
Bounded DiscreteCurve::chernoff_at(double a, Direction direction) const {
  const Bounded d = side(direction).model->renyi(a - 1);
  if (!std::isfinite(d.upper())) return {discrete_curve_file::infinity, 0};
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
  const long double relative = 16 * unit_roundoff + discrete_curve_file::summation_rounding(loss.atoms.size());
  result.variance = static_cast<double>(second);
  result.variance_error = static_cast<double>(second_error + relative * second);
  result.third = static_cast<double>(third);
  result.third_error = static_cast<double>(third_error + relative * third_size);
  return result;
}

std::unique_ptr<const VerticalLine> DiscreteCurve::line_at(double c, Direction direction) const {
  return std::make_unique<discrete_curve_file::DiscreteLine>(*this, c, direction);
}

}  // namespace renyi::mechanism
