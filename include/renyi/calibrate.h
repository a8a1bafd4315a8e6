// Calibration: solves for one unknown number of a plan (noise, count, sampling rate, unit of privacy), or for the
// epsilon or delta of the target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/cost.h"
#include "renyi/plan.h"

namespace renyi {

// The unknown number. `path` leads to a step of the plan. Its first element is the index of the step. Inside a group or
// a selection, the next element is the index of a step there; inside a parallel step, the next two elements are the
// index of a list of steps and the index of a step in this list; and so on. `parameter` names a parameter of the step's
// mechanism ("stddev"), a parameter of its sampling ("sampling.rate"), a parameter of the number of runs of a selection
// ("runs.mean"), or is "count". If the path is empty, `parameter` is "unit" for the plan's unit of privacy, or
// "epsilon" or "delta" for the target.
//
//     const renyi::Unknown noise{.parameter = "noise_multiplier"};  // a member of the struct of the first step
//     const renyi::Unknown steps{{1}, "count"};                     // how often the second step runs
//     const renyi::Unknown unit{{}, "unit"};
struct Unknown {
  std::vector<std::size_t> path{0};
  std::string parameter;
};

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

}  // namespace renyi
