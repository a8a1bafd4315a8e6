// Measures the speed of exact intervals in both directions, in units of one exp of the same run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "exact/privacy_profile.h"
#include "questions.h"
#include "renyi/renyi.h"
#include "timing.h"

namespace {

using bench::schedule;
using bench::training;
using renyi::Plan;
using renyi::PrivacyProfile;

struct Run {
  const char* what = "";
  Plan plan{};
  double delta = 1e-5;
  int repetitions = 1;
  double limit = 0;  // in exp; 0 if there is no limit
};

double epsilon(const Run& run) { return PrivacyProfile(run.plan).epsilon(run.delta).worst.upper; }

std::string verdict(double value, double limit) {
  return fmt::format("limit {:.0f}: {}", limit, value <= limit ? "met" : "MISSED");
}

// Returns the time in exp.
double report(const Run& run, double unit) {
  const auto answer = PrivacyProfile(run.plan).epsilon(run.delta);
  const double seconds = bench::median_seconds(run.repetitions, [&] { return epsilon(run); });
  const double cost = seconds / unit;
  fmt::print("  {:<54} {:>14.10f} +- {:.0e} {:<11} {:>10.1f} us {:>11.0f} exp", run.what, answer.worst.upper,
             answer.worst.upper - answer.worst.lower, to_string(answer.worst.engine), seconds * 1e6, cost);
  if (run.limit > 0) fmt::print("  ({})", verdict(cost, run.limit));
  fmt::print("\n");
  return cost;
}

// Measures plans of one training run each: the time in exp of one core, on average and for the slowest ones.
void report_sweep(double unit) {
  constexpr int plans = 2'000;
  constexpr double limit = 12'000;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto between = [&](double low, double high) { return low * std::pow(high / low, uniform(random)); };
  std::vector<double> costs;
  double widest = 0, total = 0;
  for (int i = 0; i < plans; ++i) {
    const Plan plan = training(between(1e-3, 0.1), between(0.8, 8), std::llround(between(1e4, 1e6)));
    const auto answer = PrivacyProfile(plan).epsilon(1e-5);
    widest = std::max(widest, (answer.worst.upper - answer.worst.lower) / std::max(answer.worst.upper, 1e-3));
    costs.push_back(bench::median_seconds(3, [&] { return epsilon({"", plan, 1e-5, 1, 0}); }) / unit);
    total += costs.back();
  }
  std::sort(costs.begin(), costs.end());
  fmt::print("{} random trainings: q 1e-3..0.1, sigma 0.8..8, T 1e4..1e6 (all log-uniform), delta=1e-5\n", plans);
  fmt::print("  mean {:.0f} exp ({}), median {:.0f}, largest {:.0f}; relative widths up to {:.0e}\n", total / plans,
             verdict(total / plans, limit), costs[plans / 2], costs.back(), widest);
}

void report_calibration(double unit) {
  const auto noise = [] {
    return renyi::calibrate(training(0.01, 1, 10'000), {{0}, "noise_multiplier"}, {3, 1e-5}).value;
  };
  const double seconds = bench::median_seconds(51, noise);
  fmt::print("Noise for epsilon=3, delta=1e-5, q=0.01, T=1e4: {:.10f}  {:.1f} us {:.0f} exp\n", noise(), seconds * 1e6,
             seconds / unit);
}

}  // namespace

int main() {
  const double unit = bench::exp_seconds();
  fmt::print("Exact epsilon, one core; one exp = {:.2f} ns\n", unit * 1e9);
  const double one =
      report({"q=0.01, sigma=1.1, T=1e4, delta=1e-5", training(0.01, 1.1, 10'000), 1e-5, 501, 11'000}, unit);
  const double few = report({"q=0.01, sigma=1.1, T=100, delta=1e-5", training(0.01, 1.1, 100), 1e-5, 51, 0}, unit);
  fmt::print("  T=100 over T=1e4: {:.1f} ({})\n", few / one, verdict(few / one, 40));
  for (const Run& run : {
           Run{"q=0.001, sigma=0.8, T=1e5, delta=1e-6", training(0.001, 0.8, 100'000), 1e-6, 101, 0},
           Run{"q=0.1, sigma=5, T=1000, delta=1e-8", training(0.1, 5, 1'000), 1e-8, 101, 0},
           Run{"q=256/60000, sigma=1.1, T=14040, delta=1e-5", training(256.0 / 60000, 1.1, 14'040), 1e-5, 101, 0},
           Run{"200 distinct sampled Gaussians x 50, delta=1e-6", schedule(), 1e-6, 11, 1.5e6},
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
  fmt::print("  largest over smallest cost: {:.2f} ({})\n", most / least, verdict(most / least, 2));
  report_sweep(unit);
  report_calibration(unit);
}
