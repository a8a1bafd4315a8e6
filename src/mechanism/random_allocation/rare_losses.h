// How far the privacy loss of random allocation reaches, except for a given probability.
#pragma once

namespace renyi::random_allocation {

// Returns an x with P(ln R > x) <= most, for 0 < most < 1 (docs/math/random-allocation.md, "Cutting the tail").
double rarely_exceeded(double steps, double s, double most);

}  // namespace renyi::random_allocation
