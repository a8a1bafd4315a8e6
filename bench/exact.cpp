// Speed of exact accounting, both directions and both ends, in units of one exp of the same run.
#include <fmt/format.h>

#include <cmath>

#include "renyi/renyi.h"
#include "timing.h"

namespace {

using renyi::ExactAccountant;
using renyi::Plan;

struct Run {
  const char* what;
  Plan plan;
  double delta;
  int repetitions;
  double limit;  // in exp; 0: none
};

Plan training(double sampling_rate, double noise_multiplier, std::int64_t steps) {
  return Plan().add(renyi::SampledGaussian{sampling_rate, noise_multiplier}, steps);
}

// 200 distinct steps, 50 times each.
Plan schedule() {
  Plan plan;
  for (int i = 0; i < 200; ++i) plan.add(renyi::SampledGaussian{0.001 + 0.049 * i / 199, 0.8 + 3.2 * i / 199}, 50);
  return plan;
}

double epsilon(const Run& run) { return ExactAccountant(run.plan).epsilon(run.delta).worst.upper; }

// Returns the cost in exp.
double report(const Run& run, double unit) {
  const auto answer = ExactAccountant(run.plan).epsilon(run.delta);
  const double seconds = bench::median_seconds(run.repetitions, [&] { return epsilon(run); });
  const double cost = seconds / unit;
  fmt::print("  {:<54} {:>14.10f} +- {:.0e} {:<11} {:>10.1f} us {:>11.0f} exp", run.what, answer.worst.upper,
             answer.worst.upper - answer.worst.lower, to_string(answer.worst.engine), seconds * 1e6, cost);
  if (run.limit > 0) fmt::print("  (limit {:.0f}: {})", run.limit, cost <= run.limit ? "met" : "MISSED");
  fmt::print("\n");
  return cost;
}

}  // namespace

int main() {
  const double unit = bench::exp_seconds();
  fmt::print("Exact epsilon, one core; one exp = {:.2f} ns\n", unit * 1e9);
  for (const Run& run : {
           Run{"q=0.01, sigma=1.1, T=1e4, delta=1e-5", training(0.01, 1.1, 10'000), 1e-5, 501, 40'000},
           Run{"q=0.001, sigma=0.8, T=1e5, delta=1e-6", training(0.001, 0.8, 100'000), 1e-6, 101, 0},
           Run{"q=0.1, sigma=5, T=1000, delta=1e-8", training(0.1, 5, 1'000), 1e-8, 101, 0},
           Run{"q=256/60000, sigma=1.1, T=14040, delta=1e-5", training(256.0 / 60000, 1.1, 14'040), 1e-5, 101, 0},
           Run{"200 distinct sampled Gaussians x 50, delta=1e-6", schedule(), 1e-6, 11, 4e6},
           Run{"Laplace, scale 1, x 1000, delta=1e-6", Plan().add(renyi::Laplace{1}, 1000), 1e-6, 101, 4e6},
           Run{"Laplace, scale 30, x 1000, delta=1e-6", Plan().add(renyi::Laplace{30}, 1000), 1e-6, 5, 4e6},
           Run{"10,000 sampled Gaussians and 3 Laplace, delta=1e-5",
               training(0.01, 1.1, 10'000).add(renyi::Laplace{2}, 3), 1e-5, 101, 0},
       }) {
    report(run, unit);
  }
  fmt::print("Steps from 1e4 to 1e12 at equal total noise (q = 1/sqrt(T)), sigma=1.1, delta=1e-5\n");
  double least = INFINITY, most = 0;
  for (const std::int64_t steps : {10'000L, 1'000'000L, 100'000'000L, 10'000'000'000L, 1'000'000'000'000L}) {
    const double q = 1 / std::sqrt(static_cast<double>(steps));
    const auto what = fmt::format("T={:.0e}", static_cast<double>(steps));
    const double cost = report({what.c_str(), training(q, 1.1, steps), 1e-5, 201, 0}, unit);
    least = std::min(least, cost);
    most = std::max(most, cost);
  }
  fmt::print("  largest over smallest cost: {:.2f} (limit 2: {})\n", most / least,
             most <= 2 * least ? "met" : "MISSED");
}
