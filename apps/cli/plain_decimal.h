// Exact decimals, easier to read.
#pragma once

#include <string>

namespace renyi::cli {

// "8.75e-1" as "0.875": the same number without its exponent, where that takes few zeros.
std::string plain_decimal(std::string decimal);

}  // namespace renyi::cli
