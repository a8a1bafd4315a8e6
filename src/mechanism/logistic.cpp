// Logistic noise, with density 1/(4 s cosh(x/2s)^2), on a query that is one number (docs/math/logistic-noise.md). With
// e = sensitivity/scale, exp(L/2) is uniform on [exp(-e/2), exp(e/2)]. The loss is distributed as that of the
// dominating pair of all steps of bounded range e, so both have the same curve.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "mechanism/bounded_range.h"
#include "mechanism/curve.h"
#include "mechanism/law.h"
#include "mechanism/model.h"
#include "mechanism/monotone/pairs_curve.h"
#include "mechanism/table.h"
#include "numerics/decimal_arithmetic.h"
#include "numerics/rounding.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace logistic_file {
namespace {

using monotone::PairPoint;
using numerics::unit_roundoff;

constexpr Reference vinterbo2022{
    "vinterbo2022",
    "Vinterbo 2022, Differential privacy for symmetric log-concave mechanisms (arXiv:2202.11393v3): noise on one "
    "number. "
    "That version withdraws its Lemma 8 and Theorem 9, on several numbers, which are not used here",
    R"(@inproceedings{vinterbo2022,
  author = {Vinterbo, Staal A.},
  title = {Differential Privacy for Symmetric Log-Concave Mechanisms},
  booktitle = {International Conference on Artificial Intelligence and Statistics (AISTATS)},
  year = {2022},
  eprint = {2202.11393}
})"};

constexpr Reference awan_dong2022{
    "awandong2022",
    "Awan, Dong 2022, Log-concave and multivariate canonical noise distributions for differential privacy "
    "(arXiv:2206.04572): why noise should be log-concave",
    R"(@inproceedings{awandong2022,
  author = {Awan, Jordan and Dong, Jinshuo},
  title = {Log-Concave and Multivariate Canonical Noise Distributions for Differential Privacy},
  booktitle = {Advances in Neural Information Processing Systems (NeurIPS)},
  year = {2022},
  eprint = {2206.04572}
})"};

// ln of the density at y, in units of the scale, and ln of the mass above y.
double log_density(double y) { return -std::abs(y) - 2 * std::log1p(std::exp(-std::abs(y))); }
double log_above(double y) {
  const double value = -std::max(y, 0.0) - std::log1p(std::exp(-std::abs(y)));
  return std::min(0.0, value + 1e-12 + 4e-16 * std::abs(value));
}

// The noise Q, and P, the noise shifted by e, in units of the scale.
class LogisticPair final : public monotone::MonotonePair {
 public:
  LogisticPair(double e, const Bounded& largest)
      : MonotonePair(monotone::Reading::symmetric), e_(e), largest_(largest), tanh_(std::tanh(0.25 * e)) {}

  // (ln q)' = -tanh(y/2), between -1 and 1.
  PairPoint at(double y) const override {
    const double moved = y - e_, of_q = -std::tanh(0.5 * y), of_p = -std::tanh(0.5 * moved);
    PairPoint point{.log_q = log_density(y), .log_p = log_density(moved), .up = 1 - of_q, .down = of_p - 1};
    point.base = of_q + point.down;
    point.rise = rise(y);
    point.log_q_error = unit_roundoff * (4 + 4 * std::abs(point.log_q));
    point.log_p_error = unit_roundoff * (4 + 4 * std::abs(point.log_p) + 4 * e_);
    // l = 4 atanh(tanh(y/2 - e/4) tanh(e/4)); near its ends it is computed as the difference of the logarithms.
    const double product = std::tanh(0.5 * y - 0.25 * e_) * tanh_;
    if (std::abs(product) < 0.5) {
      point.loss = 4 * std::atanh(product);
      point.loss_error = unit_roundoff * (16 * std::abs(point.loss) + 4 * tanh_ * (std::abs(y) + e_));
    } else {
      point.loss = std::abs(y) - std::abs(moved) +
                   2 * (std::log1p(std::exp(-std::abs(y))) - std::log1p(std::exp(-std::abs(moved))));
      point.loss_error = unit_roundoff * (16 + 4 * std::abs(y) + 8 * e_);
    }
    return point;
  }

