// The steps of an accountant: merged as they come, with what earlier questions have set up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "renyi/accountant.h"

namespace renyi {

class Accountant::Ledger {
 public:
  Ledger(const Adjacency& relation, const ExactOptions& options) : relation_(relation), options_(options) {}
  Ledger(const Ledger& other);
  Ledger& operator=(const Ledger&) = delete;

  const Adjacency& adjacency() const { return relation_; }
  Plan empty_plan() const { return Plan(relation_.neighbors, relation_.unit); }
  const ExactOptions& options() const { return options_; }
  std::int64_t steps() const { return steps_; }
  const std::vector<CountedMechanism>& merged() const { return merged_; }

  // All of them or, with an exception, none. No two are equal.
  void add(const std::vector<CountedMechanism>& distinct);

  // The same as the mathematics sees them.
  std::vector<CountedMechanism> analysed() const;
  // The curve of all steps, composed of curves that are kept; set up at most once between two steps.
  std::shared_ptr<const Curve> curve() const;

 private:
  struct Hash {
    std::size_t operator()(const Mechanism& mechanism) const;
  };

  Adjacency relation_;
  ExactOptions options_;
  std::vector<CountedMechanism> merged_;
  std::unordered_map<Mechanism, std::size_t, Hash> where_;  // in merged_
  std::int64_t steps_ = 0;

  mutable std::mutex mutex_;  // of what follows
  struct Analysed {
    Mechanism mechanism;
    std::shared_ptr<const Curve> curve;
  };
  void analyse_new_ones() const;  // with the lock held

  mutable std::vector<Analysed> analysed_;         // of the first of merged_
  mutable std::shared_ptr<const Curve> composed_;  // of all, or nothing
};

}  // namespace renyi
