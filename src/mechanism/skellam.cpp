// Skellam noise, the difference of two Poisson variables, on a query that answers with a whole number (Agarwal,
// Kairouz, Liu 2021; docs/math/discrete-noise.md).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <numbers>
#include <vector>

#include "mechanism/lattice_pair.h"
#include "mechanism/law.h"
#include "mechanism/model.h"
#include "mechanism/references.h"
#include "mechanism/table.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/mechanism.h"

namespace renyi::mechanism {

namespace skellam_file {
namespace {

using divergence_detail::Atoms;
using numerics::unit_roundoff;

// The masses exp(-v) I_n(v) of the difference of two Poisson variables of mean v/2, and how they fall from each n to
// the next (docs/math/discrete-noise.md, "Skellam"): from a table where n is small, and one by one beyond it, because
// large orders ask for few masses at millions. Immutable.
class SkellamMasses {
 public:
  explicit SkellamMasses(double variance);

  // Returns the logarithm of the mass at a whole n >= 0.
  double log_mass(double n) const;
  // Returns ln(I_{n-1}/I_n) > 0 for a whole n >= 1, with a relative error of a few units.
  double fall(double n) const;

 private:
  bool is_listed(double n) const { return n < static_cast<double>(falls_.size()); }

  long double variance_;
  std::vector<double> log_masses_;  // [n]: at n = 0, 1, ...
  std::vector<double> falls_;       // [n]; that of 0 is not used
};

// The size of the table. Beyond it the expansion has no error, in units of rounding, and all masses that lists of atoms
// contain are in it.
std::size_t entries_for(double v) { return static_cast<std::size_t>(std::max(45 * std::sqrt(v) + 400, 32768.0)); }

// r_n = I_n/I_{n-1} = 1/(2n/v + r_{n+1}), computed downwards from far above: an error at n+1 shrinks by r_n^2, so that
// any start in (0, 1) will do where the product of all r_n^2 above is below rounding.
SkellamMasses::SkellamMasses(double v) : variance_(v) {
  const std::size_t last = entries_for(v), start = last + static_cast<std::size_t>(12 * std::sqrt(v)) + 60;
  std::vector<long double> ratio(start + 2, 0);
  const auto above = static_cast<long double>(start) + 1;
  ratio[start + 1] = variance_ / (above + std::sqrt(above * above + variance_ * variance_));
  for (std::size_t n = start; n >= 1; --n) ratio[n] = 1 / (2 * static_cast<long double>(n) / variance_ + ratio[n + 1]);
  // The masses add up to 1: the mass of 0 is 1/(1 + 2 r_1 + 2 r_1 r_2 + ...).
  long double total = 1, power = 1;
  for (std::size_t n = 1; n <= start; ++n) total += 2 * (power *= ratio[n]);
  long double log_mass = -std::log(total);
  log_masses_.reserve(last + 1);
  falls_.reserve(last + 1);
  for (std::size_t n = 0; n <= last; ++n) {
    const long double fall = n == 0 ? 0 : -std::log(ratio[n]);
    log_mass -= fall;
    log_masses_.push_back(static_cast<double>(log_mass));
    falls_.push_back(static_cast<double>(fall));
  }
}

// The same recurrence from 16 above: beyond the table r_n is below 1/6, and 6^-32 is below rounding.
double SkellamMasses::fall(double n) const {
  if (is_listed(n)) return falls_[static_cast<std::size_t>(n)];
  constexpr int above = 16;
  const long double first = static_cast<long double>(n) + above;
  long double ratio = variance_ / (first + std::sqrt(first * first + variance_ * variance_));
  for (int i = above - 1; i >= 0; --i) ratio = 1 / (2 * (static_cast<long double>(n) + i) / variance_ + ratio);
  return static_cast<double>(-std::log(ratio));
}

// I_n(v) = exp(w + n ln(v/(n + w))) / sqrt(2 pi w) (1 + U_1(t)/n + U_2(t)/n^2 + ...), w = sqrt(n^2 + v^2), t = n/w:
// DLMF 10.41.3. Beyond the table U_3/n^3 is below 1e-14 and U_4/n^4 below 1e-18.
double SkellamMasses::log_mass(double n) const {
  if (is_listed(n)) return log_masses_[static_cast<std::size_t>(n)];
  const auto at = static_cast<long double>(n);
  const long double v = variance_, w = std::sqrt(at * at + v * v), t = at / w, tt = t * t;
  const long double first = t * (3 - 5 * tt) / 24, second = tt * (81 + tt * (-462 + 385 * tt)) / 1152,
                    third = t * tt * (30375 + tt * (-369603 + tt * (765765 - 425425 * tt))) / 414720;
  const long double rest = (first + (second + third / at) / at) / at;
  const long double leading =
      w - v - at * std::log((at + w) / v) - 0.5L * std::log(2 * std::numbers::pi_v<long double> * w);
  return static_cast<double>(leading + std::log1p(rest));
}

// The curve of the pair of the noise and the same noise shifted by an integer distance (docs/math/discrete-noise.md,
// "Skellam"), by sums over the integers.
class SkellamCurve final : public SummedCurve, public NoisePair {
 public:
  SkellamCurve(double variance, double distance) : variance_(variance), distance_(distance), masses_(variance) {}

