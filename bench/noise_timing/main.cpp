// Whether the time of a call says anything about the noise that it drew, or about the number that it was added to.
//   noise_timing [CALLS]        calls for one number each (default 1,000,000), by the public interface, on one core
//   noise_timing --check [CALLS [NAME]]   whether single calls of samplers, or of those with NAME in theirs, tell two
//                                  classes apart (check.h), by CALLS of each (default 100,000); exits with 1 if any do
//   noise_timing --pairs FILE   the same tests on what was measured elsewhere: doubles, |noise| and time in turns
// A table goes to standard error, and JSON for bench/report to standard output.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bench/noise_timing/check.h"
#include "bench/noise_timing/clock.h"
#include "bench/noise_timing/ranks.h"
#include "renyi/noise.h"

namespace {

namespace noise = renyi::noise;
using bench::nanoseconds_of_tick;
using bench::stay_on_one_core;
using bench::ticks;
using nlohmann::ordered_json;

// What was measured of each call.
struct Calls {
  std::vector<double> modulus;  // |noise|
  std::vector<double> time;     // in ns
  std::vector<bool> is_chosen;  // whether x was on the grid; empty where there is no grid
};

ordered_json as_json(const std::string& what, const bench::TwoSamples& test) {
  fmt::print(stderr, "  {:28} {:8} of {:8}: medians differ by {:8.1f} ns, P(longer) {:.4f}, p {:.3g} and {:.3g}\n",
             what, test.chosen, test.chosen + test.others, test.median_difference, test.superiority,
             test.mann_whitney_p, test.kolmogorov_smirnov_p);
  return {{"what", what},
          {"calls", test.chosen},
          {"median_difference_ns", test.median_difference},
          {"superiority", test.superiority},
          {"mann_whitney_p", test.mann_whitney_p},
          {"kolmogorov_smirnov_p", test.kolmogorov_smirnov_p}};
}

ordered_json tested(const std::string& law, const Calls& calls) {
  const double correlation = bench::rank_correlation(calls.modulus, calls.time);
  ordered_json row = {{"law", law},
                      {"calls", calls.time.size()},
                      {"median_ns", bench::quantile(calls.time, 0.5)},
                      {"rank_correlation", correlation}};
  fmt::print(stderr, "{}: {} calls, median {:.0f} ns, rank correlation of |noise| and time {:.5f}\n", law,
             calls.time.size(), row["median_ns"].get<double>(), correlation);
  for (const auto& [what, level] : {std::pair{"|noise| above its 99 %", 0.99}, {"|noise| above its 99.99 %", 0.9999}}) {
    const double bound = bench::quantile(calls.modulus, level);
    std::vector<bool> is_large(calls.modulus.size());
    for (std::size_t i = 0; i < is_large.size(); ++i) is_large[i] = calls.modulus[i] > bound;
    row["tests"].push_back(as_json(what, bench::two_samples(calls.time, is_large)));
  }
  if (!calls.is_chosen.empty())
    row["tests"].push_back(as_json("x on the grid", bench::two_samples(calls.time, calls.is_chosen)));
  return row;
}

// Adds noise to one number at a time.
template <class Number, class Add>
Calls measured(const std::vector<Number>& x, double tick, const Add& add) {
  Calls calls;
  calls.modulus.resize(x.size());
  calls.time.resize(x.size());
  Number value = 0;
  for (std::size_t i = 0; i < 10'000; ++i) add(std::span<Number>(&value, 1));
  for (std::size_t i = 0; i < x.size(); ++i) {
    value = x[i];
    const std::uint64_t start = ticks();
    add(std::span<Number>(&value, 1));
    const std::uint64_t end = ticks();
    calls.modulus[i] = std::abs(static_cast<double>(value - x[i]));
    calls.time[i] = tick * static_cast<double>(end - start);
  }
  return calls;
}

template <class Add>
ordered_json on_integers(const std::string& law, std::size_t count, double tick, const Add& add) {
  return tested(law, measured(std::vector<std::int64_t>(count), tick, add));
}

// Half of the numbers are on the grid, in random order; their sizes are alike.
template <class Add>
ordered_json on_grid(const std::string& law, std::size_t count, double tick, const Add& add) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1000, 1000);
  std::vector<double> x(count);
  std::vector<bool> is_on_grid(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double any = uniform(random);
    is_on_grid[i] = (random() & 1U) != 0;
    x[i] = is_on_grid[i] ? std::ldexp(std::nearbyint(std::ldexp(any, 20)), -20) : any;
  }
  Calls calls = measured(x, tick, add);
  calls.is_chosen = std::move(is_on_grid);
  return tested(law, calls);
}

ordered_json all_laws(std::size_t count) {
  using Integers = std::span<std::int64_t>;
  using Doubles = std::span<double>;
  stay_on_one_core();
  const double tick = nanoseconds_of_tick();
  const noise::OnGrid fine{.grid = 0x1p-20, .range = {}, .sensitivity = 1};
  return {
      on_integers("discrete Gaussian, stddev 1", count, tick, [](Integers x) { noise::discrete_gaussian(x, x, 1); }),
      on_integers("discrete Gaussian, stddev 1000", count, tick,
                  [](Integers x) { noise::discrete_gaussian(x, x, 1000); }),
      on_integers("discrete Laplace, scale 1", count, tick, [](Integers x) { noise::discrete_laplace(x, x, 1); }),
      on_integers("discrete Laplace, scale 1000", count, tick, [](Integers x) { noise::discrete_laplace(x, x, 1000); }),
      on_grid("Gaussian, stddev 1, grid 2^-20", count, tick, [&](Doubles x) { noise::gaussian(x, x, 1, fine); }),
      on_grid("Laplace, scale 1, grid 2^-20", count, tick, [&](Doubles x) { noise::laplace(x, x, 1, fine); }),
  };
}

ordered_json of_pairs(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Calls calls;
  double pair[2];
  while (file.read(reinterpret_cast<char*>(pair), sizeof pair)) {
    calls.modulus.push_back(pair[0]);
    calls.time.push_back(pair[1]);
  }
  if (calls.time.size() < 2) throw std::runtime_error("no pairs in " + path);
  return tested(path, calls);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::string_view(argv[1]) == "--pairs") {
      fmt::print("{}\n", of_pairs(argv[2]).dump(1));
      return 0;
    }
    if (argc >= 2 && argc <= 4 && std::string_view(argv[1]) == "--check") {
      return bench::check_times(argc > 2 ? std::stoul(argv[2]) : 100'000, argc > 3 ? argv[3] : "") ? 0 : 1;
    }
    const unsigned long count = argc > 1 ? std::stoul(argv[1]) : 1'000'000;
    if (argc > 2 || count < 1000) throw std::invalid_argument("CALLS is at least 1000");
    fmt::print("{}\n", all_laws(count).dump(1));
  } catch (const std::exception& error) {
    fmt::print(stderr, "noise_timing: {}\nusage: noise_timing [CALLS | --check [CALLS [NAME]] | --pairs FILE]\n",
               error.what());
    return 1;
  }
  return 0;
}
