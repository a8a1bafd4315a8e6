#include "conversion/infinite_loss.h"

#include <algorithm>
#include <cmath>

#include "numerics/rounding.h"

namespace renyi::conversion {

using numerics::next_down;
using numerics::next_up;

namespace infinite_loss_file {
namespace {

constexpr double few_roundings = 8 * numerics::unit_roundoff;

struct Shift {
  double lower = 0;
  double upper = 0;
};

// ln(1-d) of a mass in [lower, upper]; -infinity where the mass may be 1.
Shift log_rest(const Bounded& mass) {
  const double most = std::min(1.0, mass.upper()), least = std::min(1.0, mass.lower());
  const double low = std::log1p(-most), high = std::log1p(-least);
  return {low * (1 + few_roundings), high * (1 - few_roundings)};
}

}  // namespace
}  // namespace infinite_loss_file

InfiniteLoss infinite_loss_of(const Curve& curve, Direction direction) {
  const Bounded mass = curve.infinite_mass(direction), other = curve.infinite_mass(opposite(direction));
  InfiniteLoss infinite_loss{
      .lower = std::min(1.0, mass.lower()), .upper = std::min(1.0, mass.upper()), .exists = mass.value > 0};
  if (curve.is_symmetric() || infinite_loss.is_certain()) return infinite_loss;
  const infinite_loss_file::Shift own = infinite_loss_file::log_rest(mass),
                                  theirs = infinite_loss_file::log_rest(other);
  infinite_loss.shift_lower = own.lower - theirs.upper;
  infinite_loss.shift_upper = own.upper - theirs.lower;
  if (infinite_loss.shift_lower == infinite_loss.shift_upper) return infinite_loss;
  infinite_loss.shift_lower = next_down(infinite_loss.shift_lower);
  infinite_loss.shift_upper = next_up(infinite_loss.shift_upper);
  return infinite_loss;
}

double InfiniteLoss::with_lower(double x) const {
  if (x == 0) return lower;
  return std::clamp(next_down((lower + (1 - lower) * x) * (1 - infinite_loss_file::few_roundings)), 0.0, 1.0);
}

double InfiniteLoss::with_upper(double x) const {
  if (x == 0) return upper;
  return std::min(1.0, next_up((upper + (1 - upper) * x) * (1 + infinite_loss_file::few_roundings)));
}

double InfiniteLoss::remaining_delta_lower(double delta) const {
  if (upper == 0 || delta < upper) return delta - upper;
  if (upper == 1) return 0;
  return (delta - upper) / (1 - upper) * (1 - infinite_loss_file::few_roundings);
}

double InfiniteLoss::remaining_delta_upper(double delta) const {
  if (lower == 0 || delta < lower) return delta - lower;
  if (lower == 1) return 1;
  return std::min(1.0, (delta - lower) / (1 - lower) * (1 + infinite_loss_file::few_roundings));
}

// Every term is at least 0: -expm1(-e), and exp(-e) times `other`.
double delta_at_negative_epsilon_lower(double e, double other) {
  return std::max(0.0, next_down((-std::expm1(-e) + std::exp(-e) * other) * (1 - infinite_loss_file::few_roundings)));
}

double delta_at_negative_epsilon_upper(double e, double other) {
  return std::min(1.0, next_up((-std::expm1(-e) + std::exp(-e) * other) * (1 + infinite_loss_file::few_roundings)));
}

}  // namespace renyi::conversion
