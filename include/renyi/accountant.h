// An accountant for training loops: steps are added as they happen, and the cost can be computed at any time.
#pragma once

#include <cstdint>
#include <memory>

#include "renyi/cost.h"
#include "renyi/plan.h"

namespace renyi {

// Accumulates steps and computes their cost. Copies are independent, and a move makes a copy. Const member functions
// may be called from several threads at once. Every answer is the same, to the last bit, as that of the free functions
// `epsilon` and `delta` for plan().
//
//     const renyi::SampledGaussian step{.sampling_rate = renyi::poisson_rate(60'000, 256),  // renyi/run.h
//                                       .noise_multiplier = 1.1};
//     renyi::Accountant accountant;
//     for (;;) {
//       renyi::Accountant next = accountant;
//       next.step(step);
//       if (next.epsilon(1e-5).upper() > 3) break;  // the step would exceed the budget: it is not run
//       train_on_one_batch();
//       accountant = next;
//     }
//
// The answers hold for steps whose parameters and number do not depend on the data or on earlier outputs. Stopping at a
// budget, as above, is covered, because the cost itself does not depend on the data. `sampling_rate` stands for Poisson
// sampling: a loader that shuffles the records is not covered by it (renyi/run.h warns about this).
//
// To save the state and resume later, use write_plan(accountant.plan()) and Accountant(read_plan(text), exact) with the
// same options. write_plan throws Unsupported if a step is a custom mechanism, which has no stored form.
class Accountant {
 public:
  explicit Accountant(const Adjacency& relation = {}, const ExactOptions& exact = {});
  explicit Accountant(Neighbors neighbors, const ExactOptions& exact = {}) : Accountant(Adjacency{neighbors}, exact) {}
  // The accountant starts with the steps, the relation and the unit of the plan.
  explicit Accountant(const Plan& plan, const ExactOptions& exact = {});
  Accountant(const Accountant& other);
  Accountant& operator=(const Accountant& other);
  ~Accountant();

  // Adds steps. These functions make the same checks as Plan::add, and check that the total number of steps stays below
  // 2^63. If they throw, they do not change the accountant.
  void step(const Mechanism& mechanism, std::int64_t count = 1);
  void step(const Plan& plan, std::int64_t count = 1);

  // Returns the total number of steps.
  [[nodiscard]] std::int64_t steps() const noexcept;
  [[nodiscard]] const Adjacency& adjacency() const noexcept;
  [[nodiscard]] Neighbors neighbors() const noexcept { return adjacency().neighbors; }
  // Returns the steps so far as a plan. Equal steps are merged, in the order of their first use.
  [[nodiscard]] Plan plan() const;

  // Computes the cost of the steps so far. The ExactOptions of the constructor are used; CostOptions::exactness is
  // ignored.
  [[nodiscard]] Cost epsilon(double delta, const CostOptions& options = {}) const;
  [[nodiscard]] Cost delta(double epsilon, const CostOptions& options = {}) const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace renyi
