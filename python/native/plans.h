// Makes one or many plans of one mechanism from the numbers of a training run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "renyi/plan.h"

namespace renyi::python {

Neighbors neighbors_named(const std::string& name);

// Makes Gaussian noise; errors name the argument that the caller gave.
Mechanism noise(double noise_multiplier);

// Without a sampling rate, every step uses all records.
Plan run_plan(std::optional<double> sampling_rate, double noise_multiplier, std::int64_t steps,
              const Adjacency& relation);

// Many plans, each accessed by an index below size(): runs given by their numbers, or plans.
class Plans {
 public:
  // Without sampling rates, every step uses all records.
  Plans(std::vector<double> sampling_rates, std::vector<double> noise_multipliers, std::vector<std::int64_t> steps,
        const Adjacency& relation);
  explicit Plans(std::vector<Plan> plans) : plans_(std::move(plans)), size_(plans_.size()) {}

  std::size_t size() const noexcept { return size_; }
  Plan at(std::size_t i) const;
  // Returns true if plans i and i + 1 are certainly equal.
  bool same_as_next(std::size_t i) const;

 private:
  std::vector<Plan> plans_;
  std::vector<double> rates_, noises_;
  std::vector<std::int64_t> steps_;
  Adjacency relation_;
  std::size_t size_ = 0;
};

}  // namespace renyi::python
