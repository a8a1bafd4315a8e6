// Tables of probabilities, and Bernoulli laws, as atoms.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "divergence/atoms.h"
#include "divergence/discrete_model.h"
#include "numerics/rounding.h"
#include "renyi/divergence.h"
#include "renyi/error.h"

namespace renyi {
namespace divergence_detail {

using numerics::unit_roundoff;

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

// A sum with what its roundings left behind (Neumaier's compensation).
struct Total {
  double high = 0;
  double low = 0;

  void add(double x) {
    const double next = high + x;
    low += std::abs(high) >= x ? (high - next) + x : (x - next) + high;
    high = next;
  }
};

Total checked_total(const std::string& field, const std::vector<double>& masses, Normalize normalize) {
  Total total;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    if (!(masses[i] >= 0) || std::isinf(masses[i])) {
      throw InvalidArgument(fmt::format("{}[{}]", field, i), fmt::format("{}", masses[i]),
                            "a finite number of at least 0");
    }
    total.add(masses[i]);
  }
  const double sum = std::isinf(total.high) ? total.high : total.high + total.low;
  if (normalize == Normalize::yes && !(sum > 0 && std::isfinite(sum))) {
    throw InvalidArgument(field, fmt::format("numbers with the sum {}", sum), "a finite sum above 0");
  }
  constexpr double tolerance = 1e-9;
  if (normalize == Normalize::no && !(std::abs((total.high - 1) + total.low) <= tolerance)) {
    throw InvalidArgument(field, fmt::format("numbers with the sum {}", sum),
                          fmt::format("a sum of 1 within {}, or ask to normalize", tolerance));
  }
  return total;
}

// Mass that the other law lacks decides whether a divergence is finite: it stays positive where the quotient
// underflows.
double share_of(const Total& part, const Total& whole) {
  if (part.high == 0) return 0;
  return std::max(part.high / whole.high, std::numeric_limits<double>::denorm_min());
}

Atom atom_of(double p, const Loss& loss) { return {p, std::log(p), loss.value, loss.error}; }

// The laws proportional to p and q: ln(p/q) less ln of the sums' ratio, so that sums of 1 + 1e-17 do no harm.
Atoms proportional(const std::vector<double>& p, Total p_total, const std::vector<double>& q, Total q_total) {
  const auto n = static_cast<double>(p.size());
  const Loss of_sums = loss_of(p_total.high, q_total.high, (p_total.high - q_total.high) + (p_total.low - q_total.low));
  Atoms atoms;
  Total p_only, q_only;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] > 0 && q[i] > 0) {
      const Loss raw = loss_of(p[i], q[i], p[i] - q[i]);
      const double loss = raw.value - of_sums.value;
      const double error = raw.error + of_sums.error + unit_roundoff * (n * n * unit_roundoff);
      atoms.shared.push_back({p[i] / p_total.high, std::log(p[i]) - std::log(p_total.high), loss,
                              of_sums.value == 0 ? raw.error : error + unit_roundoff * std::abs(loss)});
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
