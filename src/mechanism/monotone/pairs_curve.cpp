#include "mechanism/monotone/pairs_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "mechanism/curve.h"
#include "mechanism/monotone/line.h"
#include "mechanism/monotone/moments.h"
#include "numerics/exponentials.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::monotone {

using numerics::unit_roundoff;

namespace pairs_curve_file {
namespace {

// Allowed rounding error of the sum of all weights.
constexpr double weight_rounding = 1e-9;

std::vector<WeightedPair> checked(std::vector<WeightedPair> components) {
  double total = 0;
  for (const WeightedPair& c : components) {
    if (!(c.weight > 0 && c.weight <= 1)) {
      throw InvalidArgument("weight", fmt::format("{}", c.weight), "a number in (0, 1]");
    }
    if (!c.pair) throw InvalidArgument("pair", "none", "a pair of laws");
    if (c.other && !(c.pair->is_symmetric() && c.other->is_symmetric())) {
      throw InvalidArgument("pair", "a one-sided one", "two symmetric pairs, of which each gives one half");
    }
    total += c.weight;
  }
  if (components.empty() || !(total <= 1 + weight_rounding)) {
    throw InvalidArgument("weights", fmt::format("{}", total), "at least one, with a sum of at most 1");
  }
  return components;
}

// A vertical line on which every point takes a quadrature of each component, where nodes cannot serve the whole line.
class PairsLine final : public mechanism::PointwiseLine {
 public:
  PairsLine(const Curve& curve, double c, Direction direction, std::size_t components)
      : PointwiseLine(curve, c, direction), cost_(1e4 * static_cast<double>(components)) {}

  double cost(double) const override { return cost_; }

 private:
  double cost_;
};

}  // namespace
}  // namespace pairs_curve_file

std::vector<PairPart> parts_of(const std::vector<WeightedPair>& components, Direction direction) {
  std::vector<PairPart> parts;
  for (const WeightedPair& c : components) {
    if (!c.other) {
      parts.push_back({c.weight, c.pair});
      continue;
    }
    const bool removes = direction == Direction::remove;
    parts.push_back({c.weight, removes ? c.pair : c.other, Side::rising});
    parts.push_back({c.weight, removes ? c.other : c.pair, Side::falling});
  }
  return parts;
}

PairsCurve::PairsCurve(std::vector<WeightedPair> components, Knowledge knowledge)
    : components_(pairs_curve_file::checked(std::move(components))), knowledge_(knowledge) {}

bool PairsCurve::is_symmetric() const {
  return std::all_of(components_.begin(), components_.end(),
                     [](const auto& c) { return c.pair->is_symmetric() && !c.other; });
}

std::optional<Direction> PairsCurve::larger_direction() const {
  const bool remove = std::all_of(components_.begin(), components_.end(), [](const WeightedPair& c) {
    return !c.other && (c.pair->is_symmetric() || c.pair->remove_is_larger());
  });
  return remove ? std::optional(Direction::remove) : std::nullopt;
}

// K <= the largest of the components' curves, which are all convex and 0 at 0.
Growth PairsCurve::growth() const {
  Growth most;
  for (const WeightedPair& c : components_) {
    const Growth g = c.pair->growth();
    most = {std::max(most.xi, g.xi), std::max(most.rho, g.rho)};
  }
  return most;
}

double PairsCurve::largest_z(Direction direction) const {
  double z = std::numeric_limits<double>::infinity();
  for (const PairPart& part : parts_of(components_, direction)) z = std::min(z, part.pair->largest_z(direction));
  return z;
}

LogMoment PairsCurve::real_at(double z, Direction direction) const {
  if (z > largest_z(direction)) return far_out(z, direction);
  try {
    return summed(z, direction);
  } catch (const NotConverged&) {  // thousands of narrow peaks: a large group under little noise
    return bounded(z, direction, {});
  }
}

namespace pairs_curve_file {
namespace {

// Components whose moments are together below this share of the sum are charged as an error instead of computed.
constexpr double log_negligible = -43;

// A component, and ln of a bound on the derivative of its weighted moment M = E[exp(zL)] with respect to z: M is
// convex, so that M' <= (M(z + d) - 1)/d. M - 1 is at most z times as much.
struct BoundedComponent {
  const WeightedPair* component = nullptr;
  double log_bound = 0;
};

// Returns the components by falling bounds; none has a bound if they are few.
std::vector<BoundedComponent> by_bound(const std::vector<WeightedPair>& components, double z, Direction direction) {
  constexpr std::size_t few = 3;
  const double d = 1e-3 + 1e-2 * z;
  std::vector<BoundedComponent> all;
  for (const WeightedPair& c : components) {
    double log_bound = std::numeric_limits<double>::infinity();
    if (components.size() > few) {
      const double k = c.pair->far_out(z + d, direction).upper + 8 * unit_roundoff;
      log_bound = std::log(c.weight) + (k < 1 ? std::log(std::expm1(k)) : k) - std::log(d) + 1e-9 * (1 + k);
    }
    all.push_back({&c, log_bound});
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.log_bound > y.log_bound; });
  return all;
}

// A sum of moments times exp(-shift), the shift being the largest of all terms.
struct MomentSum : RealMoment {
  std::size_t terms = 0;

