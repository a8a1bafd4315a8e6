// The names that plans use for the sum of curves, which is in src/mechanism because some mechanisms are runs of several
// steps.
#pragma once

#include "mechanism/composed_curve.h"

namespace renyi::plan {

using mechanism::ComposedCurve;
using mechanism::CountedCurve;
using mechanism::Directions;

}  // namespace renyi::plan
