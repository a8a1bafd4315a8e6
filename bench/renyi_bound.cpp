// Speed of the Renyi bound, in units of one exp of the same run.
#include <fmt/format.h>

#include <cmath>

#include "renyi/renyi.h"
#include "timing.h"

namespace {

double epsilon(double sampling_rate, double noise_multiplier, std::int64_t steps) {
  renyi::Plan plan;
  plan.add(renyi::SampledGaussian{sampling_rate, noise_multiplier}, steps);
  return renyi::renyi_epsilon(plan, 1e-5).epsilon;
}

// 20 rates log-spaced in 1e-4..0.1, 20 noise multipliers in 0.6..8, three counts.
double sweep() {
  double sum = 0;
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 20; ++j) {
      for (const std::int64_t steps : {1'000, 10'000, 100'000}) {
        sum += epsilon(1e-4 * std::pow(1000.0, i / 19.0), 0.6 + 7.4 * j / 19.0, steps);
      }
    }
  }
  return sum;
}

void report(const char* what, double seconds, double exp_seconds, double limit) {
  const double ratio = seconds / exp_seconds;
  fmt::print("  {:<58} {:>10.1f} us {:>12.0f} exp  (limit {:.0f}: {})\n", what, seconds * 1e6, ratio, limit,
             ratio <= limit ? "met" : "MISSED");
}

}  // namespace

int main() {
  const double unit = bench::exp_seconds();
  fmt::print("Renyi bound, one core; one exp = {:.2f} ns\n", unit * 1e9);
  report("one epsilon (q=0.01, sigma=1.1, T=10000, delta=1e-5)",
         bench::median_seconds(2001, [] { return epsilon(0.01, 1.1, 10'000); }), unit, 1'800);
  report("sweep of 1,200 configurations", bench::median_seconds(11, sweep), unit, 1.4e6);
  renyi::Plan plan;
  plan.add(renyi::SampledGaussian{0.01, 1.1}, 10'000);
  const double calibration = bench::median_seconds(201, [&] {
    return renyi::calibrate(plan, {{0}, "noise_multiplier"}, {3, 1e-5}).value;
  });
  fmt::print("  {:<58} {:>10.1f} us {:>12.0f} exp\n", "calibrate the noise multiplier (epsilon=3)", calibration * 1e6,
             calibration / unit);
}
