// How often the whole plan may run within a budget, by one theorem.
#pragma once

#include "compare/theorem.h"
#include "renyi/compare.h"

namespace renyi::compare_detail {

LargestCount largest_count(const Theorem& theorem, const Asked& asked, double budget);

}  // namespace renyi::compare_detail
