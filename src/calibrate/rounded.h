// Values to few digits, on the private side.
#pragma once

#include "calibrate/setting.h"

namespace renyi::calibrate_detail {

// The next value of so many significant digits, upwards or downwards; the value itself if it has no more.
double to_digits(double value, int digits, bool up);
std::int64_t to_digits(std::int64_t value, int digits, bool up);

}  // namespace renyi::calibrate_detail
