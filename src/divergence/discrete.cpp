#include "divergence/discrete.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "divergence/extended.h"
#include "numerics/compensated.h"
#include "numerics/exponentials.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/extras/divergence.h"
#include "renyi/limits.h"

namespace renyi {
namespace divergence_detail {

using numerics::unit_roundoff;

namespace discrete_file {
namespace {

// A term exp(log_p + z loss) with a larger exponent is summed by its logarithm.
constexpr double large_exponent = 500;
// Rounding error of the operations of one term, in units in the last place.
constexpr double term_ulps = 64;

// Returns [R(zl) + z R(-l)] / z, R(y) = exp(y) - 1 - y, or its limit R(-l) at z = 0. Large losses are computed
// directly: there the linear terms of R, which cancel between the two, would outweigh the others.
double centred_term(double z, double l) {
  using numerics::exp_remainder;
  if (std::abs(l) > 0.5) return (z == 0 ? l : std::expm1(z * l) / z) + std::expm1(-l);
  return (z == 0 ? 0 : exp_remainder(z * l) / z) + exp_remainder(-l);
}

// |d/dl| of the term above: exp(zl) - exp(-l).
double centred_slope(double z, double l) { return std::abs(std::expm1(z * l) - std::expm1(-l)); }

// A sum, its rounding, and its error from the errors of the losses.
struct Sum {
  long double value = 0;
  long double rounding = 0;
  long double through_losses = 0;
  double largest_loss_error = 0;

