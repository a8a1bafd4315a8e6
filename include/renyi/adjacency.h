// Whom a guarantee is for: which datasets are neighbours.
#pragma once

#include <cstdint>
#include <string_view>

namespace renyi {

// What "neighbouring datasets" means.
enum class Neighbors { add_or_remove_one, replace_one, zero_out };

// "add-or-remove-one", "replace-one", "zero-out".
std::string_view to_string(Neighbors neighbors) noexcept;

// Neighbouring datasets differ by one such change, or by up to `unit` of them: all records of one person.
struct Adjacency {
  Neighbors neighbors = Neighbors::add_or_remove_one;
  std::int64_t unit = 1;

  bool operator==(const Adjacency&) const = default;
};

inline constexpr std::int64_t largest_unit = std::int64_t{1} << 30;

}  // namespace renyi
