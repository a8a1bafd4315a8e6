// Moments in closed form, on the whole complex plane (docs/math/certified-curves.md, Lemma C1).
#pragma once

#include "certify/ball.h"
#include "renyi/mechanism.h"

namespace renyi::certify {

// Whether `moment` serves the step: gaussian, laplace, randomized-response, pure-dp, gdp, and sampled-gaussian of rate
// 0 or 1.
bool has_closed_moment(const Mechanism& mechanism);

// E_P[exp(zL)], the moment itself, the same in both directions. For pure-dp and gdp that of the pair which dominates
// the step. Throws Unsupported for other steps. Laplace: a ball z that holds -1/2 has no finite answer.
Complex moment(const Mechanism& mechanism, Direction direction, const Complex& z);

}  // namespace renyi::certify
