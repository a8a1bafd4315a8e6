// Steps, neighbouring datasets and conversions in words.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/api.h"

namespace renyi::api {

// Calls `visit` for every step that names a mechanism, in groups, parallel parts and selections too.
void for_each_mechanism(const Json& steps, const std::function<void(const Json& step)>& visit);

// What figures of these steps take for granted under this relation (renyi/plan.h: `assumption`); empty for most.
std::string assumption_in(const Json& steps, std::string_view relation);

// One line a step; those of a group, of a parallel part or of a selection below it, indented by "> ".
std::vector<std::string> steps_in_words(const Json& steps);

// "datasets differ by one record more or less", "datasets differ by up to 3 records replaced".
std::string difference_in_words(std::string_view relation, std::int64_t unit);

// "replacing any one record", "zeroing out any one person's up to 4 records".
std::string change_in_words(std::string_view relation, std::int64_t unit);

// Where the formula comes from that made (epsilon, delta) of Renyi divergences: of "tight", "classical", "pure" or
// "total-variation", as answers name it; empty for another name.
std::string_view source_of_conversion(std::string_view name) noexcept;

}  // namespace renyi::api
