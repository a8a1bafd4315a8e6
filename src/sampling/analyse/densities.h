// Sampled pairs that are given by their densities.
#pragma once

#include <memory>

#include "renyi/mechanism.h"
#include "sampling/analyse/inclusion.h"

namespace renyi::sampling {

// The curve of a step of one's own on a sample, by quadrature of the mixture (docs/math/own-mechanisms.md, "On a
// sample"); nullptr for other steps, and where more than one record with none is compared.
std::shared_ptr<const Curve> densities_curve(const Mechanism& inner, const Inclusion& inclusion);

}  // namespace renyi::sampling
