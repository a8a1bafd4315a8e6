// A running account for training loops: add steps as they happen, ask at any time.
#pragma once

#include <cstdint>
#include <memory>

#include "renyi/account.h"
#include "renyi/cost.h"
#include "renyi/exact.h"
#include "renyi/plan.h"

namespace renyi {

// A value: copies go their own ways (a move copies). Const operations may be called from several threads at once.
// Every answer is the one that renyi_epsilon(plan(), ...) or ExactAccountant(plan(), ...) gives, to the last bit.
// To save and go on: write_plan(plan()), and later Accountant(read_plan(text)).
class Accountant {
 public:
  explicit Accountant(const Adjacency& relation = {}, const ExactOptions& exact = {});
  explicit Accountant(Neighbors neighbors, const ExactOptions& exact = {}) : Accountant(Adjacency{neighbors}, exact) {}
  // Goes on from there.
  explicit Accountant(const Plan& plan, const ExactOptions& exact = {});
  Accountant(const Accountant& other);
  Accountant& operator=(const Accountant& other);
  ~Accountant();

  // Checks as Plan::add does, and that the steps in all stay below 2^63; changes nothing when it throws.
  void step(const Mechanism& mechanism, std::int64_t count = 1);
  void step(const Plan& plan, std::int64_t count = 1);

  // In all, equal or not.
  std::int64_t steps() const noexcept;
  const Adjacency& adjacency() const noexcept;
  Neighbors neighbors() const noexcept { return adjacency().neighbors; }
  // Equal steps merged, in order of first use.
  Plan plan() const;

  // What the steps so far cost. How exact is the account's own affair: the options' exactness is not looked at.
  Cost cost(Figure figure, double at, const CostOptions& options = {}) const;
  EpsilonBound renyi_epsilon(double delta, const ConversionOptions& options = {}) const;
  DeltaBound renyi_delta(double epsilon, const ConversionOptions& options = {}) const;
  // Throw Unsupported where a step enters by bounds on its divergences only.
  ExactAnswer exact_epsilon(double delta) const;
  ExactAnswer exact_delta(double epsilon) const;

 private:
  class Ledger;
  std::unique_ptr<Ledger> ledger_;
};

}  // namespace renyi
