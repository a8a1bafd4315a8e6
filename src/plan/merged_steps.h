// Steps that are merged as they come: one entry for each distinct mechanism, with its total count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "renyi/plan.h"

namespace renyi::plan {

struct MechanismHash {
  std::size_t operator()(const Mechanism& mechanism) const;
};

class MergedSteps {
 public:
  // Adds all steps or, if it throws, none. No two of them are equal. Throws InvalidArgument if the total number of
  // steps exceeds 2^63-1.
  void add(const std::vector<CountedMechanism>& distinct);

  // Throws InvalidArgument if these steps cannot be added, because all would be more than 2^63-1.
  void check_total(const std::vector<CountedMechanism>& more) const;

  const std::vector<CountedMechanism>& list() const noexcept { return list_; }  // in the order of their first use
  std::optional<std::size_t> find(const Mechanism& mechanism) const;
  std::int64_t total() const noexcept { return total_; }

 private:
  std::vector<CountedMechanism> list_;
  std::unordered_map<Mechanism, std::size_t, MechanismHash> where_;  // the index in list_
  std::int64_t total_ = 0;
};

// Returns the steps of the plan with every count multiplied by `count`.
std::vector<CountedMechanism> repeated(const Plan& plan, std::int64_t count);

}  // namespace renyi::plan
