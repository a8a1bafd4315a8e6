// Measures what exact noise costs: time, random bits and memory, on one core. bench/peers/noise.py runs it beside other
// libraries.
//   noise                 writes a table to standard error, and JSON for bench/report to standard output
//   noise --memory LAW N  draws a million numbers of the law at each scale, N in a call, and prints the peak memory in
//   kB
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bench/noise/laws.h"
#include "bench/processor_clock.h"
#include "bench/timing.h"

namespace {

using nlohmann::ordered_json;

constexpr std::size_t many = 1'000'000;

// The median processor time of a call, over runs of several that take turns with the unit, so that what else the
// machine does meets both; in seconds and in exp. Where a call takes long, there are fewer runs.
struct Cost {
  double seconds, exp;
};
Cost cost_of(const std::function<void()>& call, int calls) {
  constexpr int usual_runs = 11, few_runs = 3;
  constexpr double long_seconds = 0.5;
  std::vector<double> seconds, exps;
  const double before = bench::processor_seconds();
  call();
  const int runs = bench::processor_seconds() - before < long_seconds ? usual_runs : few_runs;
  for (int run = 0; run < runs; ++run) {
    const double unit = bench::exp_seconds();
    const double start = bench::processor_seconds();
    for (int i = 0; i < calls; ++i) call();
    seconds.push_back((bench::processor_seconds() - start) / calls);
    exps.push_back(seconds.back() / unit);
  }
  const auto median = [](std::vector<double>& values) {
    std::nth_element(values.begin(), values.begin() + std::ssize(values) / 2, values.end());
    return values[values.size() / 2];
  };
  return {median(seconds), median(exps)};
}

ordered_json measured(const bench::Law& law) {
  const Cost cost = cost_of(law.prepared(many), 1);
  ordered_json row = {{"law", law.name},        {"scale", law.scale},
                      {"number", law.number},   {"nanoseconds", 1e9 * cost.seconds / many},
                      {"exp", cost.exp / many}, {"entropy_bits", law.entropy}};
  if (law.words) row["random_bits"] = 64.0 * static_cast<double>(law.words(many)) / many;
  if (law.limit) row["limit_exp"] = *law.limit;
  fmt::print(stderr, "{:19} {:>13} {:11} {:7.2f} ns {:6.2f} exp {:7.1f} bits, entropy {:5.2f}  {}\n", law.name,
             law.scale, law.number, 1e9 * cost.seconds / many, cost.exp / many, row.value("random_bits", 0.0),
             law.entropy,
             !law.limit                      ? ""
             : cost.exp / many <= *law.limit ? fmt::format("at most {}: met", *law.limit)
                                             : fmt::format("at most {}: MISSED", *law.limit));
  return row;
}

// What a call costs that adds noise to few numbers, with its fresh bits of the kernel.
ordered_json measured_call(const bench::Law& law, std::size_t numbers) {
  const Cost cost = cost_of(law.prepared(numbers), 500);
  fmt::print(stderr, "a call of {} for {} numbers: {:.2f} us, {:.0f} exp\n", law.name, numbers, 1e6 * cost.seconds,
             cost.exp);
  return {{"law", law.name},
          {"scale", law.scale},
          {"number", law.number},
          {"numbers", numbers},
          {"nanoseconds", 1e9 * cost.seconds},
          {"exp", cost.exp}};
}

// The peak memory of this program image only, unlike ru_maxrss.
long peak_kilobytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  long kilobytes = 0;
  while (status >> word) {
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes;
  }
  throw std::runtime_error("no VmHWM in /proc/self/status");
}

long peak_of_drawing(std::string_view name, std::size_t numbers) {
  bool is_known = false;
  for (const bench::Law& law : bench::measured_laws()) {
    if (law.name != name) continue;
    is_known = true;
    const std::function<void()> call = law.prepared(numbers);
    for (std::size_t done = 0; done < many; done += numbers) call();
  }
  if (!is_known || numbers == 0) throw std::runtime_error(fmt::format("nothing to draw: {} {}", name, numbers));
  return peak_kilobytes();
}

// The same by a process of its own, which does nothing else.
long peak_of_process(const std::string& program, const std::string& name, std::size_t numbers) {
  const std::string command = fmt::format("'{}' --memory {} {}", program, name, numbers);
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  long kilobytes = 0;
  if (!pipe || fscanf(pipe.get(), "%ld", &kilobytes) != 1) throw std::runtime_error("failed: " + command);
  fmt::print(stderr, "memory of a process that draws a million by {}, {} in a call: {:.1f} MB\n", name, numbers,
             static_cast<double>(kilobytes) * 1024e-6);
  return kilobytes;
}

void stay_on_one_core() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (std::size_t core = CPU_SETSIZE; core-- > 0;) {
    if (!CPU_ISSET(core, &allowed)) continue;
    CPU_ZERO(&allowed);
    CPU_SET(core, &allowed);
    sched_setaffinity(0, sizeof allowed, &allowed);
    return;
  }
}

void measure_all(const std::string& program) {
  stay_on_one_core();
  const std::vector<bench::Law> laws = bench::measured_laws();
  ordered_json found;
  found["exp_seconds"] = bench::exp_seconds();
  found["draws"] = many;
  for (const bench::Law& law : laws) found["laws"].push_back(measured(law));
  for (const bench::Law& law : laws) {
    if (law.scale != "2^10" || (law.number != "int64" && law.number != "double")) continue;
    for (const std::size_t numbers : {std::size_t{1}, std::size_t{100}})
      found["calls"].push_back(measured_call(law, numbers));
    found["memory_kilobytes"]["in_parts"][law.name] = peak_of_process(program, law.name, many / 10);
    found["memory_kilobytes"]["at_once"][law.name] = peak_of_process(program, law.name, many);
  }
  fmt::print("{}\n", found.dump(1));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 1) {
      measure_all(argv[0]);
    } else if (argc == 4 && std::string_view(argv[1]) == "--memory") {
      fmt::print("{}\n", peak_of_drawing(argv[2], std::stoul(argv[3])));
    } else {
      fmt::print(stderr, "usage: noise [--memory LAW NUMBERS]\n");
      return 2;
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "noise: {}\n", error.what());
    return 1;
  }
  return 0;
}
