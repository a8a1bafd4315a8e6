// Sampled additive noise.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "renyi/mechanism.h"
#include "sampling/analyse/family.h"

namespace renyi::sampling {

struct SampledNoise {
  Inclusion inclusion;
  Noise noise;
};

// Which of them it is, is part of the output. One sampled Gaussian is that mechanism itself.
Mechanism noise_mechanism(const std::string& name, const std::vector<SampledNoise>& components);

}  // namespace renyi::sampling
