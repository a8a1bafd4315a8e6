// The numbers of a step, by their names.
#pragma once

#include <string>

#include "calibrate/setting.h"
#include "renyi/plan.h"

namespace renyi::calibrate_detail {

// Its range, and what a larger one costs. Throws InvalidArgument that lists what the step has.
const Parameter& number_of(const Step& step, const std::string& name);

// What stands there.
Setting held_by(const Step& step, const std::string& name);

// The step with another number in that place; checked.
Step with_number(const Step& step, const std::string& name, const Setting& setting);

}  // namespace renyi::calibrate_detail
