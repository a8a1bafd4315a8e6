// Plans: what was run, step by step; plan files; and the analysis of a plan, which every question takes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "renyi/mechanism.h"

namespace renyi {

namespace plan {
class AnalysisCache;
}

struct Step;
using Steps = std::vector<Step>;

// A mechanism, or a group of steps, run `count` times.
struct Step {
  std::variant<Mechanism, Steps> what;
  std::int64_t count = 1;

  // The same mechanisms and counts in the same order and nesting; parallel parts are compared part by part.
  bool operator==(const Step& other) const;
};

// One mechanism and how often it runs in all.
struct CountedMechanism {
  Mechanism mechanism;
  std::int64_t count = 1;
};

// A value: the steps that were run, or will be, and which datasets are neighbours.
//
//     renyi::Plan plan(renyi::Neighbors::add_or_remove_one);
//     plan.add(renyi::SampledGaussian{.sampling_rate = 0.01, .noise_multiplier = 1.1}, 10'000);
//     plan.add(renyi::Laplace{.scale = 20}, 3);
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

  // Equal plans have the same relation and equal steps, as they were added: reading what was written gives an equal
  // plan.
  bool operator==(const Plan& other) const { return relation_ == other.relation_ && steps_ == other.steps_; }

 private:
  Adjacency relation_;
  Steps steps_;
  std::shared_ptr<plan::AnalysisCache> analysis_cache_;  // of the steps, shared with copies
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

// ---- Plan files, format version 1 (docs/format/plan.md).

// Throws InvalidArgument (with the JSON path) or Unsupported.
Plan read_plan(std::string_view json);

// Canonical text: reads back to an equal plan. Throws Unsupported for a mechanism of one's own (renyi/extras/custom.h).
std::string write_plan(const Plan& plan);

// ---- Analysis.

// Whose figures the exact ones are.
enum class Standing {
  attained,   // those of what was run
  promised,   // those of the worst step that keeps a promise, such as a pure epsilon: what was run may cost less
  dominated,  // those of a pair of laws that dominates the steps, such as for a hidden batch: likewise
};
inline constexpr std::array all_standings{Standing::attained, Standing::promised, Standing::dominated};
std::string_view to_string(Standing standing) noexcept;
// What to say beside an exact figure, in a sentence; empty where it is attained.
std::string_view standing_note(Standing standing) noexcept;

// A value; copies share what was found. Wherever one is asked for, a plan will do.
class Analysis {
 public:
  Analysis(const Plan& plan);  // NOLINT(google-explicit-constructor)
  // Of steps that are analysed and composed already: those of a running account. The plan says the same.
  Analysis(const Plan& plan, std::vector<CountedMechanism> steps, std::shared_ptr<const Curve> curve);

  const Plan& plan() const noexcept { return analysed_->plan; }
  // As Plan::analysed gives them.
  const std::vector<CountedMechanism>& steps() const noexcept { return analysed_->steps; }
  // Of the whole plan.
  const std::shared_ptr<const Curve>& curve() const noexcept { return analysed_->curve; }
  // Of exact figures, where there are any.
  Standing standing() const;

 private:
  struct Analysed {
    Plan plan;
    std::vector<CountedMechanism> steps;
    std::shared_ptr<const Curve> curve;
  };
  std::shared_ptr<const Analysed> analysed_;
};

}  // namespace renyi
