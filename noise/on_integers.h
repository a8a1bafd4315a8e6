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

// Adds noise to the values once all of it is drawn, and says what it was.
Release add_noise(std::span<const std::int64_t> values, std::span<std::int64_t> noise, std::span<std::int64_t> out,
                  std::string mechanism, std::string step, double slow_probability);

}  // namespace renyi::noise
