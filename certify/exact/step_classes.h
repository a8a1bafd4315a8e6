// Classifies the steps of a plan by how their losses are composed: responses, Gaussians, others.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "certify/exact/operating_point.h"
#include "certify/mechanism/closed_form.h"

namespace renyi::certify {

// Randomized responses, and pure-DP steps, which they dominate. The losses are +l, 0 and -l.
struct CountedResponse {
  Mechanism mechanism;
  std::int64_t count = 1;

  // Computed at the working precision.
  TwoSided law() const;
  bool has_two_losses() const;  // the loss is never 0
};

struct StepClasses {
  std::vector<CountedResponse> responses;  // in order of increasing count
  Steps gaussians;
  Steps others;  // Laplace, and sampled Gaussians with 0 < q < 1
};

// Steps that cost nothing are omitted. Returns std::nullopt if the loss distribution of some step is not known.
std::optional<StepClasses> classify_steps(const Steps& steps);

// Combines Gaussian steps into one and returns mu, its ratio of sensitivity to noise, at the working precision: mu^2 =
// sum count ratio^2.
Ball gaussian_ratio(const Steps& gaussians);

}  // namespace renyi::certify
