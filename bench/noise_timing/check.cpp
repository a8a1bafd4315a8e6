#include "bench/noise_timing/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>

#include "bench/noise_timing/classifier.h"
#include "bench/noise_timing/clock.h"
#include "bench/noise_timing/experiments.h"

namespace bench {
namespace {

// A pair counts as told apart if this many measurements in a row, each with calls of its own, find a p-value below the
// limit. With a hundred pairs of two tests this happens by chance in fewer than one of a million runs.
constexpr int measurements = 3;
constexpr double least_p = 1e-3;
constexpr std::size_t permutations = 40;
constexpr std::size_t warming_calls = 2'000;

ClassedCalls measured(const Experiment& experiment, std::size_t calls_of_a_class, double tick,
                      std::mt19937_64& random) {
  // Outcomes need not be equally likely; a class that hardly comes up would take forever.
  const std::size_t most = 20 * calls_of_a_class;
  ClassedCalls calls;
  std::array<std::size_t, 2> seen{0, 0};
  for (std::size_t i = 0; std::min(seen[0], seen[1]) < calls_of_a_class && calls.time.size() < most; ++i) {
    const bool choice = (random() & 1U) != 0;
    experiment.prepare(choice);
    const std::uint64_t start = ticks();
    experiment.call();
    const std::uint64_t end = ticks();
    if (i < warming_calls) continue;
    const bool is_second = experiment.is_second ? experiment.is_second() : choice;
    calls.time.push_back(tick * static_cast<double>(end - start));
    calls.is_second.push_back(static_cast<std::uint8_t>(is_second));
    ++seen[is_second ? 1 : 0];
  }
  return calls;
}

bool is_told_apart(const Distinction& found) { return std::min(found.auc_p, found.distance_p) < least_p; }

void print_row(const Experiment& experiment, const ClassedCalls& calls, const Distinction& found) {
  const auto second = static_cast<std::size_t>(std::count(calls.is_second.begin(), calls.is_second.end(), 1));
  fmt::print("{:20} {:29} {:7} {:7} {:6.4f} {:6.4f} {:8.2g} {:6.4f} {:6.4f} {:8.2g} {:8.4f}\n", experiment.sampler,
             experiment.classes, calls.time.size() - second, second, found.auc, found.largest_random_auc, found.auc_p,
             found.distance, found.largest_random_distance, found.distance_p, found.rank_correlation);
  std::fflush(stdout);
}

// Whether every one of a few measurements tells the classes apart; prints a line for each.
bool is_told_every_time(const Experiment& experiment, std::size_t calls_of_a_class, double tick,
                        std::mt19937_64& random) {
  for (int i = 0; i < measurements; ++i) {
    const ClassedCalls calls = measured(experiment, calls_of_a_class, tick, random);
    const Distinction found = distinguish(calls, permutations, random);
    print_row(experiment, calls, found);
    if (!is_told_apart(found)) return false;
  }
  fmt::print("  told apart: {}, {}\n", experiment.sampler, experiment.classes);
  return true;
}

}  // namespace

bool check_times(std::size_t calls_of_a_class, std::string_view only) {
  stay_on_one_core();
  const double tick = nanoseconds_of_tick();
  std::mt19937_64 random(std::random_device{}());
  fmt::print("{:20} {:29} {:>7} {:>7} {:>6} {:>6} {:>8} {:>6} {:>6} {:>8} {:>8}\n", "sampler", "classes", "first",
             "second", "AUC", "random", "p", "KS", "random", "p", "rank cor");
  const bool is_seeing = is_told_every_time(planted(), calls_of_a_class, tick, random);
  if (!is_seeing) fmt::print("noise-timing: the planted difference is not seen: too few calls, or no clock\n");
  int told = 0, pairs = 0;
  for (const Experiment& experiment : experiments()) {
    if (experiment.sampler.find(only) == std::string::npos) continue;
    told += is_told_every_time(experiment, calls_of_a_class, tick, random) ? 1 : 0;
    ++pairs;
  }
  fmt::print("noise-timing: {} of {} pairs of classes are told apart by the time of single calls\n", told, pairs);
  return is_seeing && told == 0;
}

}  // namespace bench
