// Kernels over arrays of numbers, compiled by Highway for several instruction sets; the best one that the processor
// supports is chosen at run time. Only Highway's headers are used: its own dispatch would need its library wherever
// renyi runs.
//
// A kernel file (src/numerics/simd/NAME.cpp) looks like this:
//     #undef HWY_TARGET_INCLUDE
//     #define HWY_TARGET_INCLUDE "numerics/simd/NAME.cpp"
//     #include "simd/targets.h"   // compiles the rest once per instruction set
//     HWY_BEFORE_NAMESPACE();
//     namespace renyi::numerics::simd::HWY_NAMESPACE { double kernel(const double* x, std::size_t n) { ... } }
//     HWY_AFTER_NAMESPACE();
//     #if HWY_ONCE
//     namespace renyi::numerics::simd {
//     double kernel(const double* x, std::size_t n) {
//       static const auto best = RENYI_SIMD_BEST(kernel);
//       return best(x, n);
//     }
//     }
//     #endif
#pragma once

namespace renyi::simd {

// In ascending order of capability.
enum class Target { baseline, avx2, avx3 };

// Returns the best target that this processor supports.
Target best_target() noexcept;

// Returns the version of a kernel for a target, or the best below it; versions that are not compiled are null.
template <class Function>
Function version_for(Target target, Function baseline, Function avx2, Function avx3) {
  if (target >= Target::avx3 && avx3 != nullptr) return avx3;
  if (target >= Target::avx2 && avx2 != nullptr) return avx2;
  return baseline;
}

}  // namespace renyi::simd
