// What is left where no other law serves: a bound from above, and 0 from below.
#pragma once

#include <memory>

#include "certify/exact/law.h"

namespace renyi::certify {

std::unique_ptr<Law> chernoff_law(const Steps& steps, Direction direction, const Place& place);

}  // namespace renyi::certify
