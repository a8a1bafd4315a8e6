// Measures a sweep of exact epsilons as a user runs it: by the command, on one thread and on two. One million
// configurations over the domain take at most 12,000 exp of core time each, and two threads are within 1.3 of twice as
// fast.
//   sweep [CONFIGURATIONS]   (default 20000; the claim is about 1000000)
// The table is written to standard error, and the JSON that bench/report reads to standard output.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "timing.h"

namespace {

struct Cost {
  double wall = 0;
  double core = 0;    // user and system time of all threads
  double memory = 0;  // MiB at its peak
};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// The rows are discarded: writing to a disk is not measured.
Cost run(const std::string& grid, unsigned jobs) {
  const std::string count = fmt::format("{}", jobs);
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
    execl(RENYI_BINARY, "renyi", "sweep", grid.c_str(), "--jobs", count.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw std::runtime_error("the sweep failed");
  }
  return {.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          .core = seconds(usage.ru_utime) + seconds(usage.ru_stime),
          .memory = static_cast<double>(usage.ru_maxrss) / 1024};
}

// q from 1e-3 to 0.1, sigma from 0.8 to 8, T from 1e4 to 1e6, `points` of each.
std::string exact_grid(long points) {
  return fmt::format(
      R"({{"renyi-sweep":1,"request":{{"op":"epsilon","steps":[{{"mechanism":"sampled-gaussian",)"
      R"("sampling_rate":{{"from":1e-3,"to":0.1,"points":{0},"scale":"log"}},)"
      R"("noise_multiplier":{{"from":0.8,"to":8,"points":{0},"scale":"log"}},)"
      R"("count":{{"from":1e4,"to":1e6,"points":{0},"scale":"log"}}}}],"delta":1e-5,"want":["exact"]}}}})",
      points);
}

// The steps need negligible time, so that the work of the sweep itself remains.
std::string idle_grid(long points) {
  return fmt::format(R"({{"renyi-sweep":1,"request":{{"op":"epsilon","steps":[{{"mechanism":"pure-dp",)"
                     R"("epsilon":{{"from":0,"to":1,"points":{0}}},"count":{{"from":1e4,"to":1e6,"points":{0}}}}}],)"
                     R"("delta":{{"from":0.1,"to":1,"points":{0}}},"want":["renyi"]}}}})",
                     points);
}

struct Measured {
  double cost = 0;          // core time of one configuration on two threads, in exp
  double from_perfect = 0;  // 1 if two threads take half the time
};

struct Table {
  std::vector<std::vector<std::string>> rows{};

  void add(const char* what, double configurations, unsigned jobs, const Cost& cost, double each) {
    rows.push_back({what, fmt::format("{:.0f}", configurations), fmt::format("{}", jobs),
                    fmt::format("{:.1f} s", cost.wall), fmt::format("{:.1f} s", cost.core), fmt::format("{:.0f}", each),
                    fmt::format("{:.0f} MiB", cost.memory)});
    fmt::print(stderr, "{}\n", fmt::join(rows.back(), "  "));
  }
};

Measured measure(const char* what, const std::string& grid, long points, const std::string& file, Table& table) {
  std::ofstream(file) << grid;
  const auto configurations = static_cast<double>(points * points * points);
  const double unit = bench::exp_seconds();
  const auto run_on = [&](unsigned jobs) {
    const Cost cost = run(file, jobs);
    table.add(what, configurations, jobs, cost, cost.core / configurations / unit);
    return cost;
  };
  const Cost one = run_on(1), two = run_on(2);
  return {.cost = two.core / configurations / unit, .from_perfect = 2 * two.wall / one.wall};
}

nlohmann::ordered_json document(const Table& table, const Measured& exact) {
  return {
      {"note",
       "renyi sweep, the whole command, rows to nowhere. Exact: q from 1e-3 to 0.1, noise from 0.8 to 8, 1e4 to 1e6 "
       "steps, delta = 1e-5. Idle: steps that cost next to nothing, so what is left is the sweep's own work."},
      {"columns", {"sweep", "configurations", "threads", "time", "core time", "exp each", "memory"}},
      {"rows", table.rows},
      {"criteria",
       {{{"what", "sweep of exact configurations on two cores: exp of core time each"},
         {"measured", exact.cost},
         {"limit", 12'000}},
        {{"what", "the same: from perfect scaling from one core to two"},
         {"measured", exact.from_perfect},
         {"limit", 1.3}}}}};
}

}  // namespace

int main(int argc, char** argv) {
  const double configurations = argc > 1 ? std::strtod(argv[1], nullptr) : 20'000;
  if (!(configurations >= 8 && configurations <= 1e9)) {
    fmt::print(stderr, "usage: {} [CONFIGURATIONS], from 8 to 1e9\n", argv[0]);
    return 2;
  }
  const long points = std::lround(std::cbrt(configurations));
  std::string file = "/tmp/renyi-bench-sweep-XXXXXX";
  const int made = mkstemp(file.data());
  if (made < 0) return 2;
  close(made);
  try {
    Table table;
    const Measured exact = measure("exact", exact_grid(points), points, file, table);
    measure("idle", idle_grid(points), points, file, table);
    fmt::print("{}\n", document(table, exact).dump(1));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    unlink(file.c_str());
    return 1;
  }
  unlink(file.c_str());
  return 0;
}
