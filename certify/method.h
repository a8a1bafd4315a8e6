// How a divergence is had, in words.
#pragma once

#include <string_view>

#include "renyi/certify.h"
#include "renyi/error.h"
#include "renyi/mechanism.h"

namespace renyi::certify {

enum class Method { closed_form, stated_bound, finite_sum, trapezoid, integration };
std::string_view to_string(Method method) noexcept;

// For mechanisms of one's own, and for samplings whose law only the fast curves know.
Unsupported no_certified_method(const Mechanism& step);

// Of D_order of one step. Throws `no_certified_method`.
Method method_of(const Mechanism& mechanism, Direction direction, double order, Route route);

}  // namespace renyi::certify
