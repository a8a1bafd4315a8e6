// Exact sums of decimal numbers (docs/math/decimal-input.md): a double represents the shortest decimal that reads back
// to it, so that ten times 0.1 is 1.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "renyi/interval.h"

namespace renyi::numerics {

struct CountedQuotient {
  Quotient quotient;  // finite numbers; the numerator is at least 0 and the denominator above 0
  std::int64_t count = 1;
};

// Returns the sum if it is a decimal that a double represents, as every decimal of at most 15 digits is; otherwise
// std::nullopt.
std::optional<double> decimal_sum(std::span<const CountedQuotient> terms);

// Returns decimal_sum with an error of 0 if there is one. Other sums are rounded, and their interval also contains the
// sum of the binary values of the doubles.
Bounded decimal_sum_interval(std::span<const CountedQuotient> terms);

// Returns the quotient as one number.
Bounded decimal_quotient(const Quotient& quotient);

// Returns value times factor as decimal numbers, rounded up where no double represents the product; both are at least
// 0.
double decimal_product_up(double value, double factor);

// True if `product` equals value times factor, all as decimal numbers.
bool is_decimal_product(double product, double value, double factor);

}  // namespace renyi::numerics
