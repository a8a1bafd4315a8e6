// Measures the time that the C interface adds to the C++ call of the same question.
#include <fmt/format.h>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/c.h"
#include "renyi/renyi.h"
#include "timing.h"

namespace {

renyi::Plan training_run() { return renyi::Plan().add(renyi::SampledGaussian{0.01, 1.1}, 10'000); }

double epsilon_in_cpp() {
  const renyi::Plan plan = training_run();
  return renyi::renyi_epsilon(plan, 1e-5).upper + renyi::PrivacyProfile(plan).epsilon(1e-5).worst.upper;
}

double epsilon_in_c() {
  renyi_result result{};
  renyi_sampled_gaussian_epsilon(0.01, 1.1, 10'000, 1e-5, &result, nullptr);
  return result.renyi + result.exact_upper;
}

constexpr double order = 8;

double rdp_in_cpp() { return renyi::rdp(training_run(), std::span(&order, 1)).front().upper(); }

double rdp_in_c() {
  double divergence = 0;
  renyi_sampled_gaussian_rdp(0.01, 1.1, 10'000, &order, 1, &divergence, nullptr);
  return divergence;
}

// Takes the smallest of several medians, measured in turns, because other load of the machine varies.
void report(const char* what, double (*in_cpp)(), double (*in_c)(), double limit) {
  double cpp = 1, c = 1;
  for (int i = 0; i < 20; ++i) {
    cpp = std::min(cpp, bench::median_seconds(51, in_cpp));
    c = std::min(c, bench::median_seconds(51, in_c));
  }
  const double ratio = c / cpp;
  fmt::print("  {:<40} C++ {:>8.2f} us, C {:>8.2f} us, ratio {:.3f}  (limit {}: {})\n", what, cpp * 1e6, c * 1e6, ratio,
             limit, ratio <= limit ? "met" : "MISSED");
}

}  // namespace

int main() {
  fmt::print("C interface, direct calls (q=0.01, sigma=1.1, T=10000), one core\n");
  report("epsilon: Renyi bound and exact interval", epsilon_in_cpp, epsilon_in_c, 1.05);
  report("one Renyi divergence", rdp_in_cpp, rdp_in_c, 1.05);
}
