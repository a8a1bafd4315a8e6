// Exact sums of numbers as they are written (docs/math/decimal-input.md): a double stands for the shortest decimal that
// reads back to it, so that ten times 0.1 is 1.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "renyi/interval.h"

namespace renyi::numerics {

struct CountedQuotient {
  Quotient quotient;  // of finite numbers, the numerator at least 0 and the denominator above 0
  std::int64_t count = 1;
};

// The sum where it is a decimal that a double stands for: every decimal of at most 15 digits is one.
std::optional<double> decimal_sum(std::span<const CountedQuotient> terms);

// That without an error. Other sums are rounded, and their interval holds what the binary values of the doubles add up
// to as well.
Bounded decimal_sum_interval(std::span<const CountedQuotient> terms);

// The quotient as one number.
Bounded decimal_quotient(const Quotient& quotient);

// value times factor as they are written, rounded up where no double stands for the product; both at least 0.
double decimal_product_up(double value, double factor);

// Whether `product` is that of the other two, all as they are written.
bool is_decimal_product(double product, double value, double factor);

}  // namespace renyi::numerics
