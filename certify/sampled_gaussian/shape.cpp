#include "certify/sampled_gaussian/shape.h"

#include <cmath>

namespace renyi::certify {
namespace shape_file {
namespace {

// Finds the solution of x = e share(x) closest to `from`, an endpoint of the interval between 0 and e.
double peak_from(const SampledGaussian& m, double e, double from) {
  double x = from;
  for (int i = 0; i < 200; ++i) {
    const double next = e * share_about(m, x);
    if (std::abs(next - x) < 1e-3 * m.noise_multiplier) break;
    x = next;
  }
  return x;
}

// For e < 0 there is one peak, and x = e share(x) has one solution.
double only_peak(const SampledGaussian& m, double e) {
  double low = e;
  double high = 0;
  for (int i = 0; i < 60; ++i) {
    const double x = (low + high) / 2;
    (x < e * share_about(m, x) ? low : high) = x;
  }
  return low;
}

}  // namespace
}  // namespace shape_file

double loss_about(const SampledGaussian& m, double x) {
  const double u = (2 * x - 1) / (2 * m.noise_multiplier * m.noise_multiplier);
  if (u < 30) return std::log1p(m.sampling_rate * std::expm1(u));
  const double shifted = std::log(m.sampling_rate) + u;
  const double rest = std::log1p(-m.sampling_rate);
  return shifted > rest ? shifted + std::log1p(std::exp(rest - shifted)) : rest + std::log1p(std::exp(shifted - rest));
}

double share_about(const SampledGaussian& m, double x) {
  const double u = (2 * x - 1) / (2 * m.noise_multiplier * m.noise_multiplier);
  return 1 / (1 + (1 - m.sampling_rate) / m.sampling_rate * std::exp(-u));
}

double lowest_peak(const SampledGaussian& m, double e) {
  return e < 0 ? shape_file::only_peak(m, e) : shape_file::peak_from(m, e, 0);
}
double highest_peak(const SampledGaussian& m, double e) {
  return e < 0 ? shape_file::only_peak(m, e) : shape_file::peak_from(m, e, e);
}

}  // namespace renyi::certify
