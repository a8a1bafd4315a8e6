// What sampling makes of a step that is known by its Renyi curve only (docs/math/sampling-bounds.md). Steps whose noise
// is known have exact curves, which are smaller.
#pragma once

#include <memory>

#include "renyi/extras/curve.h"
#include "renyi/interval.h"

namespace renyi {

// Poisson sampling: each record enters by itself with probability `rate`. The curve of the step and the answer are
// those of add-or-remove-one, or of zero-out where a zeroed record is as good as none. Upper bounds at every order,
// each direction by itself, never above Zhu, Wang 2019.
std::shared_ptr<const Curve> poisson_bound(std::shared_ptr<const Curve> step, double rate);

// A sample of fixed size without replacement, `rate` = its size over that of the data. The curve of the step and the
// answer are those of replace-one. Wang, Balle, Kasiviswanathan 2019, Theorem 9, never above the unsampled step.
std::shared_ptr<const Curve> without_replacement_bound(std::shared_ptr<const Curve> step, double rate);

// The same paper's stronger form for Gaussian noise, its Theorem 27, at a whole order in [2, 10000], as published: for
// comparison. `noise_multiplier` is the standard deviation over how far replacing a record can move the query.
Bounded without_replacement_gaussian_bound(double noise_multiplier, double rate, double order);

}  // namespace renyi
