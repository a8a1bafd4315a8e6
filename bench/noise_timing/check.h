// Whether the time of a single call tells two classes of calls apart: two inputs, or two outcomes.
#pragma once

#include <cstddef>
#include <string_view>

namespace bench {

// Measures every sampler of renyi/noise.h, renyi/clipped_sum.h and renyi/exact_sum.h on pairs of classes, at least so
// many calls of each class, or only those with this in their names, and prints a table. Returns whether no pair is told
// apart.
bool check_times(std::size_t calls_of_a_class, std::string_view only);

}  // namespace bench
