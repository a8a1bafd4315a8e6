#include "exact/alternatives.h"

#include <fmt/format.h>

#include <algorithm>

#include "plan/count_product.h"
#include "plan/parallel_curve.h"
#include "renyi/error.h"

namespace renyi::exact {

namespace {

using Run = std::vector<CountedMechanism>;

// Every choice within one step, run `count` times.
std::vector<Run> choices(const CountedMechanism& step) {
  const auto parallel = plan::parallel_curve_of(step.mechanism);
  if (!parallel) return {{step}};
  std::vector<Run> result;
  for (const auto& part : parallel->parts()) {
    for (Run run : alternatives(part.steps)) {
      for (CountedMechanism& each : run) each.count = plan::count_product(each.count, step.count);
      result.push_back(std::move(run));
    }
  }
  return result;
}

}  // namespace

bool has_parallel(const Run& steps) {
  return std::any_of(steps.begin(), steps.end(),
                     [](const CountedMechanism& step) { return plan::parallel_curve_of(step.mechanism) != nullptr; });
}

std::vector<Run> alternatives(const Run& steps) {
  std::vector<Run> result{{}};
  for (const CountedMechanism& step : steps) {
    std::vector<Run> longer;
    const std::vector<Run> all = choices(step);
    if (all.size() * result.size() > most_alternatives) {
      throw Unsupported("steps", fmt::format("more than {} choices of parallel parts", most_alternatives),
                        "ask for the Renyi bound");
    }
    for (const Run& begun : result) {
      for (const Run& choice : all) {
        longer.push_back(begun);
        longer.back().insert(longer.back().end(), choice.begin(), choice.end());
      }
    }
    result = std::move(longer);
  }
  return result;
}

}  // namespace renyi::exact
