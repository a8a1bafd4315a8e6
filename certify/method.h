// How a divergence is had, in words.
#pragma once

#include <string_view>

#include "renyi/certify.h"
#include "renyi/mechanism.h"

namespace renyi::certify {

enum class Method { closed_form, stated_bound, finite_sum, trapezoid, integration };
std::string_view to_string(Method method) noexcept;

// Of D_order of one step. Throws Unsupported for mechanisms of one's own.
Method method_of(const Mechanism& mechanism, Direction direction, double order, Route route);

}  // namespace renyi::certify
