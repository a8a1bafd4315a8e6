#include "noise/poisson.h"

#include <algorithm>
#include <cmath>

#include "noise/stirling.h"

namespace renyi::noise {

using certify::Ball;

namespace poisson_file {
namespace {

// Stirling's series is used at k + shift.
constexpr int shift = 16;

// The zero bits that the tier of fixed cost counts.
constexpr int most_zeros = 63;

// Parameters are no secret: this is enough for all of them.
constexpr long setup_bits = 256;

Ball log_factorial(std::int64_t k) {
  Ball result;
  const Ball argument = Ball(k) + Ball(1);
  arb_lgamma(result.raw(), argument.raw(), certify::Precision::bits());
  return result;
}

}  // namespace
}  // namespace poisson_file

Poisson::Poisson(double mean, double widening)
    : mean_(mean), widening_(widening), mode_(static_cast<std::int64_t>(std::floor(mean))) {
  unit_ = std::ldexp(1.0, -std::ilogb(static_cast<double>(mode_ + poisson_file::shift)));
  choose_cells();
  at_mode_ = exponent(mode_);
  bound_costs();
}

Ball Poisson::log_ratio_to_mode(std::int64_t k) const {
  return poisson_file::log_factorial(mode_) - poisson_file::log_factorial(k) + Ball(k - mode_) * log(Ball(mean_));
}

int Poisson::proven_fall(std::int64_t w) const {
  Ball ratio = log_ratio_to_mode(mode_ + w);
  if (mode_ >= w) ratio = max(ratio, log_ratio_to_mode(mode_ - w));
  int fall = 0;
  while (fall < 20 && surely_at_most(ratio + Ball(fall + 1) * log(Ball(2)), Ball(0))) ++fall;
  return fall;
}

void Poisson::choose_cells() {
  // The envelope has the mass 2 w/(1 - 2^-c) in units of f(m); it is least for a w of one or two standard deviations.
  const certify::Precision bits(poisson_file::setup_bits);
  const int middle = std::max(0, std::ilogb(std::sqrt(mean_)));
  double least = std::numeric_limits<double>::infinity();
  for (int power = middle; power <= middle + 3; ++power) {
    const int fall = proven_fall(std::int64_t{1} << static_cast<unsigned>(power));
    if (fall == 0) continue;
    const double mass = std::ldexp(1.0, power) / (1 - std::ldexp(1.0, -fall));
    if (mass >= least) continue;
    least = mass;
    width_bits_ = static_cast<unsigned>(power);
    fall_ = fall;
  }
  fall_reciprocal_ = 65536 / static_cast<std::uint64_t>(fall_) + 1;
}

void Poisson::bound_costs() {
  const certify::Precision bits(poisson_file::setup_bits);
  const Ball mass = exp(Ball(mode_) * log(Ball(mean_)) - Ball(mean_) - poisson_file::log_factorial(mode_));
  const double width = std::ldexp(1.0, static_cast<int>(width_bits_));
  const double sides = mode_ > 0 ? 2 : 1;
  constexpr double upwards = 1 + 0x1p-30;
  attempts_ = mass.upper().about() * sides * width / (1 - std::ldexp(1.0, -fall_)) * upwards;
  // The largest error of an exponent for |k - m| <= reach: see exponent().
  const int last_cell = poisson_file::most_zeros / fall_;
  const double reach = (last_cell + 1.0) * width;
  const double most = static_cast<double>(mode_) + poisson_file::shift + reach;
  const double left = 1.04 * (reach + 2), right = (most + 0.5) * std::log1p((most - mean_) / mean_) * upwards;
  const double error =
      2 * (64 * dd_u2 * (left + right + (reach + poisson_file::shift + 2) + 1001) + 512 * dd_u2) + widening_;
  // A first word of zeros, or an undecided comparison: the width of the enclosure, and the two units of is_below.
  slow_probability_ = attempts_ * (0x1p-64 + 2.1 * error + 41 * dd_u2 + 0x1p-120);
}

Poisson::Exponent Poisson::exponent(std::int64_t k) const {
  // With K = k + 16 and the product P of (k + 1)/U, ..., K/U, U a power of two near m + 16: up to a constant,
  // -log f(k) = (K + 1/2) log(K/mean) - (K - mean) + R(K) - log P, where R is the remainder of Stirling's formula.
  const auto first = static_cast<double>(k);
  const double shifted = first + poisson_file::shift;
  const DoubleDouble deviance = DoubleDouble(shifted + 0.5) * log_ratio(shifted, mean_);
  const DoubleDouble difference = two_sum(shifted, -mean_);
  DoubleDouble product = (first + 1) * unit_;
  for (int i = 2; i <= poisson_file::shift; ++i) product = product * DoubleDouble((first + i) * unit_);
  const DoubleDouble log_product = log(product);
  const DoubleDouble value = ((deviance - difference) + stirling_remainder(shifted)) - log_product;
  const double size = std::abs(deviance.high) + std::abs(difference.high) + std::abs(log_product.high) + 1;
  return {value, 64 * dd_u2 * size};
}

Fraction Poisson::acceptance(const Candidate& candidate) const {
  if (candidate.is_far) return {0, ~Wide{0}};
  // A negative number has no mass: the exponent is that of 0, and then 200, at which a fraction of 128 bits is 0.
  const std::int64_t sign = candidate.value >> 63U;
  const Exponent here = exponent(candidate.value & ~sign);
  constexpr DoubleDouble ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
  const auto halvings = static_cast<double>(candidate.cell * fall_);
  const DoubleDouble gamma = (here.value - at_mode_.value) - DoubleDouble(halvings) * ln2;
  const double error = here.error + at_mode_.error + 8 * dd_u2 * halvings + widening_;
  return exp_minus_fraction(selected(sign != 0, DoubleDouble(200), gamma), error);
}

Ball Poisson::acceptance_ball(const Candidate& candidate) const {
  if (candidate.value < 0) return Ball(0);
  return exp(log_ratio_to_mode(candidate.value) + Ball(candidate.cell * fall_) * log(Ball(2)));
}

}  // namespace renyi::noise
