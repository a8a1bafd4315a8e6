// Measures what a ledger costs: a charge (synchronisation, and CPU beside it), charges in batches, concurrent writers
// (threads of one program, and processes), and a ledger with a million entries.
//
//     build/bench/ledger DIRECTORY [POSTGRESQL-LOCATION]
#include "renyi/ledger.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "renyi/renyi.h"

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return of(used.ru_utime) + of(used.ru_stime);
}

double megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  }
  return 0;
}

renyi::ChargeRequest step(double stddev = 1000) {
  return {.scope = "organisation/dataset", .steps = renyi::Plan().add(renyi::Gaussian{.stddev = stddev})};
}

renyi::Ledger make(const std::string& location) {
  renyi::Ledger ledger = renyi::Ledger::create(location);
  ledger.add_scope("organisation", {.budget = renyi::Budget::zcdp(1e6)});
  ledger.add_scope("organisation/dataset", {.budget = renyi::Budget::zcdp(1e6)});
  return ledger;
}

// Charges a second, by one writer.
double single(renyi::Ledger& ledger, int charges) {
  for (int i = 0; i < 100; ++i) ledger.charge(step());
  const double cpu = cpu_seconds();
  const auto start = Clock::now();
  for (int i = 0; i < charges; ++i) ledger.charge(step());
  const double wall = seconds_since(start), used = cpu_seconds() - cpu;
  fmt::print("one writer                {:8.0f} charges/s, {:6.1f} us each, of which CPU {:5.1f} us\n", charges / wall,
             1e6 * wall / charges, 1e6 * used / charges);
  return charges / wall;
}

void batches(renyi::Ledger& ledger, double one, int count) {
  const std::vector<renyi::Ledger::Charge> batch(100, {step(), {}});
  ledger.charge_all(batch);
  const auto start = Clock::now();
  for (int i = 0; i < count; ++i) ledger.charge_all(batch);
  const double rate = 100 * count / seconds_since(start);
  fmt::print("batches of 100            {:8.0f} charges/s, {:6.1f} times one writer\n", rate, rate / one);
}

void threads(renyi::Ledger& ledger, double one, int writers, int each) {
  std::vector<std::thread> running;
  const auto start = Clock::now();
  for (int i = 0; i < writers; ++i) {
    running.emplace_back([&] {
      for (int k = 0; k < each; ++k) ledger.charge(step());
    });
  }
  for (std::thread& thread : running) thread.join();
  const double rate = writers * each / seconds_since(start);
  fmt::print("{} threads, one ledger    {:8.0f} charges/s, {:6.1f} times one writer\n", writers, rate, rate / one);
}

// Processes wait for each other at a pipe, so that opening is not measured.
void processes(const std::string& location, double one, int writers, int each) {
  int ready[2], go[2];
  if (pipe(ready) != 0 || pipe(go) != 0) return;
  for (int i = 0; i < writers; ++i) {
    if (fork() != 0) continue;
    int status = 1;
    try {
      renyi::Ledger ledger(location);
      ledger.charge(step());
      char byte = 0;
      if (write(ready[1], &byte, 1) == 1 && read(go[0], &byte, 1) == 1) {
        for (int k = 0; k < each; ++k) ledger.charge(step());
        status = 0;
      }
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
    }
    _exit(status);
  }
  char byte = 0;
  for (int i = 0; i < writers; ++i) {
    if (read(ready[0], &byte, 1) != 1) return;
  }
  const auto start = Clock::now();
  const std::string all(static_cast<std::size_t>(writers), 'g');
  if (write(go[1], all.data(), all.size()) < 0) return;
  for (int i = 0; i < writers; ++i) wait(nullptr);
  const double rate = writers * each / seconds_since(start);
  fmt::print("{} processes              {:8.0f} charges/s, {:6.1f} times one writer\n", writers, rate, rate / one);
  for (const int end : {ready[0], ready[1], go[0], go[1]}) close(end);
}

void measure(const std::string& location) {
  renyi::Ledger ledger = make(location);
  const double one = single(ledger, 4000);
  batches(ledger, one, 200);
  threads(ledger, one, 64, 500);
  processes(location, one, 64, 300);
  const auto start = Clock::now();
  const auto verified = ledger.verify();
  fmt::print("verify                    {} entries in {:.2f} s: {}\n", verified.entries, seconds_since(start),
             verified.valid ? "valid" : verified.fault);
}

// In a process of its own, so that its memory is that of one that opens and asks.
void many_entries(const std::string& location, int entries, int kinds) {
  {
    renyi::Ledger ledger = make(location);
    for (int done = 0; done < entries; done += 1000) {
      std::vector<renyi::Ledger::Charge> batch;
      for (int i = 0; i < 1000; ++i) batch.push_back({step(1000 + (done + i) % kinds), {}});
      ledger.charge_all(batch);
    }
  }
  fflush(stdout);
  if (fork() == 0) {
    execl("/proc/self/exe", "ledger", "--open", location.c_str(), nullptr);
    _exit(1);
  }
  wait(nullptr);
}

void open_and_ask(const std::string& location) {
  const auto start = Clock::now();
  const renyi::Ledger ledger(location);
  const bool runs = ledger.may_run(step()).accepted;
  fmt::print("open, and \"may I?\": {} in {:.1f} ms, {:.0f} MB; the log ends at entry {}\n", runs,
             1e3 * seconds_since(start), megabytes(), ledger.head().entry);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--open") {
    open_and_ask(argv[2]);
    return 0;
  }
  if (argc < 2) {
    fmt::print(stderr, "usage: ledger DIRECTORY [POSTGRESQL-LOCATION]\n");
    return 2;
  }
  const std::string directory = std::string(argv[1]) + "/renyi-ledger-bench";
  std::filesystem::remove_all(directory);
  std::filesystem::create_directories(directory);
  fmt::print("SQLite\n");
  measure(directory + "/one.ledger");
  if (argc > 2) {
    fmt::print("PostgreSQL\n");
    measure(argv[2]);
  }
  const char* entries = std::getenv("ENTRIES");
  const int count = entries != nullptr ? std::atoi(entries) : 1'000'000;
  fmt::print("a ledger of {} charges, of one kind, and of 100,000 kinds\n", count);
  many_entries(directory + "/many.ledger", count, 1);
  many_entries(directory + "/kinds.ledger", count, 100'000);
  std::filesystem::remove_all(directory);
}
