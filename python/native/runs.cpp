#include "runs.h"

#include <array>
#include <stdexcept>
#include <utility>

#include "named.h"
#include "renyi/error.h"

namespace renyi::python {

Neighbors neighbors_named(const std::string& name) {
  return named("neighbors", name,
               std::array{Neighbors::add_or_remove_one, Neighbors::replace_one, Neighbors::zero_out});
}

namespace {

Mechanism noise(double noise_multiplier) {
  try {
    return Gaussian{.stddev = noise_multiplier};
  } catch (const InvalidArgument& error) {
    throw InvalidArgument("noise_multiplier", error.value(), error.allowed());
  }
}

// The caller's name for a count.
void add(Plan& plan, const Mechanism& mechanism, std::int64_t steps) {
  try {
    plan.add(mechanism, steps);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument("steps", error.value(), error.allowed());
  }
}

}  // namespace

Plan run_plan(std::optional<double> sampling_rate, double noise_multiplier, std::int64_t steps,
              const Adjacency& relation) {
  Plan plan(relation.neighbors, relation.unit);
  if (sampling_rate) {
    add(plan, SampledGaussian{*sampling_rate, noise_multiplier}, steps);
  } else {
    add(plan, noise(noise_multiplier), steps);
  }
  return plan;
}

Plans::Plans(std::vector<double> sampling_rates, std::vector<double> noise_multipliers, std::vector<std::int64_t> steps,
             const Adjacency& relation)
    : rates_(std::move(sampling_rates)),
      noises_(std::move(noise_multipliers)),
      steps_(std::move(steps)),
      relation_(relation),
      size_(noises_.size()) {
  if (steps_.size() != size_ || (!rates_.empty() && rates_.size() != size_)) {
    throw std::logic_error("columns of different lengths");
  }
}

Plan Plans::at(std::size_t i) const {
  if (!plans_.empty()) return plans_[i];
  return run_plan(rates_.empty() ? std::nullopt : std::optional(rates_[i]), noises_[i], steps_[i], relation_);
}

bool Plans::same_as_next(std::size_t i) const {
  return plans_.empty() && noises_[i] == noises_[i + 1] && steps_[i] == steps_[i + 1] &&
         (rates_.empty() || rates_[i] == rates_[i + 1]);
}

}  // namespace renyi::python
