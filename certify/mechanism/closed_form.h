// Steps whose laws are known in closed form: their parameters, exact up to the working precision, and their moments.
#pragma once

#include <optional>

#include "certify/ball.h"
#include "renyi/mechanism.h"

namespace renyi::certify {

// Both laws are the same: every divergence is exactly 0. True only if the parameters say so exactly.
bool is_trivial(const Mechanism& mechanism);

// D_a / a of a Gaussian pair: gaussian, gdp, and sampled-gaussian of rate 1.
std::optional<Ball> gaussian_rate(const Mechanism& mechanism);

// The largest loss of the Laplace mechanism, l1_sensitivity / scale.
Ball largest_loss(const Laplace& laplace);

// A loss of `loss` with probability `high`, -loss with probability `low`, 0 with probability `rest`, and
// high = low exp(loss), loss >= 0: randomized-response and pure-dp. Under Q `high` and `low` change places.
struct TwoSided {
  Ball loss;
  Ball high;
  Ball low;
  Ball rest;
};
std::optional<TwoSided> two_sided(const Mechanism& mechanism);

// K at real z > 0 of the steps above; nothing for other steps.
std::optional<Ball> closed_log_moment(const Mechanism& mechanism, const Ball& z);
// D_1 and D_inf.
std::optional<Ball> closed_mean_loss(const Mechanism& mechanism);
std::optional<Ball> closed_max_loss(const Mechanism& mechanism);

// Moments on the whole complex plane (docs/math/certified-curves.md, Lemma C1).

// Whether `moment` serves the step: gaussian, laplace, randomized-response, pure-dp, gdp, and sampled-gaussian of rate
// 0 or 1.
bool has_closed_moment(const Mechanism& mechanism);

// E_P[exp(zL)], the moment itself, the same in both directions. For pure-dp and gdp that of the pair which dominates
// the step. Throws Unsupported for other steps. Laplace: a ball z that holds -1/2 has no finite answer.
Complex moment(const Mechanism& mechanism, Direction direction, const Complex& z);

}  // namespace renyi::certify
