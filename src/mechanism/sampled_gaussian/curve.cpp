#include "mechanism/sampled_gaussian/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanism/curve.h"
#include "mechanism/sampled_gaussian/line.h"
#include "mechanism/sampled_gaussian/quadrature.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::sampled_gaussian {

namespace curve_file {
namespace {

// Node indices stay below this, so that j h is exact.
constexpr double most_nodes = 0x1p40;
// Exponents of r^(-z) stay below this, so that the exponent of the Gaussian is not lost in rounding when it is added.
constexpr double largest_exponent = 1e12;

// A sum less accurate than this is computed again with half the step.
constexpr double sufficient_accuracy = 2e-11;
constexpr int most_refinements = 3;

}  // namespace
}  // namespace curve_file

SampledGaussianCurve::SampledGaussianCurve(double sampling_rate, double noise_multiplier, Knowledge knowledge)
    : params_(sampling_rate, noise_multiplier), knowledge_(knowledge), lattices_(params_) {}

int SampledGaussianCurve::level_for(double imaginary, Direction direction) const {
  const int level = std::max(0, static_cast<int>(std::ceil(lattices_.levels_needed(imaginary, direction))));
  if (level + curve_file::most_refinements < Lattices::levels) return level;
  throw Unsupported("z", fmt::format("imaginary part {} needs a finer lattice than there is", imaginary),
                    "use a smaller imaginary part");
}

bool SampledGaussianCurve::within_lattice(double z, Direction direction) const {
  return direction == Direction::remove ? z < curve_file::most_nodes * lattices_.base_step()
                                        : -z * params_.log_1mq <= curve_file::largest_exponent;
}

// Direction add, where the sum is beyond the range of doubles (rates close to 0 at huge orders): 0 <= K <= z times the
// largest loss.
LogMoment SampledGaussianCurve::at_most_the_loss(double z) const {
  const double largest_loss = -params_.log_1mq * (1 + 8 * numerics::unit_roundoff), half = 0.5 * z * largest_loss;
  return {.value = half, .error = half, .slope = 0.5 * largest_loss, .slope_error = 0.5 * largest_loss};
}

// Direction add: K(z)/z increases (K is convex, K(0) = 0) towards the largest loss.
LogMoment SampledGaussianCurve::far_out_add(double z) const {
  const double largest_loss = -params_.log_1mq, nearest = 0.5 * curve_file::largest_exponent / largest_loss;
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
  if (const auto known = memory_.find(z, direction)) return *known;
  const LogMoment k = summed(z, direction);
  memory_.keep(z, direction, k);
  return k;
}

LogMoment SampledGaussianCurve::summed(double z, Direction direction) const {
  if (!within_lattice(z, direction)) return direction == Direction::remove ? far_out_remove(z) : far_out_add(z);
  const int level = lattices_.real_level(direction);
  LogMoment k;
  for (int i = 0; i <= curve_file::most_refinements; ++i) {
    k = moment_on(lattices_[level + i], z, direction);
    if (k.error <= curve_file::sufficient_accuracy * k.value) return k;
  }
  if (std::isfinite(k.value) && std::isfinite(k.error)) return k;  // a valid bound, although wider than usual
  if (direction == Direction::add) return at_most_the_loss(z);
  throw NotConverged(fmt::format("sampled-gaussian curve at order {}, sampling_rate {}, noise_multiplier {}", z + 1,
                                 params_.q, params_.s));
}

ComplexLogMoment SampledGaussianCurve::complex_at(std::complex<double> z, Direction direction) const {
  if (!within_lattice(z.real(), direction)) {
    throw Unsupported("z", fmt::format("real part {} lies beyond the lattice", z.real()), "use a smaller one");
  }
  const int level = level_for(z.imag(), direction);
  SummedMoment k;
  for (int i = 0; i <= curve_file::most_refinements; ++i) {
    k = moment_on(lattices_[level + i], z, direction);
    if (k.step_error <= curve_file::sufficient_accuracy) break;
  }
  if (std::isfinite(k.value.real()) && std::isfinite(k.value.imag()) && std::isfinite(k.error)) {
    return {k.value, k.error};
  }
  throw NotConverged(fmt::format("sampled-gaussian curve at z = {}{:+}i, sampling_rate {}, noise_multiplier {}",
                                 z.real(), z.imag(), params_.q, params_.s));
}

// D_a <= a/(2 s^2), the divergence without sampling (quasi-convexity), and D_a/a tends to it.
Growth SampledGaussianCurve::growth() const { return {0, params_.inv_2s2 * (1 + 4 * numerics::unit_roundoff)}; }

std::unique_ptr<const VerticalLine> SampledGaussianCurve::line_at(double c, Direction direction) const {
  if (!within_lattice(c, direction)) return std::make_unique<mechanism::PointwiseLine>(*this, c, direction);
  return std::make_unique<Line>(lattices_, c, direction, real_at(c, direction));
}

Bounded SampledGaussianCurve::chernoff_at(double a, Direction direction) const {
  return chernoff_on(lattices_[lattices_.real_level(direction)], a, direction);
}

Cumulants SampledGaussianCurve::cumulants_at(Direction direction) const {
  const LogMoment at_zero = real_at(0, direction);
  return cumulants_on(lattices_[lattices_.real_level(direction)], {at_zero.slope, at_zero.slope_error}, direction);
}

Bounded SampledGaussianCurve::max_loss_at(Direction direction) const {
  if (direction == Direction::remove) return {std::numeric_limits<double>::infinity(), 0};
  return {-params_.log_1mq, -2 * numerics::unit_roundoff * params_.log_1mq};
}

}  // namespace renyi::sampled_gaussian
