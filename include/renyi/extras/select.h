// Private selection, for example to tune hyperparameters: a list of steps is run a random number of times, each run
// gives a result and its quality, and only the best result is published (Papernot, Steinke 2022;
// docs/math/selection.md).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "renyi/plan.h"

namespace renyi {

// The distribution of the number of runs.
enum class RunsLaw {
  geometric,          // at least 1 run; the parameter is `mean`
  logarithmic,        // at least 1 run; the probability of k runs is proportional to (1-gamma)^k / k
  negative_binomial,  // truncated, at least 1 run; eta > -1 and gamma; eta 1 is geometric, eta 0 is logarithmic
  poisson,            // may be 0 runs, and nothing is published then; the parameter is `mean`
};
inline constexpr std::array all_runs_laws{RunsLaw::geometric, RunsLaw::logarithmic, RunsLaw::negative_binomial,
                                          RunsLaw::poisson};

// Returns "geometric", "logarithmic", "negative-binomial" or "poisson".
[[nodiscard]] std::string_view to_string(RunsLaw law) noexcept;

// The number of runs as a random variable. It is drawn in advance, independently of the records, and is kept secret.
// The parameters of other distributions are 0.
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

  // Returns the parameters of the distribution, in the order of `parameters(law)`.
  [[nodiscard]] std::vector<double> values() const;
  // Returns a copy in which one parameter is changed. The new value is not checked. Throws InvalidArgument if the
  // distribution has no parameter of this name.
  [[nodiscard]] Runs with(std::string_view parameter, double value) const;
  // Checks all parameters. Throws InvalidArgument that names the parameter, its value and what is allowed.
  void check() const;
  // Returns the expected number of runs, rounded up to the next double.
  [[nodiscard]] double expected() const;

  bool operator==(const Runs&) const = default;
};

// Returns the parameters of a distribution: their names, meanings, ranges and defaults.
[[nodiscard]] std::span<const Parameter> parameters(RunsLaw law);

// The largest depth of nested selections. It is limited because one order of a selection needs many orders of the steps
// inside.
inline constexpr int deepest_selection = 4;

// A selection as a step of a plan: the steps of one run, and the number of runs. The steps of a run may use sampling,
// but the selection as a whole may not.
//
//     const renyi::Steps run{{renyi::SampledGaussian{.sampling_rate = 0.01, .noise_multiplier = 1.1}, 1000}};
//     plan.add(renyi::Select(run, renyi::Runs::geometric(10)));
class Select {
 public:
  // Throws InvalidArgument if a parameter of `runs` is out of range, or if selections are nested too deeply.
  Select(Steps steps, const Runs& runs);

  [[nodiscard]] const Steps& steps() const noexcept { return *steps_; }  // the steps of one run
  [[nodiscard]] const Runs& runs() const noexcept { return runs_; }
  // Returns how deeply selections are nested; 1 if there are none inside.
  [[nodiscard]] int depth() const noexcept { return depth_; }
  // Selections are equal if they have the same steps, in the same order, and the same distribution of runs.
  bool operator==(const Select& other) const;

 private:
  std::shared_ptr<const Steps> steps_;
  Runs runs_;
  int depth_ = 1;  // how deeply selections are nested
};

}  // namespace renyi
