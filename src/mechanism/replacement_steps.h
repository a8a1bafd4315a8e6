// Steps that other mechanisms and other rooms put in the place of what was said, so that none of them has to name a
// mechanism's type. Each is defined in the source of the mechanism that it makes.
#pragma once

#include <memory>
#include <optional>

#include "renyi/mechanism.h"

namespace renyi::mechanism {

// Any epsilon-DP step, and its curve; the curve of an epsilon that no step may have is none.
Mechanism pure_step(double epsilon);
std::shared_ptr<const Curve> pure_curve(double epsilon);

// Any mu-GDP step; nothing for a mu that no step may have.
std::optional<Mechanism> gaussian_dp_step(double mu);

// Gaussian noise on all records.
Mechanism gaussian_step(double stddev, double l2_sensitivity);

// Gaussian noise on a Poisson sample; nothing for noise that no such step may have.
std::optional<Mechanism> sampled_gaussian_step(double rate, double noise_multiplier);

// Any step whose divergences are at most xi.
Mechanism bounded_divergence_step(double xi);

}  // namespace renyi::mechanism
