// Measures the speed of the Renyi bound, in units of one exp of the same run.
#include "conversion/renyi_bound.h"

#include <fmt/format.h>

#include "questions.h"
#include "renyi/renyi.h"
#include "timing.h"

namespace {

double epsilon(const renyi::Plan& plan) { return renyi::renyi_epsilon(plan, bench::delta).upper; }

double sweep() {
  double sum = 0;
  for (const renyi::Plan& plan : bench::sweep()) sum += epsilon(plan);
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
         bench::median_seconds(2001, [] { return epsilon(bench::reference()); }), unit, 1'800);
  report("sweep of 1,200 configurations", bench::median_seconds(11, sweep), unit, 1.4e6);
  renyi::Plan plan;
  plan.add(renyi::SampledGaussian{0.01, 1.1}, 10'000);
  const double calibration = bench::median_seconds(201, [&] {
    return renyi::calibrate(plan, {{0}, "noise_multiplier"}, {3, 1e-5}).value;
  });
  fmt::print("  {:<58} {:>10.1f} us {:>12.0f} exp\n", "calibrate the noise multiplier (epsilon=3)", calibration * 1e6,
             calibration / unit);
}
