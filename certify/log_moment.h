// The log-moment K(z) = ln E_P[exp(zL)] of one step, in ball arithmetic at the working precision, and the method that
// gives it.
#pragma once

#include <string_view>

#include "certify/ball.h"
#include "renyi/extras/certify.h"
#include "renyi/error.h"
#include "renyi/mechanism.h"

namespace renyi::certify {

// How a divergence is had, in words.
enum class Method { closed_form, stated_bound, finite_sum, trapezoid, integration };
std::string_view to_string(Method method) noexcept;

// For mechanisms of one's own, and for samplings whose law only the fast curves know.
Unsupported no_certified_method(const Mechanism& step);

// Of D_order of one step. Throws `no_certified_method`.
Method method_of(const Mechanism& mechanism, Direction direction, double order, Route route);

// At real z > 0. For steps known by bounds on their divergences (zcdp, tcdp, cdp, moments) the bound itself, infinite
// where there is none.
Ball log_moment(const Mechanism& mechanism, Direction direction, const Ball& z, Route route = Route::first);

// D_order, order 1 and infinity included.
Ball divergence(const Mechanism& mechanism, Direction direction, double order, Route route = Route::first);

}  // namespace renyi::certify
