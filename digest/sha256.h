// SHA-256 (FIPS 180-4).
#pragma once

#include <string>
#include <string_view>

namespace renyi::digest {

// Returns the digest of the bytes as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

// Returns bytes as lower-case hexadecimal digits.
std::string hexadecimal(std::string_view bytes);

}  // namespace renyi::digest
