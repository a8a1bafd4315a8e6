// Describes neighbouring datasets and conversions as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace renyi::api {

// "datasets differ by one record more or less", "datasets differ by up to 3 records replaced".
std::string difference_in_words(std::string_view relation, std::int64_t unit);

// "replacing any one record", "zeroing out any one person's up to 4 records".
std::string change_in_words(std::string_view relation, std::int64_t unit);

// Returns the source of the formula that converts Renyi divergences to (epsilon, delta), for "tight", "classical",
// "pure" or "total-variation", as answers name it; empty for another name.
std::string_view source_of_conversion(std::string_view name) noexcept;

}  // namespace renyi::api
