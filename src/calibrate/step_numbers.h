// The numbers of a plan that can be unknown: where they are, what range they have, and the plan with another value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "renyi/calibrate.h"
#include "renyi/extras/parameter.h"

namespace renyi::calibrate_detail {

// A value that is tried.
struct Setting {
  double value = 0;
  std::int64_t count = 0;  // the value of a whole number; `value` is then the same, rounded

  friend bool operator==(const Setting&, const Setting&) = default;
};

inline Setting of_value(double value) { return {.value = value}; }
inline Setting of_whole(std::int64_t count) { return {.value = static_cast<double>(count), .count = count}; }

// Returns the unknown with the name that the mechanism has for the parameter, where the given one is an alias. Throws
// Unsupported if the alias does not apply: a noise multiplier is a standard deviation only if the sensitivity is 1.
// Throws InvalidArgument if the path does not lead to a step of the plan.
Unknown without_alias(const Plan& plan, const Unknown& unknown);

// Returns the range of a number of a step, and whether a larger value costs more. Throws InvalidArgument with a list of
// the step's numbers.
const Parameter& number_of(const Step& step, const std::string& name);
// Returns the value that the step has for that number.
Setting held_by(const Step& step, const std::string& name);
// Returns the step with another value of that number, which is checked.
Step with_number(const Step& step, const std::string& name, const Setting& setting);

// Returns the step at the path. Throws InvalidArgument if the path does not lead to one.
Step step_at(const Plan& plan, std::span<const std::size_t> path);

// Returns the steps with the one at the path replaced by what `change` makes of it. The path must lead to a step.
using Change = std::function<Step(const Step&)>;
Steps changed(const Steps& steps, std::span<const std::size_t> path, const Change& change);

}  // namespace renyi::calibrate_detail
