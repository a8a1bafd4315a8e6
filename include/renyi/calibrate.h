// Solve a plan for one unknown number: noise, count, rate, group size, or the target itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/account.h"
#include "renyi/exact.h"
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
  std::optional<int> digits{};  // also say what rounding the value to so many digits (1 to 15) costs
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
  EpsilonBound renyi{};                     // what that value gives; at most the target by `renyi`
  std::optional<ExactAnswer> exact{};       // by `exact` only: its upper end is at most the target
  std::optional<DeltaBound> renyi_delta{};  // of a solved delta only, and then `exact` is of delta too
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
Calibration calibrate(const Plan& plan, const Unknown& unknown, const Target& target,
                      const CalibrateOptions& options = {});

// The standard deviation by which noise on a query of sensitivity 1 has epsilon at delta, sqrt(2
// ln(1.25/delta))/epsilon (Dwork, Roth 2014, Theorem A.1), rounded up. Nothing where the theorem does not hold: it is
// for epsilon in (0, 1).
std::optional<double> classical_gaussian(const Target& target);
inline constexpr std::string_view classical_gaussian_source = "Dwork, Roth 2014, Theorem A.1";

}  // namespace renyi
