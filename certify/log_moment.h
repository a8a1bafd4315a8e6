// Computes the log-moment K(z) = ln E_P[exp(zL)] of one step in ball arithmetic at the working precision, and names the
// method.
#pragma once

#include <string_view>

#include "certify/ball/ball.h"
#include "renyi/error.h"
#include "renyi/extras/certify.h"
#include "renyi/mechanism.h"

namespace renyi::certify {

// The method by which a divergence is computed.
enum class Method { closed_form, stated_bound, finite_sum, trapezoid, integration };
std::string_view to_string(Method method) noexcept;

// The error for custom mechanisms, and for sampled steps whose distribution only the floating-point curves know.
Unsupported no_certified_method(const Mechanism& step);

// Returns the method for D_order of one step. Throws `no_certified_method`.
Method method_of(const Mechanism& mechanism, Direction direction, double order, Route route);

// Computes K at real z > 0. For steps known by bounds on their divergences (zcdp, tcdp, cdp, moments) it returns the
// bound itself, infinite where there is none.
Ball log_moment(const Mechanism& mechanism, Direction direction, const Ball& z, Route route = Route::first);

// Computes D_order, including order 1 and infinity.
Ball divergence(const Mechanism& mechanism, Direction direction, double order, Route route = Route::first);

}  // namespace renyi::certify
