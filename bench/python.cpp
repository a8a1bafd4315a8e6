// Measures the time that a call from Python adds to the C++ call, in one process and one run: the interpreter is
// embedded.
#include <fmt/format.h>
#include <pybind11/embed.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/renyi.h"
#include "timing.h"

namespace {

namespace py = pybind11;

constexpr int configurations = 100'000;

renyi::Plan run(double sampling_rate, double noise_multiplier) {
  renyi::Plan plan;
  plan.add(renyi::SampledGaussian{sampling_rate, noise_multiplier}, 10'000);
  return plan;
}

double rate(int i) { return 1e-4 * std::pow(1000.0, (i % 317) / 316.0); }
double noise(int i) { return 0.6 + 7.4 * i / (configurations - 1); }

double sweep() {
  double sum = 0;
  for (int i = 0; i < configurations; ++i) sum += renyi::renyi_epsilon(run(rate(i), noise(i)), 1e-5).upper;
  return sum;
}

constexpr const char* preparation = R"(
import sys
sys.path.insert(0, PACKAGE)
import numpy as np
import renyi
def bound():
    return renyi.epsilon(sampling_rate=0.01, noise_multiplier=1.1, steps=10_000, delta=1e-5, want="renyi").renyi
def both():
    return renyi.epsilon(sampling_rate=0.01, noise_multiplier=1.1, steps=10_000, delta=1e-5).upper
index = np.arange(CONFIGURATIONS)
rates, noises = 1e-4 * 1000.0 ** (index % 317 / 316), 0.6 + 7.4 * index / (CONFIGURATIONS - 1)
def sweep():
    found = renyi.epsilon(sampling_rate=rates, noise_multiplier=noises, steps=10_000, delta=1e-5, want="renyi")
    return float(found.renyi.sum())
)";

// Returns medians of calls measured in turns, so that both have the same conditions.
template <class Work>
void compare_calls(const char* what, int repetitions, double unit, const Work& in_cpp, const py::object& in_python) {
  std::vector<double> cpp, python;
  for (int i = 0; i < repetitions; ++i) {
    cpp.push_back(bench::median_seconds(1, in_cpp));
    python.push_back(bench::median_seconds(1, [&] { return in_python().cast<double>(); }));
  }
  const auto median = [](std::vector<double>& times) {
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
    return times[times.size() / 2];
  };
  const double a = median(cpp), b = median(python), more = (b - a) / unit;
  fmt::print("  {:<26} C++ {:>8.1f} us, Python {:>8.1f} us: {:.0f} exp more (limit 1000: {})\n", what, a * 1e6, b * 1e6,
             more, more <= 1000 ? "met" : "MISSED");
}

}  // namespace

int main() {
  const py::scoped_interpreter interpreter;
  py::dict names;
  names["__builtins__"] = py::module_::import("builtins");
  names["PACKAGE"] = RENYI_PYTHON_PACKAGE;
  names["CONFIGURATIONS"] = configurations;
  py::exec(preparation, names);

  const double unit = bench::exp_seconds();
  fmt::print("From Python; one exp = {:.2f} ns, {} cores\n", unit * 1e9, std::thread::hardware_concurrency());
  const auto bound = [] { return renyi::renyi_epsilon(run(0.01, 1.1), 1e-5).upper; };
  const auto both = [] {
    const renyi::Plan plan = run(0.01, 1.1);
    return renyi::renyi_epsilon(plan, 1e-5).upper + renyi::PrivacyProfile(plan).epsilon(1e-5).worst.upper;
  };
  compare_calls("one Renyi epsilon", 4001, unit, bound, names["bound"]);
  compare_calls("Renyi and exact epsilon", 1001, unit, both, names["both"]);
  const double in_cpp = bench::median_seconds(3, sweep);
  const double in_python = bench::median_seconds(3, [&] { return names["sweep"]().cast<double>(); });
  fmt::print("  {:<26} C++ loop on one core {:.2f} s, Python array on all {:.2f} s: ratio {:.2f} (limit 1: {})\n",
             "100,000 Renyi epsilons", in_cpp, in_python, in_python / in_cpp, in_python <= in_cpp ? "met" : "MISSED");
}
