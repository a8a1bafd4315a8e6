// How far a guarantee lets probabilities grow.
#pragma once

namespace renyi {

// exp(epsilon), rounded up: what pure epsilon lets any probability, and any odds, grow by at most. 1 at 0; may be
// infinite.
double largest_factor(double epsilon);

}  // namespace renyi
