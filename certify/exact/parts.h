// The steps of a plan by how their losses are composed.
#pragma once

#include <optional>
#include <vector>

#include "certify/exact/law.h"
#include "certify/exact/response.h"

namespace renyi::certify {

struct Parts {
  std::vector<CountedResponse> responses;  // fewest copies first
  Steps gaussians;
  Steps others;  // Laplace, and sampled Gaussians with 0 < q < 1
};

// Steps that cost nothing are left out. Nothing if the law of some step is not known.
std::optional<Parts> parts_of(const Steps& steps);

}  // namespace renyi::certify
