// The log-moment K(z) = ln E_P[exp(zL)] of one step, in ball arithmetic at the working precision.
#pragma once

#include "certify/ball.h"
#include "renyi/mechanism.h"

namespace renyi::certify {

// At real z > 0. For steps known by bounds on their divergences (zcdp, tcdp, cdp, moments) the bound itself, infinite
// where there is none.
Ball log_moment(const Mechanism& mechanism, Direction direction, const Ball& z, Route route = Route::first);

// D_order, order 1 and infinity included.
Ball divergence(const Mechanism& mechanism, Direction direction, double order, Route route = Route::first);

}  // namespace renyi::certify
