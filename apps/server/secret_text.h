// Random texts that nobody can guess, their digests, and comparison that takes the same time wherever texts differ.
#pragma once

#include <string>
#include <string_view>

namespace renyi::server {

// Returns 256 bits of the operating system's randomness as 43 letters of base64url. Throws std::runtime_error if there
// is none.
std::string random_text();
// Returns the SHA-256 as 64 hexadecimal digits.
std::string sha256_of(std::string_view text);
// Compares texts of the same length in constant time.
bool is_same_secret(std::string_view one, std::string_view other) noexcept;

}  // namespace renyi::server
