// Nested counts multiplied out.
#pragma once

#include <cstdint>

namespace renyi::plan {

// Throws InvalidArgument above 2^63-1.
std::int64_t count_product(std::int64_t a, std::int64_t b);

}  // namespace renyi::plan
