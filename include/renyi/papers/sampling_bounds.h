// Published bounds on the Renyi divergence of a sampled step of which only the Renyi curve is known
// (docs/math/sampling-bounds.md). Steps whose noise distribution is known have exact curves, which are smaller.
#pragma once

#include <memory>

#include "renyi/extras/curve.h"
#include "renyi/interval.h"

namespace renyi {

// For Poisson sampling, in which each record is drawn independently with probability `rate`. Returns upper bounds at
// every order, separately for each direction, which are never above those of Zhu, Wang 2019. Both the curve of the step
// and the result are for the relation add-or-remove-one, or for zero-out if a zeroed record has the same effect as
// none.
//
//     const auto step = renyi::Mechanism(renyi::Laplace{.scale = 2}).curve();
//     renyi::rdp(*renyi::poisson_bound(step, 0.01), 8).upper();
[[nodiscard]] std::shared_ptr<const Curve> poisson_bound(std::shared_ptr<const Curve> step, double rate);

// For samples of fixed size without replacement; `rate` is the size of the sample divided by that of the dataset.
// Returns the bound of Wang, Balle, Kasiviswanathan 2019, Theorem 9, or that of the unsampled step if it is smaller.
// Both the curve of the step and the result are for the relation replace-one.
[[nodiscard]] std::shared_ptr<const Curve> without_replacement_bound(std::shared_ptr<const Curve> step, double rate);

// Returns the stronger bound of the same paper for Gaussian noise, its Theorem 27, at a whole order in [2, 10000], as
// it was published, for comparison. `noise_multiplier` is the standard deviation of the noise divided by the largest
// distance that replacing a record can move the query.
[[nodiscard]] Bounded without_replacement_gaussian_bound(double noise_multiplier, double rate, double order);

}  // namespace renyi
