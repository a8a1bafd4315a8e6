// Composition: steps, counts, nesting, and the sum of their curves.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "renyi/mechanism.h"

namespace renyi {

namespace plan {
class AnalysedOnce;
}

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
  // Throws InvalidArgument unless `unit` is from 1 to largest_unit.
  explicit Plan(Neighbors neighbors = Neighbors::add_or_remove_one, std::int64_t unit = 1);

  // Checks the count (1 to 2^63-1, also after nesting), the depth and the
  // neighbouring relation of every mechanism, or throws and changes nothing.
  Plan& add(Mechanism mechanism, std::int64_t count = 1);
  Plan& add(Steps group, std::int64_t count = 1);
  Plan& add(const Plan& plan, std::int64_t count = 1);

  Neighbors neighbors() const noexcept { return relation_.neighbors; }
  // Neighbours differ in up to so many records: those of one person.
  std::int64_t unit() const noexcept { return relation_.unit; }
  const Adjacency& adjacency() const noexcept { return relation_; }
  const Steps& steps() const noexcept { return steps_; }

  // Nesting multiplied out, equal mechanisms merged, in order of first use.
  // Throws InvalidArgument when a total exceeds 2^63-1.
  std::vector<CountedMechanism> merged() const;
  // The same steps as the mathematics sees them under the relation (`analysed`): what every answer is computed from.
  std::vector<CountedMechanism> analysed() const;

 private:
  Adjacency relation_;
  Steps steps_;
  std::shared_ptr<plan::AnalysedOnce> analysed_once_;  // of the steps, shared with copies
};

// Several lists of steps, each run on its own part of the records: a person's record lies in one part, and the part
// that costs most counts. The parts are the same every time the step runs.
class Parallel {
 public:
  explicit Parallel(std::vector<Steps> parts) : parts_(std::make_shared<const std::vector<Steps>>(std::move(parts))) {}

  const std::vector<Steps>& parts() const noexcept { return *parts_; }
  bool operator==(const Parallel& other) const { return parts_ == other.parts_; }

 private:
  std::shared_ptr<const std::vector<Steps>> parts_;
};

// What figures of the plan take for granted beyond what it says, in words: of steps that run over rounds, that a record
// more or less moves no other record to another round. Empty for most plans.
std::string assumption(const Plan& plan);

// A step of truncated Poisson sampling, and how often the other records fill its batch at most (renyi/sampling.h).
struct Overflow {
  std::string path;  // "steps[0]", "steps[1].parallel[0][2]"
  double probability = 0;
};
std::vector<Overflow> overflows(const Plan& plan);

// The mechanism as the mathematics sees it under a relation: one whose curve needs no relation. Throws Unsupported
// where it is not analysed there, and says why (docs/math/sampling.md).
Mechanism analysed(const Mechanism& mechanism, const Adjacency& relation);

// What the plan would be if its shuffled epochs were drawn by Poisson sampling: as many steps, each at rate 1/batches,
// under the same relation. Nothing if it has none. It says nothing about the plan that was run.
std::optional<Plan> under_poisson(const Plan& plan);

// The curve of the whole plan: the only place where counts enter. Steps are as Plan::analysed() gives them.
std::shared_ptr<const Curve> compose(const Plan& plan);
std::shared_ptr<const Curve> compose(const std::vector<CountedMechanism>& mechanisms);

}  // namespace renyi
