// Each kernel file includes this once, headers do not: see dispatch.h. There is no include guard, because Highway
// includes the kernel file, and so this one, again for every instruction set.
#ifdef __EMSCRIPTEN__
// Highway 1.0 has no doubles in WebAssembly's own vectors; the compiler makes vectors of its portable code.
#define HWY_COMPILE_ONLY_EMU128
#else
// One lane at a time without vectors, whatever the compiler: Highway's emulation of more lanes, which it takes from
// GCC 12.3 on and with Clang, has branches on what is in them, and samplers must have none
// (noise/kernels/vector-inl.h).
#define HWY_BROKEN_EMU128 1
#endif
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>  // first
#include <hwy/highway.h>

#include "simd/dispatch.h"

#ifndef RENYI_SIMD_VERSION
#if HWY_TARGETS & HWY_AVX2
#define RENYI_SIMD_AVX2(kernel) N_AVX2::kernel
#else
#define RENYI_SIMD_AVX2(kernel) static_cast<decltype(&HWY_STATIC_DISPATCH(kernel))>(nullptr)
#endif
#if HWY_TARGETS & HWY_AVX3
#define RENYI_SIMD_AVX3(kernel) N_AVX3::kernel
#else
#define RENYI_SIMD_AVX3(kernel) static_cast<decltype(&HWY_STATIC_DISPATCH(kernel))>(nullptr)
#endif
#define RENYI_SIMD_VERSION(target, kernel) \
  ::renyi::simd::version_for(target, &HWY_STATIC_DISPATCH(kernel), RENYI_SIMD_AVX2(kernel), RENYI_SIMD_AVX3(kernel))
#define RENYI_SIMD_BEST(kernel) RENYI_SIMD_VERSION(::renyi::simd::best_target(), kernel)
#endif