  void add(double term, double term_rounding) {
    value += term;
    rounding += term_rounding + std::numeric_limits<double>::denorm_min();
  }
};

void add_atom(Sum& sum, const Atom& atom, double z) {
  const double exponent = z * atom.loss;
  sum.largest_loss_error = std::max(sum.largest_loss_error, atom.loss_error);
  if (z > 0 && exponent > large_exponent) {
    // The other parts of the term are below rounding; p exp(zl) is computed as one exponential, since exp(zl) may
    // overflow.
    const double term = std::exp(atom.p.log + exponent) / z;
    sum.add(term, (term_ulps + 2 * (exponent - atom.p.log)) * unit_roundoff * term);
    sum.through_losses += z * term * atom.loss_error;
  } else if (atom.loss < -large_exponent) {
    // Q's mass outweighs P's, and exp(-l) may overflow: q + p [exp(zl) - 1]/z - p with every product computed as one
    // exponential.
    const double q = std::exp(atom.p.log - atom.loss), moment = std::exp(atom.p.log + exponent);
    const double grown = z == 0 ? atom.p.value * atom.loss : (moment - atom.p.value) / z;
    const double size = q + std::abs(grown) + atom.p.value;
    sum.add(q + grown - atom.p.value, (term_ulps + 4 * (std::abs(atom.p.log) - atom.loss)) * unit_roundoff * size);
    sum.through_losses += (q + moment) * atom.loss_error;
  } else {
    const double term = centred_term(z, atom.loss);
    sum.add(atom.p.value * term, atom.p.value * (term_ulps + 2 * std::max(exponent, 0.0)) * unit_roundoff * term);
    sum.through_losses += atom.p.value * centred_slope(z, atom.loss) * atom.loss_error;
    sum.rounding += std::numeric_limits<double>::denorm_min() * term;
  }
}

// A sum over more atoms takes long enough to look at a limit of time.
constexpr std::size_t many_atoms = 4096;

// (E_P[exp(zL)] - 1)/z = sum p [R(zl)/z + R(-l)] + Q(p = 0) - (1+z)/z P(q = 0); P(q = 0) > 0 only for z < 0.
Sum centred_moment(const Atoms& atoms, double z) {
  if (atoms.shared.size() > many_atoms) stop_if_asked();
  Sum sum;
  for (const Atom& atom : atoms.shared) add_atom(sum, atom, z);
  const double lost = atoms.p_only == 0 ? 0 : -(1 + z) / z * atoms.p_only;
  sum.add(atoms.q_only, 4 * unit_roundoff * atoms.q_only);
  sum.add(lost, 8 * unit_roundoff * lost);
  // Every term is >= 0, so partial sums are at most the sum.
  sum.rounding += static_cast<long double>(atoms.shared.size() + 2) * long_epsilon * sum.value;
  return sum;
}

double largest_exponent(const Atoms& atoms, double z) {
  double most = -infinity;
  for (const Atom& atom : atoms.shared) most = std::max(most, atom.p.log + z * atom.loss);
  return most;
}

// Returns ln sum p exp(zl), for moments far from 1: every term is positive, and the error of the logarithm of a sum is
// at most that of its terms' logarithms. Terms far below the largest are negligible.
Bounded by_logarithm(const Atoms& atoms, double z, double most) {
  long double sum = 0, error = 0;
  for (const Atom& atom : atoms.shared) {
    const double exponent = atom.p.log + z * atom.loss;
    const double size = std::abs(atom.p.log) + std::abs(z * atom.loss) + 1;
    const double own_error = 8 * unit_roundoff * size + std::abs(z) * atom.loss_error;
    if (exponent + own_error < most - 200) continue;
    sum += std::exp(static_cast<long double>(exponent) - most);
    error = std::max(error, static_cast<long double>(own_error));
  }
  error += static_cast<long double>(atoms.shared.size()) * (long_epsilon + 1e-80L);
  const long double size = std::abs(static_cast<long double>(z));
  return to_bounded((most + std::log(sum)) / z, (error + 4 * long_epsilon * std::abs(most)) / size);
}

}  // namespace
}  // namespace discrete_file

DiscreteModel::DiscreteModel(Atoms atoms, Atoms swapped_atoms)
    : DiscreteModel(std::make_shared<const Atoms>(std::move(atoms)),
                    std::make_shared<const Atoms>(std::move(swapped_atoms))) {}

DiscreteModel::DiscreteModel(std::shared_ptr<const Atoms> atoms, std::shared_ptr<const Atoms> other)
    : atoms_(std::move(atoms)), swapped_atoms_(std::move(other)) {}

std::shared_ptr<const PairModel> DiscreteModel::swapped() const {
  return std::shared_ptr<const PairModel>(new DiscreteModel(swapped_atoms_, atoms_));
}

Bounded DiscreteModel::largest_loss() const {
  double most = 0, low = 0, high = 0;  // some loss is >= 0
  for (const Atom& atom : atoms_->shared) {
    most = std::max(most, atom.loss);
    low = std::max(low, numerics::next_down(atom.loss - atom.loss_error));
    high = std::max(high, atom.loss_error == 0 ? atom.loss : numerics::next_up(atom.loss + atom.loss_error));
  }
  return to_bounded(most, std::max(high - most, most - low));
}

Bounded DiscreteModel::renyi(double z) const {
  if (atoms_->never_meet()) return exactly(infinity);
  if (atoms_->are_one_law()) return exactly(0);
  if (atoms_->p_only > 0 && z >= 0) return exactly(infinity);
  if (std::isinf(z)) return largest_loss();
  const double most = discrete_file::largest_exponent(*atoms_, z);
  if (most > discrete_file::large_exponent) return discrete_file::by_logarithm(*atoms_, z, most);
  const discrete_file::Sum s = discrete_file::centred_moment(*atoms_, z);
  const long double moment = 1 + z * s.value;
  if (moment < 0.25L) return discrete_file::by_logarithm(*atoms_, z, most);
  const long double value = z == 0 ? s.value : std::log1p(z * s.value) / z;
  // The error of D is at most that of the losses, which is the better estimate where z times their errors is not small.
  const bool linear = z * s.largest_loss_error < 0.01;
  const long double through_losses = linear ? 1.05L * s.through_losses / moment : s.largest_loss_error;
  return to_bounded(value, 1.05L * s.rounding / moment + through_losses + 4 * long_epsilon * value);
}

// Returns the sum over losses above epsilon of p (1 - exp(epsilon - l)).
Bounded DiscreteModel::hockey_stick(double epsilon) const {
  if (atoms_->are_one_law()) return exactly(0);
  long double value = atoms_->p_only, error = 4 * unit_roundoff * atoms_->p_only;
  if (value > 0) error += std::numeric_limits<double>::denorm_min();
  if (std::isinf(epsilon)) return to_bounded(value, error);
  for (const Atom& atom : atoms_->shared) {
    const double excess = atom.loss - epsilon;
    const double off = atom.loss_error + unit_roundoff * std::abs(excess);
    if (excess < -off) continue;
    const double term = -std::expm1(-std::max(excess, 0.0));
    value += static_cast<long double>(atom.p.value) * term;
    error += atom.p.value * (8 * unit_roundoff * term + off) + std::numeric_limits<double>::denorm_min();
  }
  error += static_cast<long double>(atoms_->shared.size() + 1) * long_epsilon * value;
  return to_bounded(value, error);
}

// Uses ln(1 + (p-q)/q) where p and q are close: their gap then has full relative accuracy.
Loss loss_of(double p, double q, double gap) {
  double value = 0;
  if (p > q / 2 && p / 2 < q) {
    value = std::log1p(gap / q);
  } else if (std::isnormal(p / q)) {
    value = std::log(p / q);
  } else {
    value = std::log(p) - std::log(q);
    return {value, 4 * unit_roundoff * (std::abs(std::log(p)) + std::abs(std::log(q)))};
  }
  return {value, 6 * unit_roundoff * std::abs(value)};
}

// Tables of probabilities, and Bernoulli distributions, as atoms.
namespace discrete_file {
namespace {

using Total = numerics::CompensatedSum;

Total checked_total(const std::string& field, const std::vector<double>& masses, Normalize normalize) {
  Total total;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    if (!(masses[i] >= 0) || std::isinf(masses[i])) {
      throw InvalidArgument(fmt::format("{}[{}]", field, i), fmt::format("{}", masses[i]),
                            "a finite number of at least 0");
    }
    total.add(masses[i]);
  }
  const double sum = total.value();
  if (normalize == Normalize::yes && !(sum > 0 && std::isfinite(sum))) {
    throw InvalidArgument(field, fmt::format("numbers with the sum {}", sum), "a finite sum above 0");
  }
  constexpr double tolerance = 1e-9;
  if (normalize == Normalize::no && !(std::abs((total.high() - 1) + total.low()) <= tolerance)) {
    throw InvalidArgument(field, fmt::format("numbers with the sum {}", sum),
                          fmt::format("a sum of 1 within {}, or ask to normalize", tolerance));
  }
  return total;
}

// Mass that the other distribution lacks decides whether a divergence is finite, so it stays positive where the
// quotient underflows.
double share_of(const Total& part, const Total& whole) {
  if (part.value() == 0) return 0;
  return std::max(part.value() / whole.value(), std::numeric_limits<double>::denorm_min());
}

// Returns ln(part/whole) by one logarithm, so that its error is a few units, not units of ln(whole). Below the normal
// numbers a quotient has no accuracy, and each of the two logarithms used instead is at most about as large as their
// difference.
double log_share(double part, double whole) {
  const double share = part / whole;
  return std::isnormal(share) ? std::log(share) : std::log(part) - std::log(whole);
}

Atom atom_of(double p, const Loss& loss) { return {numerics::Mass::of(p), loss.value, loss.error}; }

// Returns ln of the ratio of the sums. The sums themselves may have an error of n^2 units squared.
Loss loss_of_sums(const std::vector<double>& p, const Total& p_total, const std::vector<double>& q,
                  const Total& q_total) {
  const double gap = (p_total.high() - q_total.high()) + (p_total.low() - q_total.low());
  const Loss loss = loss_of(p_total.value(), q_total.value(), gap);
  const bool is_exact = gap == 0 && ((p_total.is_exact() && q_total.is_exact()) || p == q);
  const auto n = static_cast<double>(p.size());
  return is_exact ? Loss{} : Loss{loss.value, loss.error + 2 * (n * unit_roundoff) * (n * unit_roundoff)};
}

// Returns the distributions proportional to p and q: their loss is ln(p/q) less ln of the sums' ratio, so that sums of
// 1 + 1e-17 do no harm.
Atoms proportional(const std::vector<double>& p, const Total& p_total, const std::vector<double>& q,
                   const Total& q_total) {
  const Loss of_sums = loss_of_sums(p, p_total, q, q_total);
  const double whole = p_total.value();
  Atoms atoms;
  Total p_only, q_only;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] > 0 && q[i] > 0) {
      const Loss raw = loss_of(p[i], q[i], p[i] - q[i]);
      const double loss = raw.value - of_sums.value;
      const double rounding = of_sums.value == 0 ? 0 : unit_roundoff * std::abs(loss);
      atoms.shared.push_back({{p[i] / whole, log_share(p[i], whole)}, loss, raw.error + of_sums.error + rounding});
    } else {
      p_only.add(p[i]);
      q_only.add(q[i]);
    }
  }
  atoms.p_only = share_of(p_only, p_total);
  atoms.q_only = share_of(q_only, q_total);
  return atoms;
}

