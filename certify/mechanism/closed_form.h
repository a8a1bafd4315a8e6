// Steps whose distributions have a closed form: their parameters, exact up to the working precision, and their moments.
#pragma once

#include <optional>

#include "certify/ball/ball.h"
#include "renyi/mechanism.h"

namespace renyi::certify {

// Returns true if both distributions are equal, so that every divergence is exactly 0. This must follow exactly from
// the parameters.
bool is_trivial(const Mechanism& mechanism);

// Returns D_a / a of a Gaussian pair: gaussian, gdp, and sampled-gaussian of rate 1.
std::optional<Ball> gaussian_rate(const Mechanism& mechanism);

// Returns the largest loss of the Laplace mechanism, l1_sensitivity / scale.
Ball largest_loss(const Laplace& laplace);

// The loss is `loss` with probability `high`, -loss with probability `low`, 0 with probability `rest`, and high = low
// exp(loss), loss >= 0: randomized-response and pure-dp. Under Q `high` and `low` are exchanged.
struct TwoSided {
  Ball loss;
  Ball high;
  Ball low;
  Ball rest;
};
std::optional<TwoSided> two_sided(const Mechanism& mechanism);

// Computes K at real z > 0 for the steps above; returns std::nullopt for other steps.
std::optional<Ball> closed_log_moment(const Mechanism& mechanism, const Ball& z);
// Compute D_1 and D_inf.
std::optional<Ball> closed_mean_loss(const Mechanism& mechanism);
std::optional<Ball> closed_max_loss(const Mechanism& mechanism);

// Moments in the whole complex plane (docs/math/certified-curves.md, Lemma C1).

// Returns true if `moment` supports the step: gaussian, laplace, randomized-response, pure-dp, gdp, and
// sampled-gaussian of rate 0 or 1.
bool has_closed_moment(const Mechanism& mechanism);

// Computes E_P[exp(zL)], the moment itself, which is the same in both directions. For pure-dp and gdp it is that of the
// dominating pair. Throws Unsupported for other steps. For Laplace the result is not finite if the ball z contains
// -1/2.
Complex moment(const Mechanism& mechanism, Direction direction, const Complex& z);

}  // namespace renyi::certify
