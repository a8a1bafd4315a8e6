#include "mechanism/sampled_gaussian/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mechanism/sampled_gaussian/tilted_chunk.cpp"
#include "simd/targets.h"  // compiles the rest once per instruction set
//
#include "mechanism/sampled_gaussian/chunk-inl.h"
#include "numerics/simd/functions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace renyi::sampled_gaussian::HWY_NAMESPACE {

namespace simd = numerics::simd::HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;

// The vectors have no more lanes than a chunk has nodes, and their number divides that of the nodes.
using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;

// Roundings of later operations on an atom.
inline constexpr double later = 16;

struct ExponentOf {
  V value, noise;
};

// Computes `exponent` of order.h for a vector of nodes.
HWY_INLINE ExponentOf exponent_at(D d, const Tilt& tilt, const Chunk& c, std::size_t i, V x, V noise) {
  const Order& o = tilt.order;
  const V power = hn::Set(d, o.power), four = hn::Set(d, 4.0), quarter = hn::Set(d, 0.25);
  const V log_q = log_q_of(d, c, x), lift = hn::Mul(power, hn::LoadU(d, c.loss.data() + i));
  const V value = hn::Sub(hn::Add(log_q, lift), hn::Set(d, o.shift));
  const V value_noise = hn::MulAdd(hn::Mul(quarter, hn::Abs(lift)), noise, hn::Mul(four, hn::Abs(log_q)));
  if (tilt.direction == Direction::add) return {value, value_noise};
  const auto is_far = hn::Gt(x, hn::Set(d, tilt.params.crossing));
  if (hn::AllFalse(d, is_far)) return {value, value_noise};
  const V off = hn::Sub(x, power), bell = hn::Mul(hn::Mul(off, off), hn::Set(d, tilt.params.inv_2s2));
  const V rest = hn::Mul(power, hn::LoadU(d, c.rho.data() + i));
  const V far = hn::Add(hn::Sub(hn::Set(d, o.peak_level), bell), rest);
  const V of_power = hn::Mul(hn::Set(d, o.power_noise), hn::Abs(hn::LoadU(d, c.loss.data() + i)));
  const V far_noise = hn::MulAdd(rest, noise, hn::MulAdd(four, bell, hn::Add(of_power, hn::Set(d, o.peak_noise))));
  return {hn::IfThenElse(is_far, far, value), hn::IfThenElse(is_far, far_noise, value_noise)};
}

// Returns 1/(h l') with l' = m(x)/s^2, m the membership of x in N(1, s^2).
HWY_INLINE V inverse_slope(D d, const Tilt& tilt, V x) {
  const double rate = 2 * tilt.params.inv_2s2;
  const V odds = simd::exp(d, hn::Mul(hn::Sub(hn::Set(d, tilt.params.crossing), x), hn::Set(d, rate)));
  return hn::Div(hn::Add(odds, hn::Set(d, 1.0)), hn::Set(d, rate * tilt.step));
}