  void add(double weight, const RealMoment& m) {
    const double scale = std::exp(std::min(0.0, shift - m.shift));
    const double factor = weight * std::exp(std::min(0.0, m.shift - shift));
    for (double RealMoment::*member :
         {&RealMoment::value, &RealMoment::error, &RealMoment::slope, &RealMoment::slope_error, &RealMoment::curvature})
      this->*member = this->*member * scale + factor * (m.*member);
    shift = std::max(shift, m.shift);
    ++terms;
  }
};

}  // namespace
}  // namespace pairs_curve_file

LogMoment PairsCurve::summed(double z, Direction direction) const {
  const auto components = pairs_curve_file::by_bound(components_, z, direction);
  pairs_curve_file::MomentSum sum;
  for (std::size_t i = 0; i < components.size(); ++i) {
    for (const PairPart& part : parts_of({*components[i].component}, direction))
      sum.add(part.weight, real_moment(*part.pair, z, direction, part.side));
    if (i + 1 == components.size()) break;
    const double log_rest = components[i + 1].log_bound + std::log(static_cast<double>(components.size() - i - 1));
    const double least = std::log(z > 0 ? std::min(sum.slope, sum.value / z) : sum.slope) + sum.shift;
    if (log_rest < least + pairs_curve_file::log_negligible) {
      const double rest = std::exp(log_rest - sum.shift);
      sum.slope_error += rest;
      sum.error += z * rest;
      break;
    }
  }
  const double shift = sum.shift;
  const double unscale = std::exp(-shift), whole = sum.value + unscale;
  const double rounding = (8 + 2 * static_cast<double>(sum.terms)) * unit_roundoff;
  LogMoment k;
  k.value = shift == 0 ? std::log1p(sum.value) : shift + std::log(whole);
  k.error = sum.error / whole + rounding * k.value;
  k.slope = sum.slope / whole;
  k.slope_error = sum.slope_error / whole + k.slope * (sum.error / whole + 2 * rounding);
  k.curvature = std::max(0.0, sum.curvature / whole - k.slope * k.slope);
  if (std::isfinite(k.value) && std::isfinite(k.error) && std::isfinite(k.slope) && std::isfinite(k.slope_error)) {
    return k;
  }
  throw NotConverged(fmt::format("the curve of sampled pairs at order {}", z + 1));
}

ComplexLogMoment PairsCurve::complex_at(std::complex<double> z, Direction direction) const {
  if (knowledge_ == Knowledge::orders) throw Unsupported("z", "the curve is known at real orders only", "use a real z");
  if (!(z.real() <= largest_z(direction))) {
    throw Unsupported("z", fmt::format("real part {} is beyond summation", z.real()), "use a smaller one");
  }
  const std::vector<PairPart> parts = parts_of(components_, direction);
  std::vector<ComplexMoment> moments;
  double shift = 0;
  for (const PairPart& part : parts) {
    moments.push_back(complex_moment(*part.pair, z, direction, part.side));
    shift = std::max(shift, moments.back().shift);
  }
  ComplexMoment sum;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    const double weight = parts[i].weight * std::exp(moments[i].shift - shift);
    sum.value += weight * moments[i].value;
    sum.error += weight * moments[i].error;
  }
  const double unscale = std::exp(-shift), modulus = std::abs(sum.value + unscale);
  const std::complex<double> value = shift == 0 ? numerics::log1p(sum.value) : shift + std::log(sum.value + unscale);
  // |ln(1 + d)| <= 2 |d| for |d| <= 1/2.
  const double off = sum.error / modulus, error = 2 * off + 8 * unit_roundoff * std::abs(value);
  if (off < 0.5 && std::isfinite(error) && std::isfinite(value.imag())) return {value, error};
  throw NotConverged(fmt::format("the curve of sampled pairs at z = {}{:+}i", z.real(), z.imag()));
}

Bounded PairsCurve::max_loss_at(Direction direction) const {
  Bounded most;
  for (const WeightedPair& c : components_) {
    const bool falls = direction == Direction::add && !c.pair->is_symmetric();
    const Bounded loss = falls ? c.pair->largest_fall() : c.pair->largest_loss();
    if (loss.upper() > most.upper()) most = loss;
  }
  return most;
}

std::unique_ptr<const VerticalLine> PairsCurve::line_at(double c, Direction direction) const {
  if (!(c > largest_z(direction))) {
    if (auto line = node_line(parts_of(components_, direction), c, direction, real_at(c, direction))) return line;
  }
  return std::make_unique<pairs_curve_file::PairsLine>(*this, c, direction, components_.size());
}

