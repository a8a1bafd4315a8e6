// Measures the speed of the questions about the meaning of epsilon and delta, in units of one exp of the same run.
#include <fmt/format.h>

#include "renyi/extras/divergence.h"
#include "renyi/extras/relate.h"
#include "renyi/papers/composition_theorems.h"
#include "renyi/renyi.h"
#include "timing.h"

namespace {

renyi::Plan training_run() { return renyi::Plan().add(renyi::SampledGaussian{0.01, 1.1}, 10'000); }

template <class Work>
void report(const char* what, double unit, const Work& work) {
  const double seconds = bench::median_seconds(101, work);
  fmt::print("  {:<58} {:>10.1f} us {:>12.0f} exp\n", what, seconds * 1e6, seconds / unit);
}

}  // namespace

int main() {
  const double unit = bench::exp_seconds();
  const renyi::Plan plan = training_run();
  fmt::print("What the numbers mean (q=0.01, sigma=1.1, T=10000), one core; one exp = {:.2f} ns\n", unit * 1e9);
  report("loss: Pr[L >= 5] by the contour", unit,
         [&] { return renyi::PrivacyLoss(plan, renyi::Direction::remove).at_least(5).upper; });
  report("loss: Pr[|L| <= 5] by the contour", unit,
         [&] { return renyi::PrivacyLoss(plan, renyi::Direction::remove).within(5).lower; });
  report("explain: every promise at the default baselines", unit,
         [&] { return renyi::explain(plan, {.delta = 1e-5}).outcomes.front().best.upper.probability; });
  report("compare: every theorem at delta = 1e-5", unit,
         [&] { return static_cast<double>(renyi::compare(plan, 1e-5).theorems.size()); });
  report("relate: smallest rho up to omega = 8", unit, [&] { return renyi::to_tcdp(plan, 8).found->rho.upper; });
  report("divergence: normal pair, order 2.5", unit, [] {
    return renyi::renyi_divergence(renyi::DistributionPair::normal({0, 1}, {1, 2}), 2.5).value;
  });
}