  // y = e/2 + ln sinh((e+l)/4) - ln sinh((e-l)/4)
  double x_at(double loss) const override {
    if (std::abs(loss) >= e_) return loss > 0 ? last() : first();
    return 0.5 * e_ + 0.5 * loss + std::log(std::expm1(-0.5 * (e_ + loss)) / std::expm1(-0.5 * (e_ - loss)));
  }

  Bounded largest_loss() const override { return largest_; }
  Bounded largest_fall() const override { return largest_; }

  double scale() const override { return 1; }
  double zero() const override { return 0.5 * e_; }

  double log_q_above(double y) const override { return log_above(y); }
  double log_q_below(double y) const override { return log_above(-y); }
  double log_p_above(double y) const override { return log_above(y - e_); }
  double log_p_below(double y) const override { return log_above(e_ - y); }

  // Beyond the centres both densities fall by exp(-1) per unit, and the loss approaches its limit at the same rate.
  double lowest(double power) const override { return -reach(power); }
  double highest(double power) const override { return e_ + reach(power); }
  double largest_z(Direction) const override { return 1e12 / largest_.upper(); }
  monotone::FarOut far_out(double z, Direction) const override { return {0, numerics::next_up(z * largest_.upper())}; }
  Growth growth() const override { return {largest_.upper(), 0}; }
  bool remove_is_larger() const override { return true; }  // both are the same
  bool can_be_mixed() const override { return true; }

 private:
  static double reach(double power) { return 80 + std::log(2 + 2 * std::abs(power)); }
  // tanh(y/2) - tanh((y-e)/2) = sinh(e/2) / (cosh(y/2) cosh((y-e)/2)).
  double rise(double y) const {
    const double a = std::abs(y), b = std::abs(y - e_);
    return -2 * std::expm1(-e_) * std::exp(0.5 * (e_ - a - b)) / ((1 + std::exp(-a)) * (1 + std::exp(-b)));
  }

  double e_;
  Bounded largest_;
  double tanh_;  // tanh(e/4)
};

class LogisticCurve final : public mechanism::BoundedRangePair {
 public:
  explicit LogisticCurve(const Quotient& e)
      : BoundedRangePair(e.numerator / e.denominator, Knowledge::loss),
        written_(e),
        pairs_({{1, std::make_shared<LogisticPair>(e.numerator / e.denominator, supremum())}}, Knowledge::loss) {}

  std::optional<Quotient> max_loss_quotient(Direction) const override { return written_; }
  mechanism::Law law() const override { return mechanism::RevealedPairs{&pairs_}; }

 private:
  Bounded supremum() const override { return numerics::decimal_quotient(written_); }

  Quotient written_;
  monotone::PairsCurve pairs_;
};

struct Logistic {
  double scale = 1;
  double sensitivity = 1;

  static constexpr std::string_view kind = "logistic";
  static constexpr std::string_view summary = "logistic noise on a query that is one number";
  static std::span<const Parameter> parameters() {
    static constexpr std::array<Parameter, 2> table{{
        {.name = "scale",
         .meaning = "scale of the noise, whose standard deviation is pi/sqrt(3) times as large",
         .lowest = 1e-2,
         .highest = 1e10,
         .effect = Effect::lowers_cost},
        {.name = "sensitivity",
         .meaning = "how far one record moves the query",
         .lowest = 1e-9,
         .highest = 1e4,
         .fallback = 1.0,
         .effect = Effect::raises_cost},
    }};
    return table;
  }
  static constexpr auto fields = std::tuple{&Logistic::scale, &Logistic::sensitivity};
  static constexpr bool is_additive_noise = true;

  std::shared_ptr<const Curve> curve() const { return std::make_shared<LogisticCurve>(Quotient{sensitivity, scale}); }

  // Along a chain of neighbours the distances add.
  std::optional<Logistic> for_group(double size) const {
    const double grown = mechanism::grown(sensitivity, size);
    if (!parameters()[1].allows(grown)) return std::nullopt;
    return Logistic{scale, grown};
  }

  static Notes notes() {
    return {.relation = "any; the sensitivity is stated for it (of a sampled step: for the presence of one record)",
            .exact = "everything, where some pair of neighbours is as far apart as the sensitivity",
            .bound = "",
            .references = {vinterbo2022, awan_dong2022}};
  }

  bool operator==(const Logistic&) const = default;
};

}  // namespace
}  // namespace logistic_file

Mechanism table::logistic() { return mechanism::made(logistic_file::Logistic{}); }

}  // namespace renyi
