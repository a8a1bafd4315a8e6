// Steps that other mechanisms and other modules analyse instead of the specified ones, so that none of them has to name
// a mechanism's type. Each is defined in the source of the mechanism that it makes.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "renyi/mechanism.h"

namespace renyi::mechanism {

// Any epsilon-DP step, and its curve; the curve is a null pointer for an epsilon that no step may have.
Mechanism pure_step(double epsilon);
std::shared_ptr<const Curve> pure_curve(double epsilon);

// Returns any mu-GDP step; std::nullopt for a mu that no step may have.
std::optional<Mechanism> gaussian_dp_step(double mu);

// Returns Gaussian noise on all records.
Mechanism gaussian_step(double stddev, double l2_sensitivity);

// Returns Gaussian noise on a Poisson sample; std::nullopt for noise that no such step may have.
std::optional<Mechanism> sampled_gaussian_step(double rate, double noise_multiplier);

// Returns one epoch of random allocation: every record takes part in one of `steps` Gaussian steps with this noise.
// std::nullopt outside of what is computed: fewer than 2 steps, or too little noise.
std::optional<Mechanism> random_allocation_step(std::string name, double steps, double noise_multiplier);

// Returns any step whose divergences are at most xi.
Mechanism bounded_divergence_step(double xi);

}  // namespace renyi::mechanism
