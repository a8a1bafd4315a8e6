// The questions that the race asks every accountant; bench/peers/questions.py has the same ones.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "renyi/renyi.h"

namespace bench {

inline constexpr double rate = 0.01, noise = 1.1, target_epsilon = 3, delta = 1e-5, schedule_delta = 1e-6;
inline constexpr std::int64_t steps = 10'000;

inline renyi::Plan training(double sampling_rate, double noise_multiplier, std::int64_t count) {
  return renyi::Plan().add(renyi::SampledGaussian{sampling_rate, noise_multiplier}, count);
}

inline renyi::Plan reference() { return training(rate, noise, steps); }

// Returns a different order each time, all close to each other, because curves cache the last ones.
inline double next_to(double z) {
  static int asked = 0;
  return z * (1 + 1e-9 * static_cast<double>(++asked % 1'000'000));
}

// Returns `distinct` steps, 50 times each.
inline renyi::Plan schedule(int distinct = 200) {
  renyi::Plan plan;
  for (int i = 0; i < distinct; ++i) {
    const double at = distinct > 1 ? static_cast<double>(i) / (distinct - 1) : 0;
    plan.add(renyi::SampledGaussian{0.001 + 0.049 * at, 0.8 + 3.2 * at}, 50);
  }
  return plan;
}

// The sweep has 20 rates log-spaced in 1e-4..0.1, 20 noise multipliers in 0.6..8, and three counts.
inline std::vector<renyi::Plan> sweep() {
  std::vector<renyi::Plan> plans;
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 20; ++j) {
      for (const std::int64_t count : {1'000, 10'000, 100'000}) {
        plans.push_back(training(1e-4 * std::pow(1000.0, i / 19.0), 0.6 + 7.4 * j / 19.0, count));
      }
    }
  }
  return plans;
}

}  // namespace bench