// The curve where no quadrature converges: bounds that hold at every order.
namespace pairs_curve_file {
namespace {

// For smaller z, bounds are derived from those at this z.
constexpr double least_z = 1e-6;
// Slopes are those of chords of this length, relative to z.
constexpr double chord = 1e-3;

// Bounds K of the revealed mixture: it is at most the largest K of its components, and at least K of any one
// component plus ln of its weight.
FarOut bounds_of(const std::vector<WeightedPair>& components, double z, Direction direction) {
  FarOut all;
  for (const WeightedPair& c : components) {
    const FarOut one = c.pair->far_out(z, direction);
    all.upper = std::max(all.upper, one.upper);
    all.lower = std::max(all.lower, one.lower + std::log(c.weight));
  }
  all.lower = std::min(all.lower, all.upper);
  return all;
}

}  // namespace
}  // namespace pairs_curve_file

LogMoment PairsCurve::far_out(double z, Direction direction) const {
  const double nearest = 0.5 * largest_z(direction);
  const LogMoment known = real_at(nearest, direction);
  const double scale = z / nearest * (1 - 8 * unit_roundoff);
  // K is convex and 0 at 0: K(z)/z and K' rise.
  return bounded(z, direction, {(known.value - known.error) * scale, known.slope - known.slope_error});
}

LogMoment PairsCurve::bounded(double z, Direction direction, const Minimum& known) const {
  if (z < pairs_curve_file::least_z) {
    // K(z) <= z/t K(t) and K'(z) <= (K(2t) - K(t))/t for z <= t; K'(0) <= K(t)/t.
    const double share = z / pairs_curve_file::least_z,
                 value =
                     0.5 * pairs_curve_file::bounds_of(components_, pairs_curve_file::least_z, direction).upper * share;
    const double slope = 0.5 *
                         pairs_curve_file::bounds_of(
                             components_, z == 0 ? pairs_curve_file::least_z : 2 * pairs_curve_file::least_z, direction)
                             .upper /
                         pairs_curve_file::least_z;
    return {value, value * (1 + 8 * unit_roundoff), slope, slope * (1 + 8 * unit_roundoff), 0};
  }
  FarOut here = pairs_curve_file::bounds_of(components_, z, direction);
  here.lower = std::min(here.upper, std::max(here.lower, known.value));
  // K'(z) >= K(z)/z, and chords on both sides bound it.
  const double step = pairs_curve_file::chord * z;
  const double before = pairs_curve_file::bounds_of(components_, z - step, direction).upper;
  const double after = pairs_curve_file::bounds_of(components_, z + step, direction).upper;
  const double least = std::max({here.lower / z, known.slope, (here.lower - before) / step});
  const double most = std::max(least, (after - here.lower) / step);
  LogMoment k;
  k.value = 0.5 * (here.lower + here.upper);
  k.error = 0.5 * (here.upper - here.lower) + 8 * unit_roundoff * here.upper;
  k.slope = 0.5 * (least + most);
  k.slope_error = 0.5 * (most - least) + 32 * unit_roundoff / pairs_curve_file::chord * most;
  k.curvature = 2 * growth().rho;
  return k;
}

// The distribution of the loss: divergences of orders below 1, and cumulants.

Bounded PairsCurve::chernoff_at(double a, Direction direction) const {
  Bounded lost;
  for (const WeightedPair& c : components_) {
    const Bounded part = lost_at(*c.pair, a, direction);
    lost.value += c.weight * part.value;
    lost.error += c.weight * (part.error + 8 * unit_roundoff * part.value);
  }
  const double kept = 1 - lost.value, error = lost.error / kept;
  if (!(kept > 0 && error < 0.5)) throw NotConverged(fmt::format("the divergence of sampled pairs at order {}", a));
  const double value = -std::log1p(-lost.value);
  return {value, 2 * error + 4 * unit_roundoff * value};
}

Cumulants PairsCurve::cumulants_at(Direction direction) const {
  const LogMoment at_zero = summed(0, direction);
  const double mean = at_zero.slope, d = at_zero.slope_error;
  double rest = 1;
  CentralMoments all;
  for (const WeightedPair& c : components_) {
    const CentralMoments part = central_moments(*c.pair, mean, direction);
    rest -= c.weight;
    all.second += c.weight * part.second;
    all.second_error += c.weight * (part.second_error + 4 * unit_roundoff * part.second);
    all.third += c.weight * part.third;
    all.third_error += c.weight * (part.third_error + 4 * unit_roundoff * std::abs(part.third));
  }
  rest = std::max(0.0, rest);
  // With the mean off by d, E(L-m)^2 is off by d^2 and E(L-m)^3 by 3 d variance + d^3.
  return {.mean = mean,
          .mean_error = d,
          .variance = all.second + rest * mean * mean,
          .variance_error = all.second_error + d * d,
          .third = all.third - rest * mean * mean * mean,
          .third_error = all.third_error + 3 * d * (all.second + d * d)};
}

}  // namespace renyi::monotone
