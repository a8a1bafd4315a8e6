// Corner-biased random inputs over the whole stated domain. RENYI_PROPERTY_SEED
// and RENYI_PROPERTY_CASES choose which and how many; failures print both.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <random>
#include <vector>

#include "renyi/error.h"
#include "renyi/plan.h"
#include "support/settings.h"

namespace renyi::test {

inline std::uint64_t environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

class RandomInputs {
 public:
  explicit RandomInputs(std::uint64_t seed) : engine_(seed) {}

  double uniform(double low = 0, double high = 1) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_); }
  bool chance(double p) { return uniform() < p; }
  double log_uniform(double low, double high) {
    return std::clamp(low * std::exp(uniform() * std::log(high / low)), low, high);
  }
  double one_of(std::initializer_list<double> values) { return values.begin()[below(values.size())]; }

  double sampling_rate() {
    switch (below(5)) {
      case 0: return one_of({0, 1e-100, 1e-50, 1e-16, 0.5, 1 - 0x1p-53, 1 - 1e-9, 1});
      case 1: return log_uniform(1e-100, 1);
      case 2: return 1 - log_uniform(1e-15, 0.5);
      default: return log_uniform(1e-6, 1);
    }
  }
  double noise_multiplier() {
    switch (below(4)) {
      case 0: return one_of({0.01, 0.1, 0.5, 1, 4, 1e3, 1e6});
      case 1: return log_uniform(0.01, 1e6);
      default: return log_uniform(0.3, 30);
    }
  }
  double order() {
    switch (below(4)) {
      case 0: return one_of({1, 1 + 0x1p-52, 1 + 1e-9, 1.5, 2, 3, 64, 1e4, 1e5, infinity});
      case 1: return 1 + log_uniform(1e-15, 1);
      case 2: return std::floor(log_uniform(2, 1e4));
      default: return log_uniform(1, 1e5);
    }
  }
  std::int64_t count() {
    if (chance(0.1)) return std::numeric_limits<std::int64_t>::max() >> below(63);
    return static_cast<std::int64_t>(log_uniform(1, chance(0.3) ? 9e18 : 1e6));
  }
  double delta() { return chance(0.2) ? one_of({0, 1e-300, 0x1p-53, 0.5, 1 - 0x1p-53, 1}) : log_uniform(1e-40, 1); }
  double epsilon() { return chance(0.2) ? one_of({0, 1e-300, 1, 1e4, infinity}) : log_uniform(1e-12, 1e4); }

  // Any mechanism: most often a sampled Gaussian, else each parameter at a corner
  // or spread over its range.
  Mechanism mechanism() {
    if (chance(0.5)) return SampledGaussian{sampling_rate(), noise_multiplier()};
    Mechanism m = all_mechanisms()[below(all_mechanisms().size())];
    for (const Parameter& p : m.parameters()) m = m.with(p.name, parameter(p));
    return m;
  }

  Step step(int depth) {
    if (depth > 0 && chance(0.2)) {
      Steps group;
      for (std::size_t n = 1 + below(3); n > 0; --n) group.push_back(step(depth - 1));
      return {group, static_cast<std::int64_t>(1 + below(20))};
    }
    return {mechanism(), depth == 3 ? count() : static_cast<std::int64_t>(log_uniform(1, 1e6))};
  }

  // Heterogeneous and nested; every total is below 2^63.
  Plan plan() {
    Plan result;
    for (std::size_t n = 1 + below(4); n > 0; --n) {
      const Step next = step(3);
      Plan longer = result;
      std::visit([&](const auto& what) { longer.add(what, next.count); }, next.what);
      try {
        longer.merged();
        result = longer;
      } catch (const InvalidArgument&) {  // equal steps above 2^63 in all
      }
    }
    return result;
  }

 private:
  double parameter(const Parameter& p) {
    const auto corners = corner_values(p, 0.5);
    if (corners.empty() || chance(0.7)) {
      const double low = p.lowest > 0 ? std::max(p.lowest, 1e-6) : 1e-6;
      const double v = log_uniform(low, std::min(p.highest, 1e6));
      const double fitting = p.whole ? std::floor(v) : v;
      if (p.allows(fitting)) return fitting;
    }
    return corners.empty() ? p.lowest : corners[below(corners.size())];
  }

  std::mt19937_64 engine_;
};

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
