// Solve a plan for one unknown number: noise, count, rate, group size, or the target itself.
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

// Which number is to be found. `path` leads to a step: by its index; then, inside a group or a selection, by the index
// of a step there; inside parallel parts, by that of a part and that of a step in it; and so on.
// `parameter` names a parameter of the step's mechanism ("stddev"), a number of its sampling ("sampling.rate") or, of
// a selection, of the law of its runs ("runs.mean"), or is "count".
// With an empty path it is the plan's "unit", or the target's "epsilon" or "delta".
struct Unknown {
  std::vector<std::size_t> path{0};
  std::string parameter;
};

struct Target {
  double epsilon = 1;
  double delta = 1e-5;
};

// Whose epsilon is to meet the target.
enum class Accounting { exact, renyi };
std::string_view to_string(Accounting by) noexcept;

struct CalibrateOptions {
  std::optional<Accounting> by{};  // nothing: exact, or renyi where the plan has no exact answer
  ConversionOptions conversion{};  // of the Renyi bound
  ExactOptions exact{};
  bool report_excess_width = false;  // the tolerance was asked for by name: an exact interval that is wider says so
  std::optional<int> digits{};       // also say what rounding the value to so many digits (1 to 15) costs
};

// The value to few digits, on the private side, and what it spends.
struct RoundedValue {
  double value = 0;
  std::int64_t count = 0;  // as in Calibration
  double spent = 0;        // upper bound on epsilon; on delta where that was solved for
  double unspent = 0;      // of the target; what rounding gives away where that was solved for
};

struct Calibration {
  double value = 0;                     // on the private side, within 1e-9 (relative) of the optimum; further
                                        // where exact intervals are too wide to tell: see `unspent`
  bool is_whole = false;                // the unknown is a whole number:
  std::int64_t count = 0;               // then this is the value
  Effect effect = Effect::raises_cost;  // of a larger value: the largest was sought, or the smallest
  Accounting by = Accounting::exact;
  // What that value costs: of a solved delta the delta at the target's epsilon, else the epsilon at the target's delta.
  // It has an exact part by `exact` only, whose upper end then meets the target; by `renyi` the Renyi bound does.
  Cost cost{};
  double unspent = 0;    // of the target, at most, where wide intervals hide the boundary; 0: within 1e-6
  std::string beyond{};  // why the next values are not analysed; empty: they are, and cost too much
  std::optional<RoundedValue> rounded{};  // where asked for
  // Of the standard deviation of one Gaussian: what the classical theorem asks for (`classical_gaussian`), for
  // comparison; nothing for other plans and numbers, and where the theorem does not hold.
  std::optional<double> classical{};
  Plan plan;  // the plan with the value in its place
};

// The value of the unknown that spends the target and no more: the smallest noise, the largest count, rate, epsilon or
// unit; of whole numbers the last that does. Whatever the plan or the target holds in that place is ignored. A solved
// epsilon or delta is what the plan costs, an upper bound. Throws Unsupported, saying what is reachable, if no value
// does, and where `exact` is asked for by name and a step is known by bounds only.
//
//     const renyi::Calibration found =
//         renyi::calibrate(plan, {{0}, "noise_multiplier"}, {.epsilon = 3, .delta = 1e-5});
//     found.value;         // the noise multiplier of the first step
//     found.cost.upper();  // the epsilon that it gives, at most 3
[[nodiscard]] Calibration calibrate(const Plan& plan, const Unknown& unknown, const Target& target,
                                    const CalibrateOptions& options = {});

}  // namespace renyi
