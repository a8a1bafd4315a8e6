// A running account for training loops: add steps as they happen, ask at any time.
#pragma once

#include <cstdint>
#include <memory>

#include "renyi/cost.h"
#include "renyi/plan.h"

namespace renyi {

// A value: copies go their own ways (a move copies). Const operations may be called from several threads at once.
// Every answer is the one that epsilon(plan(), ...) gives, to the last bit.
//
//     renyi::Accountant accountant;
//     for (int step = 0; step < 1000; ++step) {
//       accountant.step(renyi::SampledGaussian{.sampling_rate = 0.01, .noise_multiplier = 1.1});
//       if (accountant.epsilon(1e-5).upper() > 3) break;
//     }
//
// To save and go on: write_plan(accountant.plan()), and later Accountant(read_plan(text)).
class Accountant {
 public:
  explicit Accountant(const Adjacency& relation = {}, const ExactOptions& exact = {});
  explicit Accountant(Neighbors neighbors, const ExactOptions& exact = {}) : Accountant(Adjacency{neighbors}, exact) {}
  // The account goes on from the plan.
  explicit Accountant(const Plan& plan, const ExactOptions& exact = {});
  Accountant(const Accountant& other);
  Accountant& operator=(const Accountant& other);
  ~Accountant();

  // Checks as Plan::add does, and that the steps in all stay below 2^63; changes nothing when it throws.
  void step(const Mechanism& mechanism, std::int64_t count = 1);
  void step(const Plan& plan, std::int64_t count = 1);

  // The number of steps in all, equal or not.
  [[nodiscard]] std::int64_t steps() const noexcept;
  [[nodiscard]] const Adjacency& adjacency() const noexcept;
  [[nodiscard]] Neighbors neighbors() const noexcept { return adjacency().neighbors; }
  // The steps so far; equal ones are merged, in order of first use.
  [[nodiscard]] Plan plan() const;

  // What the steps so far cost. The exactness is that of the constructor: the options' own is not looked at.
  [[nodiscard]] Cost epsilon(double delta, const CostOptions& options = {}) const;
  [[nodiscard]] Cost delta(double epsilon, const CostOptions& options = {}) const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace renyi
