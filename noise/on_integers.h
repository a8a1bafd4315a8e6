// Noise of discrete laws on whole numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "renyi/noise.h"

namespace renyi::noise {

// value + noise, limited to 64-bit integers, without a branch.
std::int64_t saturating_sum(std::int64_t value, std::int64_t noise);

// What was drawn, and what to account for.
Release release_of(std::string mechanism, std::string step, std::size_t draws, double slow_probability);

}  // namespace renyi::noise
