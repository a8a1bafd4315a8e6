// Random texts that nobody can guess.
#pragma once

#include <string>

namespace renyi::server {

// Returns 256 bits of the operating system's randomness as 43 letters of base64url. Throws std::runtime_error if there
// is none.
std::string random_text();

}  // namespace renyi::server
