// Plans (the steps of a run), plan files, and the analysis of a plan, from which every answer is computed.
#pragma once

#include <array>
#include <cstddef>
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

// A mechanism, or a group of steps, that runs `count` times. The name and the comment are for readers: plan files keep
// them and reports show them, but no figure depends on them.
//
//     const renyi::Step noise{renyi::Mechanism(renyi::Laplace{.scale = 20}), 3, "ages"};
//     const renyi::Step group{renyi::Steps{noise, noise}, 5};
struct Step {
  std::variant<Mechanism, Steps> what;
  std::int64_t count = 1;
  std::string name{};     // UTF-8 without control characters, at most longest_step_name bytes; empty for none
  std::string comment{};  // UTF-8 without control characters other than line ends and tabs, at most
                          // longest_step_comment bytes; empty for none

  // Steps are equal if they have the same mechanisms, counts, names and comments in the same order and nesting. The
  // lists of two parallel steps are compared one by one.
  bool operator==(const Step& other) const;
};
inline constexpr std::size_t longest_step_name = 200;
inline constexpr std::size_t longest_step_comment = 2000;

// The steps of a run, together with the neighbouring relation and the unit of privacy. A plan is a plain value.
//
//     renyi::Plan plan(renyi::Neighbors::add_or_remove_one);
//     plan.add(renyi::SampledGaussian{.sampling_rate = 0.01, .noise_multiplier = 1.1}, 10'000);
//     plan.add(renyi::Laplace{.scale = 20}, 3);
class Plan {
 public:
  // Throws InvalidArgument unless `unit` is from 1 to largest_unit.
  explicit Plan(Neighbors neighbors = Neighbors::add_or_remove_one, std::int64_t unit = 1);

  // These functions add steps that run `count` times, and return the plan itself. They check the count (1 to 2^63-1,
  // also after nesting), the depth of the nesting, names and comments, and that every mechanism can be analysed under
  // the neighbouring relation. If a check fails, they throw InvalidArgument or Unsupported and do not change the plan.
  // A plan that is added to another one must have the same relation and unit.
  Plan& add(Mechanism mechanism, std::int64_t count = 1);
  Plan& add(Steps group, std::int64_t count = 1);
  Plan& add(const Plan& plan, std::int64_t count = 1);
  // Adds a step as it is, with its name and its comment.
  //
  //     plan.add(renyi::Step{.what = renyi::Laplace{.scale = 20}, .count = 3, .name = "ages"});
  Plan& add(Step step);

  [[nodiscard]] Neighbors neighbors() const noexcept { return relation_.neighbors; }
  // The unit of privacy: neighbouring datasets differ in up to this many records, for example all records of one user.
  [[nodiscard]] std::int64_t unit() const noexcept { return relation_.unit; }
  [[nodiscard]] const Adjacency& adjacency() const noexcept { return relation_; }
  [[nodiscard]] const Steps& steps() const noexcept { return steps_; }

  // Returns the steps without nesting: counts of groups are multiplied out and equal mechanisms are merged, whatever
  // their names, in the order of their first use. Throws InvalidArgument if a total exceeds 2^63-1.
  [[nodiscard]] std::vector<CountedMechanism> merged() const;
  // Returns the merged steps, each replaced by the mechanism that is analysed instead of it under the neighbouring
  // relation (see the function `analysed` below). Every answer is computed from these steps.
  [[nodiscard]] std::vector<CountedMechanism> analysed() const;

  // Plans are equal if they have the same relation and unit and equal steps, as they were added. Reading a plan file
  // that write_plan wrote gives an equal plan.
  bool operator==(const Plan& other) const { return relation_ == other.relation_ && steps_ == other.steps_; }

 private:
  Adjacency relation_;
  Steps steps_;
  std::shared_ptr<plan::AnalysisCache> analysis_cache_;  // shared with copies
};

// Parallel composition: several lists of steps, each of which runs on its own subset of the records. The subsets are
// disjoint and are the same every time the step runs. A record lies in one subset, so the most expensive list counts.
//
//     const renyi::Steps first{{renyi::Mechanism(renyi::Laplace{.scale = 2}), 1}};
//     const renyi::Steps second{{renyi::Mechanism(renyi::Gaussian{.stddev = 3}), 10}};
//     plan.add(renyi::Parallel({first, second}));
class Parallel {
 public:
  explicit Parallel(std::vector<Steps> parts) : parts_(std::make_shared<const std::vector<Steps>>(std::move(parts))) {}

  // Returns the lists of steps, one per subset of the records.
  [[nodiscard]] const std::vector<Steps>& parts() const noexcept { return *parts_; }
  // Only copies are equal, since two parallel steps may divide the records in different ways.
  bool operator==(const Parallel& other) const { return parts_ == other.parts_; }

 private:
  std::shared_ptr<const std::vector<Steps>> parts_;
};

// Returns, as text, what the answers for the plan assume although the plan does not state it. For mechanisms that run
// over several rounds (trees, matrices) under add-or-remove-one, this is that adding or removing a record moves no
// other record to another round. The text is empty for most plans.
//
//     if (const std::string text = renyi::assumption(plan); !text.empty()) std::cout << "assumes: " << text << "\n";
[[nodiscard]] std::string assumption(const Plan& plan);