  bool is_symmetric() const override { return true; }
  Law law() const override { return AtomicLoss{.curve = this, .lattice = this}; }
  bool is_listed() const override { return true; }
  Growth growth() const override;
  std::vector<Outcome> outcomes() const override;
  double log_left_out() const override;

 private:
  LogMoment real_at(double z, Direction direction) const override;
  Bounded max_loss_at(Direction direction) const override;

  std::shared_ptr<const DiscreteCurve> near(double z, bool thinned) const override;
  std::shared_ptr<const DiscreteCurve> whole() const override;
  double log_missing() const override { return log_left_out(); }

  Outcome outcome(double x) const override;
  double peak(double order) const override;
  double stride() const override;

  LogMoment far_out(double z) const;
  double reach() const;  // half-width of the list of atoms

  double variance_;
  double distance_;
  SkellamMasses masses_;
  mutable std::once_flag summed_last_;
  mutable LogMoment last_;  // K at the last order that is summed
};

constexpr double infinity = std::numeric_limits<double>::infinity();
// Masses below exp(-this) are omitted from lists.
constexpr double listed = 780;
// Beyond this z, K is bounded instead of summed.
constexpr double last_summed = 1.1e5;

// Both directions are the same.
std::shared_ptr<const DiscreteCurve> curve_of(const std::vector<LatticePair::Outcome>& outcomes) {
  Atoms atoms;
  for (const auto& o : outcomes) {
    const double log_p = o.log_q + o.loss;
    atoms.shared.push_back({numerics::Mass::of_log(log_p), o.loss, o.loss_error});
  }
  return std::make_shared<DiscreteCurve>(divergence_detail::DiscreteModel(atoms, atoms));
}

// Uses the bound of far_out below at every order, by taking it at the next whole order.
Growth SkellamCurve::growth() const {
  const double rho = distance_ * distance_ / (2 * variance_), rest = 1.5 * distance_ / variance_;
  return {(rho + rest) * (1 + 1e-14), rho * (1 + 1e-14)};
}

LogMoment SkellamCurve::real_at(double z, Direction direction) const {
  return z > last_summed ? far_out(z) : SummedCurve::real_at(z, direction);
}

// D_a <= a D^2/(2v) + 3D/(2v) at whole orders (Agarwal, Kairouz, Liu 2021, Theorem 3.5), used here at the next whole
// order, because D_a never falls; K is convex, so that it lies above every prolonged chord.
LogMoment SkellamCurve::far_out(double z) const {
  std::call_once(summed_last_, [this] { last_ = SummedCurve::real_at(last_summed, Direction::remove); });
  const LogMoment& last = last_;
  const double rho = distance_ * distance_ / (2 * variance_), rest = 1.5 * distance_ / variance_;
  const double upper = z * ((z + 2) * rho + rest) * (1 + 1e-14);
  const double lower = (last.value - last.error) / last_summed * z * (1 - 1e-14);
  // The slope is not smaller than at last_summed, and not larger than the rise up to 2z divided by z.
  const double steepest = 2 * ((2 * z + 2) * rho + rest) * (1 + 1e-14), flattest = last.slope - last.slope_error;
  return {0.5 * (lower + upper), 0.5 * (upper - lower) * (1 + 1e-14), 0.5 * (flattest + steepest),
          0.5 * (steepest - flattest) * (1 + 1e-14), last.curvature};
}

Bounded SkellamCurve::max_loss_at(Direction) const { return {infinity, 0}; }

std::shared_ptr<const DiscreteCurve> SkellamCurve::near(double z, bool thinned) const {
  return curve_of(nodes(z, 1, thinned));
}

std::shared_ptr<const DiscreteCurve> SkellamCurve::whole() const { return curve_of(outcomes()); }

// The loss ln(I_|x-D|/I_|x|) is a sum of falls, all of one sign.
LatticePair::Outcome SkellamCurve::outcome(double x) const {
  const double a = std::abs(x), b = std::abs(x - distance_);
  double l = 0;
  for (double n = std::min(a, b) + 1; n <= std::max(a, b); ++n) l += masses_.fall(n);
  return {masses_.log_mass(a), a > b ? l : -l, (8 + 2 * distance_) * unit_roundoff * l, masses_.log_mass(b)};
}

// I_x falls by about asinh(x/v) at x. P^order Q^(1-order) is largest where
//     order asinh((x-D)/v) = (order-1) asinh(x/v); below 1/2 by symmetry.
double SkellamCurve::peak(double order) const {
  if (order < 0.5) return distance_ - peak(1 - order);
  const auto too_low = [&](double x) {
    return order * std::asinh((x - distance_) / variance_) < (order - 1) * std::asinh(x / variance_);
  };
  double low = 0.5 * distance_, high = distance_ + 1;
  while (too_low(high)) high *= 2;
  while (high - low > 0.25 && high - low > 1e-12 * high)
    (too_low(0.5 * (low + high)) ? low : high) = 0.5 * (low + high);
  return high;
}

// The stride is that for a Gaussian of the same variance; further out the masses are smoother still.
double SkellamCurve::stride() const {
  return std::max(1.0, std::floor(std::min(std::sqrt(variance_) / 5, variance_ / (10 * distance_))));
}

double SkellamCurve::reach() const {
  double n = std::ceil(35 * std::sqrt(variance_)) + 200;
  while (masses_.log_mass(n) > -listed) n *= 1.25, n = std::ceil(n);
  return n;
}

// Masses fall faster and faster: sum over n > R of p(n) <= p(R)/(exp(fall at R) - 1).
double SkellamCurve::log_left_out() const {
  const double last = reach();
  return masses_.log_mass(last) - std::log(std::expm1(masses_.fall(last))) + 1e-6;
}

std::vector<LatticePair::Outcome> SkellamCurve::outcomes() const {
  std::vector<Outcome> all;
  const double r = reach();
  for (double x = -r; x <= distance_ + r; ++x) all.push_back(outcome(x));
  return all;
}

constexpr double largest_sensitivity = 16;

struct Skellam {
  double variance = 10;
  double sensitivity = 1;

