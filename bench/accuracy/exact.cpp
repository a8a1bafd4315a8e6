// Compares exact intervals of random plans with certified ones, by engine.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "accuracy/sections.h"
#include "crosscheck/ask.h"
#include "crosscheck/random_questions.h"

namespace renyi::bench {

namespace {

using namespace renyi::crosscheck;

struct Row {
  std::uint64_t questions = 0;
  std::uint64_t violations = 0;
  std::uint64_t not_certified = 0;
  double distance = 0;  // relative distance between a bound and the certified one
  double width = 0;     // relative width of the certified interval

  void add(const Outcome& outcome) {
    ++questions;
    violations += outcome.broken.empty() ? 0 : 1;
    not_certified += outcome.not_certified.empty() ? 0 : 1;
    if (!outcome.certified) return;
    const Truth truth(outcome.certified->value);
    distance = std::max(distance, outcome.relative_error());
    if (truth.lower > 0) width = std::max(width, static_cast<double>((truth.upper - truth.lower) / truth.upper));
  }
};

std::string name_of(const Question& question, const Outcome& outcome) {
  if (!outcome.engine) return "Renyi epsilon | at its order";
  return fmt::format("{} | {}", to_string(question.figure), to_string(*outcome.engine));
}

}  // namespace

void print_exact(std::uint64_t plans, std::uint64_t seed) {
  std::map<std::string, Row> rows;
  for (std::uint64_t number = 0; number < plans; ++number) {
    auto inputs = inputs_of(seed, 2 * number + 1);
    const PlanAndDelta asked = random_plan(inputs);
    for (const Question& question : plan_questions(inputs, asked)) {
      const Outcome outcome = ask(question);
      rows[name_of(question, outcome)].add(outcome);
    }
  }
  fmt::print(
      "## Exact\n"
      "Epsilon and delta of {} random plans, one to three kinds of steps, counts 1..1e6, delta 1e-30..0.5. The "
      "distance "
      "is that of\nan end of the fast interval from the certified one, relative to it: how much wider the fast "
      "interval is. The Renyi\nbound has an upper end only.\n\n"
      "| figure | engine | questions | laws broken | not certified | largest distance | widest certified, relative |\n"
      "|---|---|---|---|---|---|---|\n",
      plans);
  for (const auto& [name, row] : rows) {
    fmt::print("| {} | {} | {} | {} | {:.1e} | {:.1e} |\n", name, row.questions, row.violations, row.not_certified,
               row.distance, row.width);
  }
  fmt::print("\n");
}

}  // namespace renyi::bench
