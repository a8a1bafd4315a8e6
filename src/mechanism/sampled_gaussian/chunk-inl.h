// Chunk::x, log_q and noise for vectors of nodes, for kernel files (simd/dispatch.h).
#if defined(RENYI_SAMPLED_GAUSSIAN_CHUNK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RENYI_SAMPLED_GAUSSIAN_CHUNK_INL_H_
#undef RENYI_SAMPLED_GAUSSIAN_CHUNK_INL_H_
#else
#define RENYI_SAMPLED_GAUSSIAN_CHUNK_INL_H_
#endif

#include <hwy/highway.h>

#include "mechanism/sampled_gaussian/lattice.h"

HWY_BEFORE_NAMESPACE();
namespace renyi::sampled_gaussian::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D, class V = hn::Vec<D>>
HWY_INLINE V x_of(D d, const Chunk& c, std::size_t i) {
  return hn::Mul(hn::Iota(d, c.first + static_cast<double>(i)), hn::Set(d, c.step));
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V log_q_of(D d, const Chunk& c, V x) {
  return hn::Sub(hn::Set(d, c.log_weight), hn::Mul(hn::Mul(x, x), hn::Set(d, c.inv_2s2)));
}

// Returns ln of the odds of N(1, s^2) against N(0, s^2).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V tilt_of(D d, const Chunk& c, V x) {
  return hn::Mul(hn::Sub(hn::Add(x, x), hn::Set(d, 1.0)), hn::Set(d, c.inv_2s2));
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V noise_of(D d, const Chunk& c, V x) {
  const V tilt = hn::Min(hn::Abs(tilt_of(d, c, x)), hn::Set(d, Chunk::most_tilt));
  return hn::MulAdd(hn::Set(d, 4.0), tilt, hn::Set(d, Chunk::base_noise));
}

}  // namespace renyi::sampled_gaussian::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
