// Tables of probabilities, and Bernoulli laws, as atoms.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "divergence/atoms.h"
#include "divergence/discrete_model.h"
#include "numerics/compensated.h"
#include "numerics/rounding.h"
#include "renyi/divergence.h"
#include "renyi/error.h"

namespace renyi {
namespace divergence_detail {

using numerics::unit_roundoff;
using Total = numerics::CompensatedSum;

// ln(1 + (p-q)/q) where p and q are close: their gap then has full relative accuracy.
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

namespace {

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

// Mass that the other law lacks decides whether a divergence is finite: it stays positive where the quotient
// underflows.
double share_of(const Total& part, const Total& whole) {
  if (part.value() == 0) return 0;
  return std::max(part.value() / whole.value(), std::numeric_limits<double>::denorm_min());
}

// Of one logarithm, so that its error is a few units, not units of ln(whole). Below the normal numbers a quotient has
// no accuracy, and each logarithm is at most about as large as their difference.
double log_share(double part, double whole) {
  const double share = part / whole;
  return std::isnormal(share) ? std::log(share) : std::log(part) - std::log(whole);
}

Atom atom_of(double p, const Loss& loss) { return {numerics::Mass::of(p), loss.value, loss.error}; }

// ln of the ratio of the sums. The sums themselves may be off by n^2 units squared.
Loss loss_of_sums(const std::vector<double>& p, const Total& p_total, const std::vector<double>& q,
                  const Total& q_total) {
  const double gap = (p_total.high() - q_total.high()) + (p_total.low() - q_total.low());
  const Loss loss = loss_of(p_total.value(), q_total.value(), gap);
  const bool is_exact = gap == 0 && ((p_total.is_exact() && q_total.is_exact()) || p == q);
  const auto n = static_cast<double>(p.size());
  return is_exact ? Loss{} : Loss{loss.value, loss.error + 2 * (n * unit_roundoff) * (n * unit_roundoff)};
}

// The laws proportional to p and q: ln(p/q) less ln of the sums' ratio, so that sums of 1 + 1e-17 do no harm.
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

// Outcomes 1 and 0. The second gap is q - p exactly, where (1-p) - (1-q) would have rounded.
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
}  // namespace divergence_detail

DistributionPair DistributionPair::bernoulli(double p, double q) {
  using namespace divergence_detail;
  check_probability("p", p);
  check_probability("q", q);
  return DistributionPair(std::make_shared<DiscreteModel>(two_outcomes(p, q), two_outcomes(q, p)));
}

DistributionPair DistributionPair::discrete(const std::vector<double>& p, const std::vector<double>& q,
                                            Normalize normalize) {
  using namespace divergence_detail;
  if (p.empty()) throw InvalidArgument("p", "no numbers", "at least one");
  if (q.size() != p.size()) {
    throw InvalidArgument("q", fmt::format("{} numbers", q.size()),
                          fmt::format("{} numbers, as many as p has", p.size()));
  }
  const Total p_total = checked_total("p", p, normalize), q_total = checked_total("q", q, normalize);
  return DistributionPair(
      std::make_shared<DiscreteModel>(proportional(p, p_total, q, q_total), proportional(q, q_total, p, p_total)));
}

}  // namespace renyi
