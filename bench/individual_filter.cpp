// Measures individual accounts: a step on a million records, by all norms and by those of the records drawn.
#include <fmt/format.h>

#include <random>

#include "processor_clock.h"
#include "renyi/renyi.h"
#include "timing.h"

namespace {

constexpr std::size_t records = 1'000'000;

// Records whose norms are spread over [0, 1], and one in a hundred of them drawn.
struct Data {
  std::vector<double> norms = std::vector<double>(records);
  std::vector<std::uint64_t> drawn;
  std::vector<double> drawn_norms;

  Data() {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> uniform;
    for (std::size_t i = 0; i < records; ++i) {
      norms[i] = uniform(random);
      if (uniform(random) >= 0.01) continue;
      drawn.push_back(i);
      drawn_norms.push_back(norms[i]);
    }
  }
};

// The median seconds of processor time of one call.
template <class Work>
double seconds_of(int repetitions, const Work& work) {
  std::vector<double> times;
  for (int i = 0; i < repetitions; ++i) {
    const double start = bench::processor_seconds();
    bench::sink = work();
    times.push_back(bench::processor_seconds() - start);
  }
  std::nth_element(times.begin(), times.begin() + repetitions / 2, times.end());
  return times[static_cast<std::size_t>(repetitions / 2)];
}

void row(const char* budget, const char* what, double seconds, double unit) {
  const double each = seconds / static_cast<double>(records);
  fmt::print("  {:<26} {:<44} {:>8.1f} ns {:>8.2f} exp a record\n", budget, what, each * 1e9, each / unit);
}

void measure(const char* name, const renyi::Budget& budget, const Data& data, double unit) {
  const renyi::IndividualStep all{.noise_multiplier = 1e3};
  const renyi::IndividualStep sampled{.noise_multiplier = 30, .sampling_rate = 0.01};
  std::vector<std::uint8_t> mask(records), drawn_mask(data.drawn.size());
  renyi::IndividualFilter accounts(records, budget);
  const auto full = [&](const renyi::IndividualStep& step) {
    accounts.charge(step, data.norms, mask);
    return static_cast<double>(mask[0]);
  };
  const auto drawn = [&] {
    accounts.charge(sampled, data.drawn, data.drawn_norms, drawn_mask);
    return static_cast<double>(drawn_mask[0]);
  };
  const double first = seconds_of(1, [&] { return full(sampled); });
  row(name, "all norms, Gaussian", seconds_of(21, [&] { return full(all); }), unit);
  const double again = seconds_of(21, [&] { return full(sampled); });
  row(name, "all norms, sampled Gaussian", again, unit);
  row(name, "norms of 1 % drawn, sampled Gaussian", seconds_of(21, drawn), unit);
  if (budget.limits.empty()) return;
  fmt::print("  {:<26} {:<44} {:>8.1f} ms, once\n", name, "the table of costs of a sampled step",
             (first - again) * 1e3);
}

}  // namespace

int main() {
  const double unit = bench::exp_seconds();
  fmt::print("{} records, one step, one core; one exp = {:.2f} ns\n", records, unit * 1e9);
  const Data data;
  measure("zcdp", renyi::Budget::zcdp(0.5), data, unit);
  measure("order", renyi::Budget::order(8, 2), data, unit);
  renyi::Plan plan;
  plan.add(renyi::SampledGaussian{0.01, 1.1}, 10'000);
  measure("curve of 24 orders", renyi::Budget::curve_of(plan, renyi::default_filter_orders()), data, unit);
}
