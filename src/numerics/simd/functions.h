// The elementary functions of functions-inl.h over arrays, with a separate version for each instruction set, for tests
// and measurements. Kernels use the vector forms.
#pragma once

#include <cstddef>

#include "simd/dispatch.h"

namespace renyi::numerics::simd {

// Computes n results from n arguments, n a multiple of 8.
using ArrayFunction = void (*)(const double* from, double* to, std::size_t n);

struct Functions {
  ArrayFunction exp;
  ArrayFunction exp_normal;
  ArrayFunction grown_factor;  // exp(y), exp(y) - 1 and exp(y) - 1 - y, from one evaluation
  ArrayFunction grown_excess;
  ArrayFunction grown_rest;
  ArrayFunction rest_up;    // exp(w) - 1 - w, |w| <= 1/2
  ArrayFunction rest_down;  // exp(-w) - 1 + w, |w| <= 1/2
  ArrayFunction log;
  ArrayFunction log1p;
  ArrayFunction sin;
  ArrayFunction cos;
};

// Returns the target's versions, or the best that are compiled below it.
Functions functions_for(renyi::simd::Target target);

}  // namespace renyi::numerics::simd
