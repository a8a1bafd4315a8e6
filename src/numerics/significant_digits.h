// Rounds numbers to few digits, for people to read and to type.
#pragma once

namespace renyi::numerics {

// Returns the value with that many significant digits, rounded to nearest.
double to_nearest_digits(double value, int digits);

// Returns the next value with that many significant digits, upwards or downwards; the value itself if it has no more
// digits.
double to_digits(double value, int digits, bool up);

}  // namespace renyi::numerics
