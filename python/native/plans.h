// Plans of one mechanism, by the numbers that a training run is known by; one or many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "renyi/plan.h"

namespace renyi::python {

Neighbors neighbors_named(const std::string& name);

// Gaussian noise, with the caller's name for what is wrong with it.
Mechanism noise(double noise_multiplier);

// Without a sampling rate every step sees every record.
Plan run_plan(std::optional<double> sampling_rate, double noise_multiplier, std::int64_t steps,
              const Adjacency& relation);

// Many plans, each given by an index below size(): runs by their numbers, or plans as they are.
class Plans {
 public:
  // Without sampling rates every step sees every record.
  Plans(std::vector<double> sampling_rates, std::vector<double> noise_multipliers, std::vector<std::int64_t> steps,
        const Adjacency& relation);
  explicit Plans(std::vector<Plan> plans) : plans_(std::move(plans)), size_(plans_.size()) {}

  std::size_t size() const noexcept { return size_; }
  Plan at(std::size_t i) const;
  // Whether the plans of i and i + 1 are surely the same.
  bool same_as_next(std::size_t i) const;

 private:
  std::vector<Plan> plans_;
  std::vector<double> rates_, noises_;
  std::vector<std::int64_t> steps_;
  Adjacency relation_;
  std::size_t size_ = 0;
};

}  // namespace renyi::python
