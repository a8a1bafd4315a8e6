#include "numerics/simd/functions.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/simd/functions.cpp"
#include "simd/targets.h"  // compiles the rest once per instruction set
//
#include "numerics/simd/functions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace renyi::numerics::simd::HWY_NAMESPACE {

namespace {

template <class Function>
HWY_INLINE void over_array(const double* from, double* to, std::size_t n, const Function& function) {
  const hn::CappedTag<double, 8> d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) hn::StoreU(function(d, hn::LoadU(d, from + i)), d, to + i);
}

}  // namespace

#define RENYI_OVER_ARRAY(name, value)                                                      \
  void name(const double* from, double* to, std::size_t n) {                               \
    over_array(from, to, n, [](auto d, auto x) HWY_ATTR { return HWY_NAMESPACE::value; }); \
  }
RENYI_OVER_ARRAY(exp_array, exp(d, x))
RENYI_OVER_ARRAY(exp_normal_array, exp_normal(d, x))
RENYI_OVER_ARRAY(grown_factor_array, grown(d, x).factor)
RENYI_OVER_ARRAY(grown_excess_array, grown(d, x).excess)
RENYI_OVER_ARRAY(grown_rest_array, grown(d, x).rest)
RENYI_OVER_ARRAY(rest_up_array, small_rests(d, x).up)
RENYI_OVER_ARRAY(rest_down_array, small_rests(d, x).down)
RENYI_OVER_ARRAY(log_array, log(d, x))
RENYI_OVER_ARRAY(log1p_array, log1p(d, x))
RENYI_OVER_ARRAY(sin_array, sin_cos(d, x).sin)
RENYI_OVER_ARRAY(cos_array, sin_cos(d, x).cos)
#undef RENYI_OVER_ARRAY

}  // namespace renyi::numerics::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace renyi::numerics::simd {

Functions functions_for(renyi::simd::Target target) {
  return {.exp = RENYI_SIMD_VERSION(target, exp_array),
          .exp_normal = RENYI_SIMD_VERSION(target, exp_normal_array),
          .grown_factor = RENYI_SIMD_VERSION(target, grown_factor_array),
          .grown_excess = RENYI_SIMD_VERSION(target, grown_excess_array),
          .grown_rest = RENYI_SIMD_VERSION(target, grown_rest_array),
          .rest_up = RENYI_SIMD_VERSION(target, rest_up_array),
          .rest_down = RENYI_SIMD_VERSION(target, rest_down_array),
          .log = RENYI_SIMD_VERSION(target, log_array),
          .log1p = RENYI_SIMD_VERSION(target, log1p_array),
          .sin = RENYI_SIMD_VERSION(target, sin_array),
          .cos = RENYI_SIMD_VERSION(target, cos_array)};
}

}  // namespace renyi::numerics::simd
#endif
