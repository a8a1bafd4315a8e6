// Sums over the number of high losses among many copies of a response with two losses.
#pragma once

#include <cstdint>

#include "certify/exact/response.h"

namespace renyi::certify {

// Terms left out may be this share of the sum, and are charged to its upper end.
constexpr double negligible_terms = 0x1p-70;

// delta(epsilon) of `count` copies, at the working precision. Not finite where the precision decides nothing.
Ball binomial_delta(const TwoSided& response, std::int64_t count, const Ball& epsilon,
                    double negligible = negligible_terms);

}  // namespace renyi::certify
