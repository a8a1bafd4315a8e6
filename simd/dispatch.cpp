#include "simd/dispatch.h"

namespace renyi::simd {

#if defined(__x86_64__) || defined(__i386__)

// Checks for the processor features that Highway's targets AVX3 and AVX2 use.
Target best_target() noexcept {
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool has_avx3 = has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512cd");
  return has_avx3 ? Target::avx3 : has_avx2 ? Target::avx2 : Target::baseline;
}

#else

Target best_target() noexcept { return Target::baseline; }

#endif

}  // namespace renyi::simd