void tilt(const Tilt& tilt, const Chunk& c, TiltedChunk& tilted, TiltedMoments& moments) {
  const D d;
  V moment[3] = {hn::Zero(d), hn::Zero(d), hn::Zero(d)}, noise[3] = {hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  const V offset = hn::Set(d, tilt.order.shift - tilt.log_mass),
          sign = hn::Set(d, tilt.direction == Direction::remove ? 1.0 : -1.0);
  for (std::size_t i = 0; i < Chunk::size; i += hn::Lanes(d)) {
    const V x = x_of(d, c, i), node_noise = noise_of(d, c, x);
    const ExponentOf e = exponent_at(d, tilt, c, i, x, node_noise);
    const V weight = simd::exp(d, hn::Add(e.value, offset)), loss = hn::Mul(sign, hn::LoadU(d, c.loss.data() + i));
    hn::StoreU(loss, d, tilted.loss.data() + i);
    hn::StoreU(weight, d, tilted.weight.data() + i);
    hn::StoreU(hn::Mul(weight, inverse_slope(d, tilt, x)), d, tilted.density.data() + i);
    const V errors = hn::Add(hn::Add(e.noise, node_noise), hn::Set(d, later)), size = hn::Abs(loss);
    V power = weight;
    for (std::size_t k = 0; k < 3; ++k) {
      moment[k] = hn::Add(moment[k], power);
      noise[k] = hn::MulAdd(power, errors, noise[k]);
      power = hn::Mul(power, size);
    }
  }
  for (std::size_t k = 0; k < 3; ++k) {
    moments.moment[k] += hn::GetLane(hn::SumOfLanes(d, moment[k]));
    moments.noise[k] += hn::GetLane(hn::SumOfLanes(d, noise[k]));
  }
}

// Calls add(L, w) for vectors of atoms, the last one filled up with atoms of weight 0.
template <class Add>
HWY_INLINE void for_vectors(D d, const double* loss, const double* weight, std::size_t count, const Add& add) {
  const std::size_t n = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + n <= count; i += n) add(hn::LoadU(d, loss + i), hn::LoadU(d, weight + i));
  if (i == count) return;
  HWY_ALIGN double last_loss[hn::MaxLanes(D())], last_weight[hn::MaxLanes(D())];
  for (std::size_t k = 0; k < n; ++k) {
    const bool is_there = i + k < count;
    last_loss[k] = loss[is_there ? i + k : i];
    last_weight[k] = is_there ? weight[i + k] : 0;
  }
  add(hn::Load(d, last_loss), hn::Load(d, last_weight));
}

CentralMoments central(const double* loss, const double* weight, std::size_t count) {
  const D d;
  V mass = hn::Zero(d), sum = hn::Zero(d);
  for_vectors(d, loss, weight, count, [&](V l, V w) HWY_ATTR {
    mass = hn::Add(mass, w);
    sum = hn::MulAdd(w, l, sum);
  });
  const double all = hn::GetLane(hn::SumOfLanes(d, mass));
  const V mean = hn::Set(d, all > 0 ? hn::GetLane(hn::SumOfLanes(d, sum)) / all : loss[0]);
  V m1 = hn::Zero(d), m2 = m1, m3 = m1, m4 = m1;
  for_vectors(d, loss, weight, count, [&](V l, V w) HWY_ATTR {
    const V off = hn::Sub(l, mean), first = hn::Mul(w, off), second = hn::Mul(first, off), square = hn::Mul(off, off);
    m1 = hn::Add(m1, first);
    m2 = hn::Add(m2, second);
    m3 = hn::MulAdd(second, off, m3);
    m4 = hn::MulAdd(second, square, m4);
  });
  return {{all, hn::GetLane(hn::SumOfLanes(d, m1)), hn::GetLane(hn::SumOfLanes(d, m2)),
           hn::GetLane(hn::SumOfLanes(d, m3)), hn::GetLane(hn::SumOfLanes(d, m4))}};
}

}  // namespace renyi::sampled_gaussian::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace renyi::sampled_gaussian {

using renyi::simd::Target;

void tilt_chunk(const Tilt& how, const Chunk& chunk, TiltedChunk& tilted, TiltedMoments& moments) {
  static const auto best = RENYI_SIMD_BEST(tilt);
  best(how, chunk, tilted, moments);
}

void tilt_chunk(Target target, const Tilt& how, const Chunk& chunk, TiltedChunk& tilted, TiltedMoments& moments) {
  RENYI_SIMD_VERSION(target, tilt)(how, chunk, tilted, moments);
}

CentralMoments central_moments(const double* loss, const double* weight, std::size_t count) {
  static const auto best = RENYI_SIMD_BEST(central);
  return best(loss, weight, count);
}

CentralMoments central_moments(Target target, const double* loss, const double* weight, std::size_t count) {
  return RENYI_SIMD_VERSION(target, central)(loss, weight, count);
}

}  // namespace renyi::sampled_gaussian

#endif