  static constexpr std::string_view kind = "skellam";
  static constexpr std::string_view summary = "Skellam noise (a difference of two Poisson variables) on a whole number";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&Skellam::variance, &Skellam::sensitivity};
  static Notes notes();
  static constexpr bool is_additive_noise = true;
  std::optional<Skellam> for_group(double size) const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const Skellam&) const = default;
};

std::span<const Parameter> Skellam::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "variance",
       .meaning = "variance of the noise: each Poisson variable has half of it",
       .lowest = 0.1,
       .highest = 1e4,
       .effect = Effect::lowers_cost},
      {.name = "sensitivity",
       .meaning = "how far one record moves the query, a whole number",
       .lowest = 1,
       .highest = largest_sensitivity,
       .whole = true,
       .effect = Effect::raises_cost},
  }};
  return table;
}

std::shared_ptr<const Curve> Skellam::curve() const { return std::make_shared<SkellamCurve>(variance, sensitivity); }

// Along a chain of neighbours the distances add (triangle inequality).
std::optional<Skellam> Skellam::for_group(double size) const {
  if (!(sensitivity * size <= largest_sensitivity)) return std::nullopt;
  return Skellam{variance, sensitivity * size};
}

Notes Skellam::notes() {
  return {.relation = "any; the sensitivity is stated for it (of a sampled step: for the presence of one record)",
          .exact = "everything, for one number, at orders up to 110000",
          .bound = "beyond that order, by the published bound",
          .references = {reference::agarwal2021}};
}

}  // namespace
}  // namespace skellam_file

}  // namespace renyi::mechanism

namespace renyi {

Mechanism table::skellam() { return mechanism::made(mechanism::skellam_file::Skellam{}); }

}  // namespace renyi
