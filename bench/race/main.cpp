// Measures renyi in the race against other accountants (bench/peers), in units of one exp of the same run.
//   race                  a table
//   race --json           the same for programs, with every interval of the sweep
//   race --memory TASK    peak memory in kB, before and after
//   race --repeat TASK N  runs it N times and prints nothing: for instruction counts
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "exact/privacy_profile.h"
#include "processor_clock.h"
#include "questions.h"
#include "race/tasks.h"
#include "simd/dispatch.h"
#include "timing.h"

namespace {

using bench::Figure;
using bench::Task;

struct Timed {
  Figure found{};
  double seconds = 0;
};

// Returns the median of processor time: other load of the machine lengthens long runs in wall time, and would make
// short ones look better. Runs shorter than 50 us are timed several at once, so that the time of the clock does not
// count.
Timed timed(const Task& task) {
  Timed result;
  const auto seconds_each = [&](int together) {
    const double start = bench::processor_seconds();
    for (int i = 0; i < together; ++i) bench::sink = (result.found = task.run()).upper;
    return (bench::processor_seconds() - start) / together;
  };
  int together = 1;
  if (task.repetitions > 1) {
    seconds_each(1);  // sets up what later runs keep
    together += static_cast<int>(50e-6 / seconds_each(1));
  }
  std::vector<double> times(static_cast<std::size_t>(task.repetitions));
  std::generate(times.begin(), times.end(), [&] { return seconds_each(together); });
  const auto middle = times.begin() + task.repetitions / 2;
  std::nth_element(times.begin(), middle, times.end());
  result.seconds = *middle;
  return result;
}

void print_table() {
  const double unit = bench::exp_seconds();
  fmt::print("The race, our side, one core; one exp = {:.2f} ns\n", unit * 1e9);
  for (const Task& task : bench::tasks()) {
    const double seconds = timed(task).seconds;
    fmt::print("  {:<50} {:>12.2f} us {:>12.0f} exp\n", task.what, seconds * 1e6, seconds / unit);
  }
}

const char* instruction_set() {
  using renyi::simd::Target;
  switch (renyi::simd::best_target()) {
    case Target::avx3: return "AVX-512";
    case Target::avx2: return "AVX2";
    case Target::baseline: break;
  }
  return "baseline";
}

// The unit is measured before and after. The smaller one is used, which is conservative.
void print_json() {
  const double before = bench::exp_seconds();
  nlohmann::ordered_json rows;
  for (const Task& task : bench::tasks()) {
    const auto [found, seconds] = timed(task);
    rows[std::string(task.name)] = {{"what", task.what},
                                    {"seconds", seconds},
                                    {"repetitions", task.repetitions},
                                    {"lower", found.lower},
                                    {"upper", found.upper}};
  }
  auto sweep = nlohmann::ordered_json::array();
  for (const renyi::Plan& plan : bench::sweep()) {
    const auto found = renyi::PrivacyProfile(plan).epsilon(bench::delta).worst;
    sweep.push_back({found.lower, found.upper});
  }
  const double unit = std::min(before, bench::exp_seconds());
  const nlohmann::ordered_json all{
      {"exp_seconds", unit}, {"instructions", instruction_set()}, {"tasks", rows}, {"sweep", sweep}};
  fmt::print("{}\n", all.dump());
}

// Returns the peak memory of this program image only, unlike ru_maxrss.
long peak_kilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    long kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes;
  }
  throw std::runtime_error("no VmHWM in /proc/self/status");
}

void print_memory(const Task& task) {
  const long before = peak_kilobytes();
  bench::sink = task.run().upper;
  fmt::print("{{\"before\": {}, \"after\": {}}}\n", before, peak_kilobytes());
}

void repeat(const Task& task, long times) {
  for (long i = 0; i < times; ++i) bench::sink = task.run().upper;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (argc == 1) {
    print_table();
  } else if (mode == "--json" && argc == 2) {
    print_json();
  } else if (mode == "--memory" && argc == 3) {
    print_memory(bench::task_named(argv[2]));
  } else if (mode == "--repeat" && argc == 4) {
    repeat(bench::task_named(argv[2]), std::strtol(argv[3], nullptr, 10));
  } else {
    fmt::print(stderr, "usage: race [--json | --memory TASK | --repeat TASK N]\n");
    return 2;
  }
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "race: {}\n", error.what());
  return 2;
}
