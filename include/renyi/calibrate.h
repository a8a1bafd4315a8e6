// Calibration: solves for one unknown number of a plan (noise, count, sampling rate, unit of privacy), for a size of a
// training run, for the epsilon or delta of the target, or for several noise parameters that share one budget.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/cost.h"
#include "renyi/plan.h"
#include "renyi/run.h"

namespace renyi {

// The unknown number. `path` leads to a step of the plan. Its first element is the index of the step. Inside a group or
// a selection, the next element is the index of a step there; inside a parallel step, the next two elements are the
// index of a list of steps and the index of a step in this list; and so on. `parameter` names a parameter of the step's
// mechanism ("stddev"; an alias such as "noise_multiplier" of a Gaussian is accepted if the step has no sensitivity of
// its own), a parameter of its sampling ("sampling.rate"), a parameter of the number of runs of a selection
// ("runs.mean"), or is "count". If the path is empty, `parameter` is "unit" for the plan's unit of privacy, or
// "epsilon" or "delta" for the target. If `sizes` is set, the step is that of a training run of these sizes, and
// `parameter` is "epochs" or "batch_size", which is not set in them; see `unknown_of`.
//
//     const renyi::Unknown noise{.parameter = "noise_multiplier"};  // a member of the struct of the first step
//     const renyi::Unknown steps{{1}, "count"};                     // how often the second step runs
//     const renyi::Unknown unit{{}, "unit"};
struct Unknown {
  std::vector<std::size_t> path{0};
  std::string parameter;
  std::optional<RunSizes> sizes{};
};

// Returns every number of that name in the steps of a plan, at any depth, in the order of the steps.
//
//     const std::vector<renyi::Unknown> all = renyi::unknowns_named(plan, "noise_multiplier");
[[nodiscard]] std::vector<Unknown> unknowns_named(const Plan& plan, std::string_view parameter);

// Returns every noise parameter that a budget can be split over (see `Split`), in the order of the steps.
[[nodiscard]] std::vector<Unknown> noise_unknowns(const Plan& plan);

// Returns the unknown size of a run (ResolvedRun::unknown, which must be set) as the unknown of the plan that `plan_of`
// makes from the run.
[[nodiscard]] Unknown unknown_of(const ResolvedRun& run, const Plan& plan);

// The (epsilon, delta) that the plan must meet.
struct Target {
  double epsilon = 1;
  double delta = 1e-5;
};

// The value that must meet the target: the upper bound of the exact interval, or the Renyi bound.
enum class Accounting { exact, renyi };
// Returns "exact" or "renyi".
[[nodiscard]] std::string_view to_string(Accounting by) noexcept;

// Options of `calibrate`.
struct CalibrateOptions {
  std::optional<Accounting> by{};  // if not set: exact, or renyi if exact intervals are not available for the plan
  ConversionOptions conversion{};  // how the Renyi bound is converted to (epsilon, delta)
  ExactOptions exact{};
  bool report_excess_width = false;  // Cost::limit reports an exact interval that is wider than the tolerance
  std::optional<int> digits{};       // also round the value to this many digits, 1 to 15 (Calibration::rounded)
};

// The result rounded to few digits towards more privacy, and what it costs.
struct RoundedValue {
  double value = 0;
  std::int64_t count = 0;  // the value if the unknown is a whole number
  double spent = 0;        // an upper bound on epsilon; on delta if delta was solved for
  double unspent = 0;      // the unused part of the target; what rounding adds if epsilon or delta was solved for
};

// The result of a calibration.
struct Calibration {
  double value = 0;                     // meets the target, within 1e-9 (relative) of the optimum; further away if
                                        // exact intervals are too wide to decide: see `unspent`
  bool is_whole = false;                // whether the unknown is a whole number
  std::int64_t count = 0;               // the value if it is a whole number
  Effect effect = Effect::raises_cost;  // what a larger value does to the cost: if it raises the cost, the largest
                                        // value was sought, else the smallest
  bool is_extreme = true;               // whether the value is the largest, or the smallest, that meets the target;
                                        // else the cost is not monotone, and a value between may cost more
  Accounting by = Accounting::exact;
  // The cost of the plan with this value: the delta at the target's epsilon if delta was solved for, else the epsilon
  // at the target's delta. If `by` is `exact`, it has an exact interval, whose upper bound meets the target; if `by` is
  // `renyi`, it has none, and the Renyi bound meets the target.
  Cost cost{};
  // An upper bound on the unused part of the target if wide intervals hide the boundary; 0 means that at most 1e-6 is
  // unused.
  double unspent = 0;
  std::string beyond{};                   // why the next values cannot be analysed; empty if they cost too much
  std::optional<RoundedValue> rounded{};  // set if CalibrateOptions::digits is
  // For comparison, if the standard deviation of a single Gaussian was solved for: the one that the classical theorem
  // requires (`classical_gaussian` in renyi/papers/classical_gaussian.h). It is not set for other plans and unknowns,
  // and if the theorem does not apply.
  std::optional<double> classical{};
  Plan plan;  // the plan with the value inserted
};

// Finds the value of the unknown that just meets the target: the smallest noise, or the largest count, rate, epsilon or
// unit. If the unknown is a whole number, this is the last one that meets the target. The value that the plan or the
// target has for the unknown is ignored. If epsilon or delta is solved for, the result is the cost of the plan, an
// upper bound. Throws Unsupported, stating which targets can be met, if no value meets the target, and also if `exact`
// was requested explicitly and only bounds on the divergences of a step are known. Throws InvalidArgument for targets
// and options that are out of range.
//
//     const renyi::Calibration found =
//         renyi::calibrate(plan, {{0}, "noise_multiplier"}, {.epsilon = 3, .delta = 1e-5});
//     found.value;         // the noise multiplier of the first step
//     found.cost.upper();  // the epsilon that it gives, at most 3
[[nodiscard]] Calibration calibrate(const Plan& plan, const Unknown& unknown, const Target& target,
                                    const CalibrateOptions& options = {});

// Solves a training run for one of its sizes, which must not be set in run.sizes.
//
//     const renyi::Calibration longest = renyi::calibrate(
//         {.sizes = {.dataset_size = 60000, .batch_size = 256}, .mechanism = renyi::Gaussian{.stddev = 1.1}},
//         renyi::UnknownSize::epochs, {.epsilon = 3, .delta = 1e-5});
//
// For `epochs`, the largest number of steps is found, and the value is the largest number of epochs that takes these
// steps (`epochs_from_steps`). For `batch_size`, the value is the last whole number that meets the target if the
// number of steps is given. If epochs are given, larger batches make fewer steps, rounded up to whole ones, and the
// cost is not monotone: the value meets the target, the next batch size does not, and neither do the smallest batch
// sizes of the next 16 smaller numbers of steps; no claim is made about batches that are larger still.
[[nodiscard]] Calibration calibrate(const TrainingRun& run, UnknownSize unknown, const Target& target,
                                    const CalibrateOptions& options = {});

// How unknown noise parameters share a budget (docs/math/calibration.md, "Several unknowns").
enum class SplitRule {
  shares,  // each step, with all its runs, takes its share of the budget: of rho in zero-concentrated DP for Gaussian
           // noise, and of epsilon for Laplace noise
  equal_error  // the noise of all of them has the same standard deviation in the units of the query
};
// Returns "shares" or "equal-error".
[[nodiscard]] std::string_view to_string(SplitRule rule) noexcept;

struct Split {
  SplitRule rule = SplitRule::shares;
  std::vector<double> shares{};  // positive, in the order of the unknowns; only their ratios matter; empty: all equal
};

// One of several values that were solved for.
struct SplitValue {
  Unknown unknown{};
  double value = 0;
  double rounded = 0;  // with CalibrateOptions::digits digits, rounded up; the value itself if these are not set
  double stddev = 0;   // the standard deviation of this noise, in the units of the query
};

// The result of a calibration of several unknowns.
struct SplitCalibration {
  std::vector<SplitValue> values;  // in the order of the unknowns
  Accounting by = Accounting::exact;
  Cost cost{};                              // as in Calibration
  double unspent = 0;                       // as in Calibration
  std::optional<double> rounded_epsilon{};  // an upper bound on epsilon with the rounded values, if there are digits
  Plan plan;                                // the plan with the values inserted
};

// Solves for several noise parameters of a plan at once. Their ratios follow from the split, and their common size is
// the smallest that meets the target, so that the values meet the target together, and no smaller ones in the same
// ratios do. Every value can be rounded up: the cost falls in each of them. Throws InvalidArgument for shares that are
// not positive or of another number than the unknowns, and Unsupported for unknowns that are no noise. Their path is
// "unknowns[1]" for the second unknown.
//
//     const auto found = renyi::calibrate(plan, {{.path = {0}, .parameter = "stddev"}, {.path = {1}, .parameter =
//     "scale"}},
//                                         renyi::Split{.shares = {60, 40}}, {.epsilon = 1, .delta = 1e-6});
[[nodiscard]] SplitCalibration calibrate(const Plan& plan, const std::vector<Unknown>& unknowns, const Split& split,
                                         const Target& target, const CalibrateOptions& options = {});

}  // namespace renyi
