// Comparison of secrets in a time that says nothing about where they differ.
#pragma once

#include <string_view>

namespace renyi::digest {

// Returns whether the texts are the same, in a time that depends on their lengths alone, which are public.
[[nodiscard]] bool is_same_secret(std::string_view one, std::string_view other) noexcept;

}  // namespace renyi::digest
