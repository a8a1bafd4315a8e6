// Computes the nodes x + i eta and the sums over them (docs/math/privacy-loss.md, "Shifted nodes").
#include "mechanism/sampled_gaussian/shifted_nodes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "mechanism/sampled_gaussian/kernels.h"
#include "mechanism/sampled_gaussian/order.h"
#include "numerics/exponentials.h"
#include "numerics/rounding.h"

namespace renyi::sampled_gaussian {

namespace shifted_nodes_file {
namespace {

using std::numbers::pi;

// The rule's error is exp(-steps_in_shift) of the tilted mass.
constexpr double steps_in_shift = 38;
// The window reaches this many deviations beyond the peaks.
constexpr double reach = 9.5;
constexpr double most_nodes = 4096;
// Weights below this are left out.
constexpr double negligible = 1e-18;
// The weights add up to 1; a window that missed some of them is refused.
constexpr double missing_mass = 1e-10;
// The sums over even and odd nodes agree to this.
constexpr double most_coarse = 1e-6;
constexpr double largest_exponent = 600;
// Factors below exp(-most_damped) are left out.
constexpr double most_damped = 45;
// The upper bound is a sum over nodes of positive terms; it is raised by this share.
constexpr double margin = 1e-6;
// Roundings of one term besides those of its weight: rotations, sine, cosine and exponential, additions.
constexpr double term_noise = 6 * static_cast<double>(most_rotations) + 24;

}  // namespace
}  // namespace shifted_nodes_file

ShiftedNodes::ShiftedNodes(const Params& params, double c, Direction direction, double log_mass, double angle)
    : offset_(params.log_1mq), direction_(direction) {
  using shifted_nodes_file::pi;
  const double s = params.s, s2 = s * s, eta = angle * s2, power = power_of(c, direction);
  const double step = 2 * pi * eta / shifted_nodes_file::steps_in_shift;
  const Peaks peaks = peaks_of(params, c, direction);
  const double left = std::min(peaks.left, 0.0) - shifted_nodes_file::reach * s;
  const double right = std::max({1.0, peaks.right, peaks.upper.value_or(0)}) + shifted_nodes_file::reach * s;
  if (!(right - left < shifted_nodes_file::most_nodes * step)) return;
  const double log_weight = std::log(step / s) - 0.5 * std::log(2 * pi) - log_mass + power * offset_;
  const double log_odds = params.log_q - params.log_1mq;
  std::complex<double> total[2];
  double turned_back = 0;
  const auto first = static_cast<std::int64_t>(std::floor(left / step)),
             last = static_cast<std::int64_t>(std::ceil(right / step));
  for (std::int64_t j = first; j <= last; ++j) {
    const double x = static_cast<double>(j) * step, exponent = (2 * x - 1) * params.inv_2s2 + log_odds;
    if (exponent > shifted_nodes_file::largest_exponent) {
      turn_.clear();
      return;
    }
    const std::complex<double> loss = numerics::log1p(std::polar(std::exp(exponent), angle));
    const double bell = (x * x - eta * eta) * params.inv_2s2, log_size = log_weight - bell + power * loss.real();
    const double size = std::exp(log_size);
    if (!(size > shifted_nodes_file::negligible)) continue;
    const std::complex<double> weight = std::polar(size, power * loss.imag() - x * angle);
    total[j & 1] += weight;
    mass_ += size;
    // The exponent's rounding moves the loss by at most min(1, u) times it, u = exp(exponent).
    const double of_loss = std::abs(loss) + std::min(1.0, std::exp(exponent)) * (2 + std::abs(exponent));
    const double terms = std::abs(bell) + std::abs(power) * of_loss + std::abs(x * angle) + std::abs(log_mass) +
                         std::abs(power * offset_);
    noise_ += size * (16 + 4 * terms);
    turn_.push_back(loss.real());
    damp_.push_back(loss.imag());
    size_.push_back(size);
    re_.push_back(weight.real());
    im_.push_back(weight.imag());
    turned_back = std::max(turned_back, damp_.size() > 1 ? damp_[damp_.size() - 2] - damp_.back() : 0.0);
  }
  const double coarse = std::abs(total[0] - total[1]);
  step_error_ = 1e-14 + 4 * coarse * coarse;
  const bool is_whole = std::abs(total[0] + total[1] - 1.0) < shifted_nodes_file::missing_mass;
  if (!is_whole || !(coarse < shifted_nodes_file::most_coarse) || turned_back > 0) turn_.clear();
}

double ShiftedNodes::decay_beyond(double y) const {
  double total = 0;
  for (std::size_t i = 0; i < size_.size(); ++i) {
    const double damped = y * damp_[i];
    if (damped > shifted_nodes_file::most_damped) break;
    total += size_[i] * std::exp(-damped);
  }
  total += mass_ * std::exp(-shifted_nodes_file::most_damped);
  const double bound = (1 + shifted_nodes_file::margin) * total + step_error_;
  return empty() || !(bound < 1) ? 0 : std::log(bound);
}

std::size_t ShiftedNodes::alive(double y) const {
  const double most = shifted_nodes_file::most_damped / y;
  return static_cast<std::size_t>(std::upper_bound(damp_.begin(), damp_.end(), most) - damp_.begin());
}

// With D = Im l and R = Re l, terms are damped by exp(-y D), so that the rounding of the phases y R is at most
// y R exp(-y D) <= (R/D)/e of each weight.
void ShiftedNodes::phis(double first, double step, std::span<Value> values) const {
  const std::size_t n = alive(first);
  std::array<std::complex<double>, most_rotations> sums;
  damped_phase_sums({turn_.data(), damp_.data(), re_.data(), im_.data(), n}, first, step, {sums.data(), values.size()});
  const double turns = n > 0 ? turn_[n - 1] / damp_[n - 1] : 0;
  const double noise = noise_ + mass_ * (shifted_nodes_file::term_noise + additions(n) + 4 * (1 + std::abs(turns)));
  const double error =
      noise * numerics::unit_roundoff + mass_ * std::exp(-shifted_nodes_file::most_damped) + step_error_;
  for (std::size_t j = 0; j < values.size(); ++j) {
    const double y = first + static_cast<double>(j) * step;
    const std::complex<double> phi = std::polar(1.0, y * offset_) * sums[j];
    values[j] = {direction_ == Direction::remove ? phi : std::conj(phi),
                 error + (4 + 2 * y * std::abs(offset_)) * numerics::unit_roundoff * std::abs(phi)};
  }
}

}  // namespace renyi::sampled_gaussian
