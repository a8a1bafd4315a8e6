// Fast answers against certified ones. Prints each disagreement as a line of JSON that repeats it, then the counts;
// exits with 1 if there was one, or if too few questions could be certified.
//
// Usage: crosscheck POINTS PLANS SEED [SECONDS]   random divergences and plans; stops after SECONDS
//        crosscheck FILE                          the questions of a file, one line of JSON each
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <limits>

#include "crosscheck/random_questions.h"
#include "crosscheck/tally.h"
#include "crosscheck/watchdog.h"

namespace {

using namespace renyi::crosscheck;

struct Run {
  std::uint64_t points = 0;
  std::uint64_t plans = 0;
  std::uint64_t seed = 1;
  double seconds = std::numeric_limits<double>::infinity();
};

class Clock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Far more than any question takes on a slow machine: only a hang takes longer.
constexpr std::chrono::seconds patience{3600};

void ask_and_count(const Question& question, Tally& tally) {
  static Watchdog watchdog(patience);
  watchdog.wait_for(write(question));
  tally.add(question, ask(question));
  watchdog.wait_for({});
}

void one_point(const Run& run, std::uint64_t number, Tally& tally) {
  auto inputs = inputs_of(run.seed, 2 * number);
  tally.count_point();
  ask_and_count(random_point(inputs), tally);
}

void one_plan(const Run& run, std::uint64_t number, Tally& tally) {
  auto inputs = inputs_of(run.seed, 2 * number + 1);
  const PlanAndDelta asked = random_plan(inputs);
  tally.count_plan();
  for (const Question& question : plan_questions(inputs, asked)) ask_and_count(question, tally);
}

// Points and plans in step, so that both get their share however early the time is up.
void random_run(const Run& run, Tally& tally, const Clock& clock) {
  std::uint64_t points = 0, plans = 0;
  while ((points < run.points || plans < run.plans) && clock.seconds() < run.seconds) {
    if (points * run.plans <= plans * run.points && points < run.points) {
      one_point(run, points++, tally);
    } else {
      one_plan(run, plans++, tally);
    }
  }
}

void replay(const char* file, Tally& tally) {
  std::ifstream lines(file);
  if (!lines) throw std::runtime_error(fmt::format("cannot read {}", file));
  for (std::string line; std::getline(lines, line);) {
    Question question = read_question(line);
    question.both_routes = true;
    ask_and_count(question, tally);
  }
}

int finish(const Tally& tally, const Clock& clock, const std::string& of) {
  fmt::print("{}crosscheck: {}, {}, {:.0f} s\n", tally.by_kind(), tally.summary(), of, clock.seconds());
  return tally.good() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  const Clock clock;
  Tally tally;
  if (argc == 2) {
    replay(argv[1], tally);
    return finish(tally, clock, argv[1]);
  }
  if (argc < 4) {
    fmt::print(stderr, "usage: crosscheck POINTS PLANS SEED [SECONDS] | crosscheck FILE\n");
    return 2;
  }
  Run run{std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[2], nullptr, 10),
          std::strtoull(argv[3], nullptr, 10)};
  if (argc > 4) run.seconds = std::strtod(argv[4], nullptr);
  random_run(run, tally, clock);
  return finish(tally, clock, fmt::format("seed {}", run.seed));
} catch (const std::exception& error) {
  fmt::print(stderr, "crosscheck: {}\n", error.what());
  return 2;
}
