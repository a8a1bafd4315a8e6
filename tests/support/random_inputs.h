// Corner-biased random inputs (support/random_source.h) for laws. RENYI_PROPERTY_SEED
// and RENYI_PROPERTY_CASES choose which and how many; failures print both.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "renyi/error.h"
#include "renyi/plan.h"
#include "support/random_source.h"
#include "support/settings.h"

namespace renyi::test {

inline std::uint64_t environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Runs property(inputs) for each case with a seed of its own. `share` scales the
// number of cases for properties that cost more or less than usual.
template <class Property>
void for_random_cases(double share, const Property& property) {
  const std::uint64_t seed = environment("RENYI_PROPERTY_SEED", 1);
  const auto cases = static_cast<std::uint64_t>(share * static_cast<double>(environment("RENYI_PROPERTY_CASES", 3000)));
  for (std::uint64_t i = 0; i < std::max<std::uint64_t>(cases, 1); ++i) {
    SCOPED_TRACE(fmt::format("RENYI_PROPERTY_SEED={}, case {}", seed, i));
    RandomInputs inputs(seed * 0x9E3779B97F4A7C15ULL + i);
    expect_no_throw([&] { property(inputs); });
  }
}

}  // namespace renyi::test
