// Exact decimals, easier to read.
#pragma once

#include <cstddef>
#include <string>

namespace renyi::cli {

// "8.75e-1" as "0.875": the same number without its exponent, where that takes few zeros.
std::string plain_decimal(std::string decimal);

enum class Side { below, above };

// "1.23456e-7" as "1.23e-7" or "1.24e-7": that many significant digits, the number itself or beyond it on that side. Of
// a decimal as the library writes them, of at least 0.
std::string shortened(const std::string& decimal, std::size_t digits, Side side);

}  // namespace renyi::cli
