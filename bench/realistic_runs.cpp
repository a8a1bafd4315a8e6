// Measures epsilon for random runs of training as they are really made: every sampler under every neighbouring
// relation. Each run is a process of its own, so that none profits from what another one computed, and one that takes
// too long ends alone. Usage: realistic_runs [RUNS [SEED [SAMPLER]]], or realistic_runs check [RUNS [SEED]], which
// compares the contour's intervals with those of the lattice.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/renyi.h"

namespace {

using renyi::Engine;
using renyi::Neighbors;
using renyi::Sampling;
using renyi::Scheme;

constexpr rlim_t most_cpu_seconds = 5;

struct Run {
  Sampling sampling{};
  Neighbors neighbors = Neighbors::add_or_remove_one;
  std::int64_t unit = 1;
  double noise_multiplier = 1;
  std::int64_t count = 1;
  double delta = 1e-5;
};

class RandomRuns {
 public:
  explicit RandomRuns(std::uint64_t seed) : random_(seed) {}

  Run next(Scheme scheme, Neighbors neighbors) {
    const double rate = between(1e-5, 0.5), steps = between(1, 1e6);
    Run run{.neighbors = neighbors, .noise_multiplier = between(0.3, 20), .count = std::llround(steps)};
    if (uniform() < 0.25) run.unit = 2 + static_cast<std::int64_t>(7 * uniform());
    if (uniform() < 0.5) run.delta = between(1e-10, 1e-3);
    const double size = std::round(between(1e3, 1e7)), batch = std::max(1.0, std::round(rate * size));
    switch (scheme) {
      case Scheme::poisson: run.sampling = Sampling::poisson(rate); break;
      case Scheme::fixed_size: run.sampling = Sampling::fixed_size(size, batch); break;
      case Scheme::with_replacement: run.sampling = Sampling::with_replacement(size, batch); break;
      case Scheme::truncated_poisson: {
        const double mean = rate * size, above = (2 + 5 * uniform()) * std::sqrt(mean * (1 - rate)) + 1;
        run.sampling = Sampling::truncated_poisson(rate, size, std::min(size, std::ceil(mean + above)));
        break;
      }
      case Scheme::shuffled:
      case Scheme::random_allocation: {
        const double batches = std::max(2.0, std::round(1 / rate));
        run.sampling = scheme == Scheme::shuffled ? Sampling::shuffled(batches) : Sampling::random_allocation(batches);
        run.count = std::max<std::int64_t>(1, std::llround(steps / batches));
        break;
      }
    }
    return run;
  }

 private:
  double uniform() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  double between(double low, double high) { return low * std::pow(high / low, uniform()); }

  std::mt19937_64 random_;
};

// Returns the request that repeats a run, for `renyi batch`.
std::string request(const Run& run) {
  std::string sampling = fmt::format("\"scheme\":\"{}\"", to_string(run.sampling.scheme));
  const auto names = parameters(run.sampling.scheme);
  const std::vector<double> values = run.sampling.values();
  for (std::size_t i = 0; i < names.size(); ++i) sampling += fmt::format(",\"{}\":{}", names[i].name, values[i]);
  return fmt::format(
      "{{\"op\":\"epsilon\",\"neighbors\":\"{}\",\"unit\":{},\"steps\":[{{\"mechanism\":\"gaussian\","
      "\"noise_multiplier\":{},\"sampling\":{{{}}},\"count\":{}}}],\"delta\":{}}}",
      to_string(run.neighbors), run.unit, run.noise_multiplier, sampling, run.count, run.delta);
}

enum class Outcome { interval, bounds, refused, error, stopped };

struct Result {
  Outcome outcome = Outcome::stopped;
  Engine engine = Engine::bounds;
  double seconds = static_cast<double>(most_cpu_seconds);
  double lower = 0;
  double upper = 0;

