// Composition: steps, counts, nesting, and the sum of their curves.
#pragma once

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "renyi/mechanism.h"

namespace renyi {

struct Step;
using Steps = std::vector<Step>;

// A mechanism, or a group of steps, run `count` times.
struct Step {
  std::variant<Mechanism, Steps> what;
  std::int64_t count = 1;
};

// One mechanism and how often it runs in all.
struct CountedMechanism {
  Mechanism mechanism;
  std::int64_t count = 1;
};

class Plan {
 public:
  explicit Plan(Neighbors neighbors = Neighbors::add_or_remove_one) : neighbors_(neighbors) {}

  // Checks the count (1 to 2^63-1, also after nesting), the depth and the
  // neighbouring relation of every mechanism, or throws and changes nothing.
  Plan& add(Mechanism mechanism, std::int64_t count = 1);
  Plan& add(Steps group, std::int64_t count = 1);
  Plan& add(const Plan& plan, std::int64_t count = 1);

  Neighbors neighbors() const noexcept { return neighbors_; }
  const Steps& steps() const noexcept { return steps_; }

  // Nesting multiplied out, equal mechanisms merged, in order of first use.
  // Throws InvalidArgument when a total exceeds 2^63-1.
  std::vector<CountedMechanism> merged() const;

 private:
  Neighbors neighbors_;
  Steps steps_;
};

// The curve of the whole plan: the only place where counts enter.
std::shared_ptr<const Curve> compose(const Plan& plan);
std::shared_ptr<const Curve> compose(const std::vector<CountedMechanism>& mechanisms);

}  // namespace renyi
