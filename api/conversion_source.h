// Where the formula comes from that made (epsilon, delta) of Renyi divergences.
#pragma once

#include <string_view>

namespace renyi::api {

// Of "tight", "classical", "pure" or "total-variation", as answers name it; empty for another name.
std::string_view source_of_conversion(std::string_view name) noexcept;

}  // namespace renyi::api
