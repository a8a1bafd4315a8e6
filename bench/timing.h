// Medians of repeated runs, and the unit in which all speeds are stated.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <vector>

namespace bench {

// Keeps the optimiser from removing work whose result is not used.
inline volatile double sink;

// Returns the median seconds of one call of `work` over `repetitions` calls.
template <class Work>
double median_seconds(int repetitions, const Work& work) {
  using clock = std::chrono::steady_clock;
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(repetitions));
  for (int i = 0; i < repetitions; ++i) {
    const auto start = clock::now();
    sink = work();
    times.push_back(std::chrono::duration<double>(clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + repetitions / 2, times.end());
  return times[static_cast<std::size_t>(repetitions / 2)];
}

// One `exp`: median time per call of the C library's scalar exp over 4,096
// independent arguments in [-10, 0], summed.
inline double exp_seconds() {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-10, 0);
  std::vector<double> arguments(4096);
  std::generate(arguments.begin(), arguments.end(), [&] { return uniform(random); });
  const auto sum_of_exps = [&] {
    double sum = 0;
    for (const double x : arguments) sum += std::exp(x);
    return sum;
  };
  return median_seconds(501, sum_of_exps) / static_cast<double>(arguments.size());
}

}  // namespace bench
