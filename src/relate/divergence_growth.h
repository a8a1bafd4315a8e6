// How fast the divergences of a curve grow with the order: the numbers behind zCDP
// and tCDP (docs/math/relatives.md).
#pragma once

#include "relate/supremum.h"
#include "renyi/curve.h"

namespace renyi::relate {

// sup D_a / a over 1 < a <= last_order, of the larger direction; last_order may be infinite.
Range smallest_rho(const Curve& curve, double last_order);

// sup (D_a - rho a)+ over a > 1. rho must be at least curve.growth().rho.
Range smallest_xi(const Curve& curve, double rho);

}  // namespace renyi::relate
