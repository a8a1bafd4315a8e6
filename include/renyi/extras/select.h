// Private selection, as in tuning: a list of steps is run a random number of times, each run gives a result and its
// quality, and only the best result is published (docs/math/selection.md).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "renyi/plan.h"

namespace renyi {

enum class RunsLaw {
  geometric,          // from 1, with that mean
  logarithmic,        // from 1, with P[k] in proportion to (1-gamma)^k / k
  negative_binomial,  // from 1, truncated: eta > -1 and gamma; eta 1 is geometric, eta 0 logarithmic
  poisson,            // from 0, with that mean; without a run nothing is published
};
inline constexpr std::array all_runs_laws{RunsLaw::geometric, RunsLaw::logarithmic, RunsLaw::negative_binomial,
                                          RunsLaw::poisson};

// "geometric", "logarithmic", "negative-binomial", "poisson".
std::string_view to_string(RunsLaw law) noexcept;

// How many runs there are: drawn beforehand, whatever the records, and kept secret. Numbers of other laws are 0.
struct Runs {
  RunsLaw law = RunsLaw::geometric;
  double mean = 0;
  double eta = 0;
  double gamma = 0;

  static Runs geometric(double mean) { return {.law = RunsLaw::geometric, .mean = mean}; }
  static Runs logarithmic(double gamma) { return {.law = RunsLaw::logarithmic, .gamma = gamma}; }
  static Runs negative_binomial(double eta, double gamma) {
    return {.law = RunsLaw::negative_binomial, .eta = eta, .gamma = gamma};
  }
  static Runs poisson(double mean) { return {.law = RunsLaw::poisson, .mean = mean}; }

  // The numbers of the law, in the order of `parameters(law)`.
  std::vector<double> values() const;
  // With one of them changed. Throws InvalidArgument for another name.
  Runs with(std::string_view parameter, double value) const;
  // Throws InvalidArgument that names the number, its value and what is allowed.
  void check() const;
  // How many runs there are on average, rounded up.
  double expected() const;

  bool operator==(const Runs&) const = default;
};

// What a law needs to know.
std::span<const Parameter> parameters(RunsLaw law);

// Every order of a selection asks for many of what is inside.
inline constexpr int deepest_selection = 4;

// A step of a plan: the steps of one run, and how many runs there are. The number of runs is no sampling of records;
// steps of a run may be sampled, the whole may not.
class Select {
 public:
  // Throws InvalidArgument for numbers of `runs` out of range, and for selections too deep inside one another.
  Select(Steps steps, const Runs& runs);

  const Steps& steps() const noexcept { return *steps_; }  // of one run
  const Runs& runs() const noexcept { return runs_; }
  int depth() const noexcept { return depth_; }
  // The same steps, in the same order, and the same law of runs.
  bool operator==(const Select& other) const;

 private:
  std::shared_ptr<const Steps> steps_;
  Runs runs_;
  int depth_ = 1;  // of selections inside one another
};

}  // namespace renyi
