// Sampled noise on the integers.
#pragma once

#include <memory>
#include <vector>

#include "renyi/curve.h"
#include "sampling/analyse/family.h"

namespace renyi::sampling {

struct SampledLattice {
  Inclusion inclusion;  // one-sided or symmetric
  LatticeNoise noise;
};

// Which of them it is, is part of the output.
std::shared_ptr<const Curve> lattice_curve(std::vector<SampledLattice> components);

}  // namespace renyi::sampling
