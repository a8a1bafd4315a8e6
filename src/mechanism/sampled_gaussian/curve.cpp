#include "mechanism/sampled_gaussian/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanism/sampled_gaussian/decay.h"
#include "mechanism/sampled_gaussian/quadrature.h"
#include "mechanism/sampled_gaussian/statistics.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::sampled_gaussian {

namespace {

// Steps with few significant bits make every node x = j h exact.
double with_few_bits(double step) {
  int exponent = 0;
  const double fraction = std::frexp(step, &exponent);
  return std::ldexp(std::floor(fraction * 256) / 256, exponent);
}

// Node indices stay below this, so that j h is exact.
constexpr double most_nodes = 0x1p40;
// Exponents of r^(-z) stay below this, so that adding those of the Gaussian is not
// lost in rounding.
constexpr double largest_exponent = 1e12;

// A sum less accurate than this is done again with half the step.
constexpr double sufficient_accuracy = 2e-11;
constexpr int most_refinements = 3;

// Beyond this many refinements bounds on the decay come from the far zone alone.
constexpr int most_decay_refinements = 6;

}  // namespace

SampledGaussianCurve::SampledGaussianCurve(double sampling_rate, double noise_multiplier)
    : params_(sampling_rate, noise_multiplier),
      base_step_(with_few_bits(sufficient_step(params_, 0, Direction::remove))) {}

const Lattice& SampledGaussianCurve::lattice(int level) const {
  const auto i = static_cast<std::size_t>(level);
  std::call_once(made_[i],
                 [&] { lattices_[i] = std::make_unique<const Lattice>(params_, std::ldexp(base_step_, -level)); });
  return *lattices_[i];
}

int SampledGaussianCurve::level_for(double imaginary, Direction direction) const {
  const double ratio = base_step_ / sufficient_step(params_, imaginary, direction);
  const int level = std::max(0, static_cast<int>(std::ceil(std::log2(ratio))));
  if (level + most_refinements < levels) return level;
  throw Unsupported("z", fmt::format("imaginary part {} needs a finer lattice than there is", imaginary),
                    "use a smaller imaginary part");
}

bool SampledGaussianCurve::within_lattice(double z, Direction direction) const {
  return direction == Direction::remove ? z < most_nodes * base_step_ : -z * params_.log_1mq <= largest_exponent;
}

// Direction add: K(z)/z increases (K is convex, K(0) = 0) towards the largest loss.
LogMoment SampledGaussianCurve::far_out_add(double z) const {
  const double largest_loss = -params_.log_1mq, nearest = 0.5 * largest_exponent / largest_loss;
  const LogMoment known = real_at(nearest, Direction::add);
  const double lower = (known.value - known.error) / nearest * z, upper = largest_loss * z;
  LogMoment k;
  k.value = 0.5 * (lower + upper);
  k.error = 0.5 * (upper - lower) + 8 * numerics::unit_roundoff * upper;
  k.slope = largest_loss;
  k.slope_error = largest_loss - std::max(0.0, known.slope - known.slope_error);
  return k;
}

// Orders beyond the lattice (above 1e12 or so), direction remove: by
// convexity of r -> r^a, with E = a (a-1)/(2 s^2),
//     a ln q + E <= K <= ln((1-q) + q exp(E)).
LogMoment SampledGaussianCurve::far_out_remove(double z) const {
  const double a = z + 1, e = a * z * params_.inv_2s2;
  const double upper = e + params_.log_q + std::log1p((1 - params_.q) / params_.q * std::exp(-e));
  const double lower = std::max(0.0, e + a * params_.log_q);
  LogMoment k;
  k.value = 0.5 * (lower + upper);
  k.error = 0.5 * (upper - lower) + 16 * numerics::unit_roundoff * (e + a * std::abs(params_.log_q));
  k.slope = (2 * z + 1) * params_.inv_2s2 + params_.log_q;
  k.slope_error = std::abs(params_.log_q);
  k.curvature = 2 * params_.inv_2s2;
  return k;
}

LogMoment SampledGaussianCurve::real_at(double z, Direction direction) const {
  if (!within_lattice(z, direction)) return direction == Direction::remove ? far_out_remove(z) : far_out_add(z);
  const int level = level_for(0, direction);
  LogMoment k;
  for (int i = 0; i <= most_refinements; ++i) {
    k = moment_on(lattice(level + i), z, direction);
    if (k.error <= sufficient_accuracy * k.value) return k;
  }
  if (std::isfinite(k.value) && std::isfinite(k.error)) return k;  // sound, if wider than usual
  throw NotConverged(fmt::format("sampled-gaussian curve at order {}, sampling_rate {}, noise_multiplier {}", z + 1,
                                 params_.q, params_.s));
}

ComplexLogMoment SampledGaussianCurve::complex_at(std::complex<double> z, Direction direction) const {
  if (!within_lattice(z.real(), direction)) {
    throw Unsupported("z", fmt::format("real part {} lies beyond the lattice", z.real()), "use a smaller one");
  }
  const int level = level_for(z.imag(), direction);
  SummedMoment k;
  for (int i = 0; i <= most_refinements; ++i) {
    k = moment_on(lattice(level + i), z, direction);
    if (k.step_error <= sufficient_accuracy) break;
  }
  if (std::isfinite(k.value.real()) && std::isfinite(k.value.imag()) && std::isfinite(k.error)) {
    return {k.value, k.error};
  }
  throw NotConverged(fmt::format("sampled-gaussian curve at z = {}{:+}i, sampling_rate {}, noise_multiplier {}",
                                 z.real(), z.imag(), params_.q, params_.s));
}

// D_a <= a/(2 s^2), the divergence without sampling (quasi-convexity), and D_a/a tends to it.
Growth SampledGaussianCurve::growth() const { return {0, params_.inv_2s2 * (1 + 4 * numerics::unit_roundoff)}; }

double SampledGaussianCurve::log_decay_beyond(double c, double y, Direction direction) const {
  if (!within_lattice(c, direction)) return 0;
  return far_decay(decay_sums(lattice(level_for(0, direction)), c, y, direction), y);
}

double SampledGaussianCurve::log_decay(double c, double y, Direction direction) const {
  if (!within_lattice(c, direction)) return 0;
  const int level = level_for(0, direction);
  const double far = log_decay_beyond(c, y, direction);
  // Buckets of the loss have to hold several nodes: finer lattices until they do.
  for (int i = 0; i <= most_decay_refinements; ++i) {
    const DecaySums sums = decay_sums(lattice(level + i), c, y, direction);
    if (sums.resolved || i == most_decay_refinements) return std::min(far, near_decay(sums, y));
  }
  return far;
}

Bounded SampledGaussianCurve::chernoff_at(double a, Direction direction) const {
  return chernoff_on(lattice(level_for(0, direction)), a, direction);
}

Cumulants SampledGaussianCurve::cumulants_at(Direction direction) const {
  const LogMoment at_zero = real_at(0, direction);
  return cumulants_on(lattice(level_for(0, direction)), {at_zero.slope, at_zero.slope_error}, direction);
}

Bounded SampledGaussianCurve::max_loss_at(Direction direction) const {
  if (direction == Direction::remove) return {std::numeric_limits<double>::infinity(), 0};
  return {-params_.log_1mq, -2 * numerics::unit_roundoff * params_.log_1mq};
}

}  // namespace renyi::sampled_gaussian
