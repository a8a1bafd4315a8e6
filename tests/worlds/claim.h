// The library's answer about an enumerated dataset, computed from a plan file as a user would.
#pragma once

#include <array>
#include <string>

#include "renyi/extras/curve.h"
#include "worlds/outputs.h"

namespace renyi::worlds {

inline constexpr std::array<double, 4> orders{1.5, 2, 5, 20};
inline constexpr std::array<double, 5> epsilons{0, 0.1, 0.5, 1, 2};

// Upper bounds at each order and each epsilon.
struct Claim {
  std::array<double, orders.size()> rdp{};
  std::array<double, epsilons.size()> delta{};
};

struct Claims {
  Claim remove, add, worst;
};

Claims claims(const std::string& plan);

// One step on a sample of so many records, run `count` times.
std::string step_text(const Sampler& sampler, const Mechanism& mechanism, int count = 1);
std::string plan_text(Neighbors relation, const std::string& steps, int unit = 1);

}  // namespace renyi::worlds