  double width() const { return upper - lower; }
  bool served() const { return outcome == Outcome::interval || outcome == Outcome::bounds; }
};

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

renyi::Cost cost_of(const Run& run, const renyi::ExactOptions& options) {
  renyi::Plan plan(run.neighbors, run.unit);
  plan.add(renyi::Mechanism(renyi::Gaussian{.stddev = run.noise_multiplier}).sampled_by(run.sampling), run.count);
  return renyi::epsilon(plan, run.delta, {.exactness = options});
}

Result measured(const Run& run, const renyi::ExactOptions& options) {
  Result result;
  const double start = cpu_seconds();
  const auto wall_start = std::chrono::steady_clock::now();
  try {
    const renyi::Cost cost = cost_of(run, options);
    result.outcome = cost.is_exact() ? Outcome::interval : Outcome::bounds;
    if (cost.exact) {
      result.engine = cost.exact->worst.engine;
      result.lower = cost.exact->worst.lower;
    }
    result.upper = cost.upper();
  } catch (const renyi::Unsupported&) {
    result.outcome = Outcome::refused;
  } catch (const std::exception& failure) {
    result.outcome = Outcome::error;
    fmt::print(stderr, "{}: {}\n", failure.what(), request(run));
  }
  result.seconds = cpu_seconds() - start;
  // The CPU clock of a young process may be coarse: below a millisecond it is the time that passed.
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_start).count();
  if (result.seconds < 1e-3) result.seconds = std::min(wall, 1e-3);
  return result;
}

// Measures in a process of its own, which is stopped at the limit.
Result in_child(const Run& run, const renyi::ExactOptions& options) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) std::abort();
  const pid_t child = fork();
  if (child < 0) std::abort();
  if (child == 0) {
    const rlimit limit{most_cpu_seconds, most_cpu_seconds + 1};
    setrlimit(RLIMIT_CPU, &limit);
    const Result result = measured(run, options);
    const bool written = write(ends[1], &result, sizeof result) == static_cast<ssize_t>(sizeof result);
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  Result result;
  if (read(ends[0], &result, sizeof result) != static_cast<ssize_t>(sizeof result)) result = {};
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return result;
}

struct Measured {
  Run run;
  Result result;
};

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<std::size_t>(std::ceil(share * last))];
}

// Prints one row of the table.
void print_row(std::string_view name, const std::vector<const Measured*>& runs) {
  std::vector<double> times;
  std::map<std::string, int> engines;
  double served = 0, narrow = 0, wide = 0;
  for (const Measured* each : runs) {
    const Result& result = each->result;
    if (result.outcome == Outcome::refused) {
      ++engines["refused"];
      continue;
    }
    times.push_back(1e3 * result.seconds);
    ++engines[result.outcome == Outcome::stopped ? "stopped"
              : result.outcome == Outcome::error ? "error"
                                                 : std::string(to_string(result.engine))];
    ++served;
    if (result.served() && result.width() <= 1e-6) ++narrow;
    if (result.served() && result.width() <= 1e-4) ++wide;
  }
  std::string used;
  for (const auto& [engine, count] : engines) used += fmt::format("{}{} {}", used.empty() ? "" : ", ", engine, count);
  fmt::print("{:<44} {:>5} {:>9.2f} {:>9.1f} {:>9.1f} {:>7.1f} {:>7.1f}  {}\n", name, runs.size(), quantile(times, 0.5),
             quantile(times, 0.99), quantile(times, 1), served > 0 ? 100 * narrow / served : 0,
             served > 0 ? 100 * wide / served : 0, used);
}

