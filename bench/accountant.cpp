// Measures a training loop: 1,000 steps of a noise schedule with 100 distinct values, with epsilon every 100 steps.
#include <fmt/format.h>

#include "conversion/renyi_bound.h"
#include "renyi/renyi.h"
#include "timing.h"

namespace {

constexpr int steps = 1000, distinct = 100, every = 100;

renyi::SampledGaussian step(int i) { return {0.01, 0.8 + 0.01 * (i % distinct)}; }

// The accountant is kept between questions, or a new plan is made for each.
double by_accountant() {
  renyi::Accountant account;
  double epsilon = 0;
  for (int i = 0; i < steps; ++i) {
    account.step(step(i));
    if ((i + 1) % every == 0) epsilon += account.epsilon(1e-5, {.exact = false}).upper();
  }
  return epsilon;
}

double by_plans() {
  renyi::Plan plan;
  double epsilon = 0;
  for (int i = 0; i < steps; ++i) {
    plan.add(step(i));
    if ((i + 1) % every == 0) epsilon += renyi::renyi_epsilon(plan, 1e-5).upper;
  }
  return epsilon;
}

double steps_alone() {
  renyi::Accountant account;
  for (int i = 0; i < steps; ++i) account.step(step(i));
  return static_cast<double>(account.steps());
}

void report(const char* what, double (*work)(), double unit) {
  const double seconds = bench::median_seconds(21, work);
  fmt::print("  {:<60} {:>10.1f} us {:>11.0f} exp\n", what, seconds * 1e6, seconds / unit);
}

}  // namespace

int main() {
  const double unit = bench::exp_seconds();
  fmt::print("{} steps, {} distinct, Renyi epsilon every {}; one exp = {:.2f} ns\n", steps, distinct, every,
             unit * 1e9);
  report("the steps alone", steps_alone, unit);
  report("accountant", by_accountant, unit);
  report("a plan set up again for each question", by_plans, unit);
}
