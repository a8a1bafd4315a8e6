// Random identifiers and secrets.
#pragma once

#include <cstddef>
#include <string>

namespace renyi::ledger {

// Returns hexadecimal digits of so many bytes of the system's randomness.
std::string random_digits(std::size_t bytes);

}  // namespace renyi::ledger