template <class Key>
void print_most(std::string_view title, const std::vector<Measured>& all, const Key& key) {
  std::vector<const Measured*> order;
  for (const Measured& each : all) {
    if (each.result.outcome != Outcome::refused) order.push_back(&each);
  }
  const std::size_t shown = std::min<std::size_t>(10, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                    [&](const Measured* a, const Measured* b) { return key(*a) > key(*b); });
  fmt::print("\n{}, each line for `renyi batch`:\n", title);
  for (std::size_t i = 0; i < shown; ++i) {
    const Result& result = order[i]->result;
    fmt::print("{:>9.1f} ms  width {:.1e}  {:<11}  {}\n", 1e3 * result.seconds, result.width(),
               result.outcome == Outcome::stopped ? "stopped" : to_string(result.engine), request(order[i]->run));
  }
}

constexpr std::array relations{Neighbors::add_or_remove_one, Neighbors::replace_one, Neighbors::zero_out};

std::vector<Run> random_runs(std::size_t count, std::uint64_t seed, std::string_view sampler) {
  RandomRuns random(seed);
  std::vector<Run> runs;
  while (runs.size() < count) {
    for (const Scheme scheme : renyi::all_schemes) {
      for (const Neighbors neighbors : relations) {
        const Run run = random.next(scheme, neighbors);
        if (sampler.empty() || sampler == to_string(scheme)) runs.push_back(run);
      }
    }
  }
  runs.resize(count);
  return runs;
}

int measure(std::size_t count, std::uint64_t seed, std::string_view sampler) {
  std::vector<Measured> all;
  for (const Run& run : random_runs(count, seed, sampler)) all.push_back({run, in_child(run, {})});
  fmt::print("{} random runs of training, seed {}; times are milliseconds of CPU, widths are those of epsilon\n", count,
             seed);
  fmt::print("{:<44} {:>5} {:>9} {:>9} {:>9} {:>7} {:>7}  {}\n", "sampler, relation", "runs", "median", "99 %",
             "slowest", "1e-6 %", "1e-4 %", "engines");
  std::vector<const Measured*> total;
  for (const Scheme scheme : renyi::all_schemes) {
    for (const Neighbors neighbors : relations) {
      for (const bool is_one : {true, false}) {
        std::vector<const Measured*> row;
        for (const Measured& each : all) {
          const Run& run = each.run;
          if (run.sampling.scheme == scheme && run.neighbors == neighbors && (run.unit == 1) == is_one)
            row.push_back(&each);
        }
        total.insert(total.end(), row.begin(), row.end());
        if (row.empty()) continue;
        print_row(fmt::format("{}, {}{}", to_string(scheme), to_string(neighbors), is_one ? "" : ", units"), row);
      }
    }
  }
  print_row("all", total);
  print_most("The slowest", all, [](const Measured& each) { return each.result.seconds; });
  print_most("The widest", all, [](const Measured& each) { return each.result.width(); });
  return 0;
}

// Every pair of intervals of the two engines must have a point in common.
int check(std::size_t count, std::uint64_t seed) {
  std::size_t both = 0, apart = 0;
  for (const Run& run : random_runs(count, seed, "")) {
    const Result contour = in_child(run, {.engine = Engine::contour});
    if (contour.outcome != Outcome::interval) continue;
    const Result lattice = in_child(run, {.engine = Engine::lattice});
    if (lattice.outcome != Outcome::interval) continue;
    ++both;
    if (contour.lower <= lattice.upper && lattice.lower <= contour.upper) continue;
    ++apart;
    fmt::print("apart: [{:.17g}, {:.17g}] and [{:.17g}, {:.17g}]: {}\n", contour.lower, contour.upper, lattice.lower,
               lattice.upper, request(run));
  }
  fmt::print("{} of {} runs answered by both engines, {} apart\n", both, count, apart);
  return apart == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool checks = !arguments.empty() && arguments.front() == "check";
  if (checks) arguments.erase(arguments.begin());
  const std::size_t count = !arguments.empty() ? std::stoul(arguments[0]) : checks ? 300 : 2000;
  const std::uint64_t seed = arguments.size() > 1 ? std::stoull(arguments[1]) : 1;
  if (checks) return check(count, seed);
  return measure(count, seed, arguments.size() > 2 ? arguments[2] : "");
}