// A step of truncated Poisson sampling, and an upper bound on the probability that the other records fill its batch
// (see overflow_probability in renyi/sampling.h).
struct Overflow {
  std::string path;  // for example "steps[0]" or "steps[1].parallel[0][2]"
  double probability = 0;
};
// Returns one entry for each step of the plan that uses truncated Poisson sampling, also inside groups, parallel steps
// and selections.
//
//     for (const renyi::Overflow& step : renyi::overflows(plan)) std::cout << step.path << " " << step.probability;
[[nodiscard]] std::vector<Overflow> overflows(const Plan& plan);

// Returns the mechanism that is analysed instead of the given one under a neighbouring relation. The curve of the
// result does not depend on the relation. Throws Unsupported, with the reason, if the mechanism cannot be analysed
// under this relation (docs/math/sampling.md).
//
//     const renyi::Mechanism sampled =
//         renyi::Mechanism(renyi::Laplace{.scale = 2}).sampled_by(renyi::Sampling::poisson(0.01));
//     renyi::analysed(sampled, {renyi::Neighbors::add_or_remove_one}).curve();
[[nodiscard]] Mechanism analysed(const Mechanism& mechanism, const Adjacency& relation);

// Returns the plan with Poisson sampling instead of shuffled epochs: with the same number of steps, each at the rate
// 1/batches, and under the same relation. Returns std::nullopt if the plan has no shuffled epochs. The cost of the
// result is not a bound on the cost of the given plan.
//
//     if (const auto poisson = renyi::under_poisson(plan)) renyi::epsilon(*poisson, 1e-5).upper();  // an estimate only
[[nodiscard]] std::optional<Plan> under_poisson(const Plan& plan);

// Returns the plan with random allocation instead of shuffled epochs (Scheme::random_allocation), under the same
// relation. Returns std::nullopt if the plan has no shuffled epochs. The cost of the result is that of another
// training, whose loader lets each record choose its batch, and is not a bound on the cost of the given plan.
//
//     if (const auto allocated = renyi::under_random_allocation(plan)) renyi::epsilon(*allocated, 1e-5).upper();
[[nodiscard]] std::optional<Plan> under_random_allocation(const Plan& plan);

// Returns the log-moment curve (renyi/extras/curve.h) of all steps together. The second function takes analysed steps,
// such as the result of Plan::analysed().
//
//     const std::shared_ptr<const renyi::Curve> curve = renyi::compose(plan);
//     renyi::rdp(*curve, 2).upper();  // the plan satisfies (2, this)-RDP
[[nodiscard]] std::shared_ptr<const Curve> compose(const Plan& plan);
[[nodiscard]] std::shared_ptr<const Curve> compose(const std::vector<CountedMechanism>& mechanisms);

// ---- Plan files, format version 1 (docs/format/plan.md).

// Reads a plan file. Throws InvalidArgument, with the JSON path, if the text is not a valid plan file, and Unsupported
// if the plan is valid but cannot be analysed.
//
//     const renyi::Plan plan = renyi::read_plan(
//         R"({"renyi": 1, "steps": [{"mechanism": "laplace", "scale": 20}]})");
[[nodiscard]] Plan read_plan(std::string_view json);

// Writes a plan file in canonical form. Reading it gives an equal plan. Throws Unsupported if the plan contains a
// custom mechanism (renyi/extras/custom.h).
//
//     std::ofstream("plan.json") << renyi::write_plan(plan);
[[nodiscard]] std::string write_plan(const Plan& plan);

// ---- Analysis.

// What an exact interval is exact for. Its upper end is a bound for the plan in all three cases.
enum class Standing {
  attained,   // the interval is exact for the plan itself
  promised,   // a step is known only by a guarantee, such as pure epsilon-DP, and the interval is exact for the worst
              // mechanism with this guarantee; the mechanism that was run may cost less
  dominated,  // the interval is exact for a dominating pair of the steps, as for shuffled epochs, and for guarantees on
              // most samples; its lower end claims nothing about the steps, which may cost less
};
inline constexpr std::array all_standings{Standing::attained, Standing::promised, Standing::dominated};
// Returns "attained", "promised" or "dominated".
[[nodiscard]] std::string_view to_string(Standing standing) noexcept;
// Returns a note to print with an exact interval; empty for Standing::attained.
[[nodiscard]] std::string_view standing_note(Standing standing) noexcept;

// A plan together with its analysed steps and its curve. Copies share them. A Plan converts to an Analysis implicitly,
// so that every function that takes an analysis also takes a plan. Make one Analysis if you ask several questions about
// the same plan.
//
//     const renyi::Analysis analysis(plan);
//     renyi::epsilon(analysis, 1e-5);
//     renyi::advantage(analysis);
class Analysis {
 public:
  Analysis(const Plan& plan);  // NOLINT(google-explicit-constructor)
  // This constructor takes steps that have been analysed and composed already, for example by an Accountant. They must
  // be the steps of the plan.
  Analysis(const Plan& plan, std::vector<CountedMechanism> steps, std::shared_ptr<const Curve> curve);

  [[nodiscard]] const Plan& plan() const noexcept { return analysed_->plan; }
  // Returns the analysed steps, which are those of Plan::analysed().
  [[nodiscard]] const std::vector<CountedMechanism>& steps() const noexcept { return analysed_->steps; }
  // Returns the log-moment curve of all steps together.
  [[nodiscard]] const std::shared_ptr<const Curve>& curve() const noexcept { return analysed_->curve; }
  // Returns what the exact intervals of this plan, if they are available, are exact for.
  [[nodiscard]] Standing standing() const;

 private:
  struct Analysed {
    Plan plan;
    std::vector<CountedMechanism> steps;
    std::shared_ptr<const Curve> curve;
  };
  std::shared_ptr<const Analysed> analysed_;
};

}  // namespace renyi