// The outcomes are 1 and 0. The second gap is q - p exactly, where (1-p) - (1-q) would have rounded.
Atoms two_outcomes(double p, double q) {
  Atoms atoms;
  const auto add = [&](double a, double b, double gap) {
    if (a > 0 && b > 0) {
      atoms.shared.push_back(atom_of(a, loss_of(a, b, gap)));
    } else {
      atoms.p_only += a;
      atoms.q_only += b;
    }
  };
  add(p, q, p - q);
  add(1 - p, 1 - q, q - p);
  return atoms;
}

void check_probability(const std::string& field, double value) {
  if (value >= 0 && value <= 1) return;
  throw InvalidArgument(field, fmt::format("{}", value), "a probability, from 0 to 1");
}

}  // namespace
}  // namespace discrete_file
}  // namespace divergence_detail

DistributionPair DistributionPair::bernoulli(double p, double q) {
  using namespace divergence_detail;
  discrete_file::check_probability("p", p);
  discrete_file::check_probability("q", q);
  return DistributionPair(
      std::make_shared<DiscreteModel>(discrete_file::two_outcomes(p, q), discrete_file::two_outcomes(q, p)));
}

DistributionPair DistributionPair::discrete(const std::vector<double>& p, const std::vector<double>& q,
                                            Normalize normalize) {
  using namespace divergence_detail;
  if (p.empty()) throw InvalidArgument("p", "no numbers", "at least one");
  if (q.size() != p.size()) {
    throw InvalidArgument("q", fmt::format("{} numbers", q.size()),
                          fmt::format("{} numbers, as many as p has", p.size()));
  }
  const discrete_file::Total p_total = discrete_file::checked_total("p", p, normalize),
                             q_total = discrete_file::checked_total("q", q, normalize);
  return DistributionPair(std::make_shared<DiscreteModel>(discrete_file::proportional(p, p_total, q, q_total),
                                                          discrete_file::proportional(q, q_total, p, p_total)));
}

}  // namespace renyi
