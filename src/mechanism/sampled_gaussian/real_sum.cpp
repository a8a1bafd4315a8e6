#include "mechanism/sampled_gaussian/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mechanism/sampled_gaussian/real_sum.cpp"
#include "simd/targets.h"  // compiles the rest once per instruction set
//
#include "mechanism/sampled_gaussian/chunk-inl.h"
#include "numerics/simd/functions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace renyi::sampled_gaussian::HWY_NAMESPACE {

namespace {

namespace hn = hwy::HWY_NAMESPACE;
namespace simd = numerics::simd::HWY_NAMESPACE;
using D = hn::CappedTag<double, RealLanes::size>;
using V = hn::Vec<D>;

// Roundings of a term that comes from one large exponential.
constexpr double large_term_noise = 16;

// The results of exponent() of order.h, for a vector of nodes.
struct Exponents {
  V value, noise;
};

HWY_INLINE V load(D d, const Chunk::Column& column, std::size_t i) { return hn::LoadU(d, column.data() + i); }

HWY_INLINE Exponents below_crossing(D d, const Order& o, const Chunk& c, std::size_t i, V x, V node_noise) {
  const V log_q = log_q_of(d, c, x), tilt = hn::Mul(hn::Set(d, o.power), load(d, c.loss, i));
  const V from_tilt = hn::Mul(hn::Mul(hn::Set(d, 0.25), hn::Abs(tilt)), node_noise);
  return {hn::Sub(hn::Add(log_q, tilt), hn::Set(d, o.shift)), hn::MulAdd(hn::Set(d, 4.0), hn::Abs(log_q), from_tilt)};
}

HWY_INLINE Exponents above_crossing(D d, const Order& o, const Params& k, const Chunk& c, std::size_t i, V x,
                                    V node_noise) {
  const V off = hn::Sub(x, hn::Set(d, o.power)), lift = hn::Mul(hn::Set(d, o.power), load(d, c.rho, i));
  const V bell = hn::Mul(hn::Mul(off, off), hn::Set(d, k.inv_2s2));
  const V of_power = hn::Mul(hn::Set(d, o.power_noise), hn::Abs(load(d, c.loss, i)));
  return {hn::Add(hn::Sub(hn::Set(d, o.peak_level), bell), lift),
          hn::MulAdd(lift, node_noise, hn::MulAdd(hn::Set(d, 4.0), bell, hn::Add(of_power, hn::Set(d, o.peak_noise))))};
}

template <Direction direction>
HWY_INLINE Exponents exponents(D d, const Order& o, const Params& k, const Chunk& c, std::size_t i, V x, V node_noise) {
  const Exponents below = below_crossing(d, o, c, i, x, node_noise);
  if constexpr (direction == Direction::add) {
    return below;
  } else {
    const auto is_above = hn::Gt(x, hn::Set(d, k.crossing));
    if (hn::AllFalse(d, is_above)) return below;
    const Exponents above = above_crossing(d, o, k, c, i, x, node_noise);
    return {hn::IfThenElse(is_above, above.value, below.value), hn::IfThenElse(is_above, above.noise, below.noise)};
  }
}

// The contributions of one node to the sums.
struct Terms {
  V moment, slope, curvature, noise;
};

// A node in one direction: weight under P, loss, and weight times R(-loss).
struct Nodes {
  V x, weight, loss, centred, noise;
};

template <Direction direction>
HWY_INLINE Nodes nodes_at(D d, const Chunk& c, std::size_t i) {
  const V x = x_of(d, c, i), noise = noise_of(d, c, x), loss = load(d, c.loss, i);
  if constexpr (direction == Direction::remove) {
    return {x, load(d, c.p, i), loss, load(d, c.centred_p, i), noise};
  } else {
    return {x, load(d, c.q, i), hn::Neg(loss), load(d, c.centred_q, i), noise};
  }
}

// Returns weight R(y) + z centred with y = z loss < 1.
HWY_INLINE Terms small_terms(D d, const Order& o, const Nodes& n, const simd::Grown<V>& g) {
  const V unscale = hn::Set(d, o.unscale), tilted = hn::Mul(n.weight, n.loss);
  const V moment = hn::Mul(unscale, hn::MulAdd(n.weight, g.rest, hn::Mul(hn::Set(d, o.z), n.centred)));
  return {moment, hn::Mul(unscale, hn::MulAdd(tilted, g.excess, n.centred)),
          hn::Mul(hn::Mul(unscale, hn::Mul(tilted, n.loss)), g.factor), hn::Mul(moment, n.noise)};
}

// Returns the same terms, computed from one large exponential.
HWY_INLINE Terms large_terms(D d, const Order& o, const Nodes& n, V y, V large, V exponent_noise) {
  const V unscale = hn::Set(d, o.unscale), tilted = hn::Mul(n.loss, large);
  const V line = hn::NegMulAdd(hn::Set(d, o.z), n.centred, hn::MulAdd(n.weight, y, n.weight));
  const V line_slope = hn::Sub(hn::Mul(n.weight, n.loss), n.centred);
  return {hn::NegMulAdd(unscale, line, large), hn::NegMulAdd(unscale, line_slope, tilted), hn::Mul(n.loss, tilted),
          hn::Mul(large, hn::Add(exponent_noise, hn::Set(d, large_term_noise)))};
}

template <Direction direction>
HWY_INLINE Terms terms(D d, const Order& o, const Params& k, const Chunk& c, std::size_t i) {
  const Nodes n = nodes_at<direction>(d, c, i);
  const V y = hn::Mul(hn::Set(d, o.z), n.loss);
  const auto is_large = hn::Ge(y, hn::Set(d, 1.0));
  if (hn::AllFalse(d, is_large)) return small_terms(d, o, n, simd::grown(d, y));
  const Exponents e = exponents<direction>(d, o, k, c, i, n.x, n.noise);
  if (hn::AllTrue(d, is_large)) return large_terms(d, o, n, y, simd::exp_normal(d, e.value), e.noise);
  const simd::Grown<V> g = simd::grown(d, hn::IfThenElse(is_large, e.value, y));
  const Terms small = small_terms(d, o, n, g), large = large_terms(d, o, n, y, g.factor, e.noise);
  return {hn::IfThenElse(is_large, large.moment, small.moment), hn::IfThenElse(is_large, large.slope, small.slope),
          hn::IfThenElse(is_large, large.curvature, small.curvature),
          hn::IfThenElse(is_large, large.noise, small.noise)};
}

HWY_INLINE void add_to(D d, RealLanes::Lane& lanes, std::size_t at, V sum) {
  hn::StoreU(hn::Add(hn::LoadU(d, lanes.data() + at), sum), d, lanes.data() + at);
}

}  // namespace

template <Direction direction>
Edges add_chunk(const Order& o, const Params& k, const Chunk& c, RealLanes& lanes) {
  const D d;
  constexpr std::size_t stride = RealLanes::size;
  std::array<double, stride> low{}, high{};
  for (std::size_t lane = 0; lane < stride; lane += hn::Lanes(d)) {
    Terms sum = terms<direction>(d, o, k, c, lane);
    hn::StoreU(sum.slope, d, low.data() + lane);
    for (std::size_t i = lane + stride; i < Chunk::size; i += stride) {
      const Terms term = terms<direction>(d, o, k, c, i);
      if (i + stride >= Chunk::size) hn::StoreU(term.slope, d, high.data() + lane);
      sum = {hn::Add(sum.moment, term.moment), hn::Add(sum.slope, term.slope), hn::Add(sum.curvature, term.curvature),
             hn::Add(sum.noise, term.noise)};
    }
    add_to(d, lanes.moment, lane, sum.moment);
    add_to(d, lanes.slope, lane, sum.slope);
    add_to(d, lanes.curvature, lane, sum.curvature);
    add_to(d, lanes.noise, lane, sum.noise);
  }
  return {low.front(), high.back()};
}

Edges add_chunk_remove(const Order& o, const Params& k, const Chunk& c, RealLanes& lanes) {
  return add_chunk<Direction::remove>(o, k, c, lanes);
}

Edges add_chunk_add(const Order& o, const Params& k, const Chunk& c, RealLanes& lanes) {
  return add_chunk<Direction::add>(o, k, c, lanes);
}

}  // namespace renyi::sampled_gaussian::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <cmath>
#include <numeric>

namespace renyi::sampled_gaussian {

namespace {

double total(const RealLanes::Lane& lanes) { return std::accumulate(lanes.begin(), lanes.end(), 0.0); }

AddChunk best_add_chunk(Direction direction) {
  static const AddChunk best[] = {add_chunk_for(renyi::simd::best_target(), Direction::remove),
                                  add_chunk_for(renyi::simd::best_target(), Direction::add)};
  return best[direction == Direction::remove ? 0 : 1];
}

}  // namespace

AddChunk add_chunk_for(renyi::simd::Target target, Direction direction) {
  return direction == Direction::remove ? RENYI_SIMD_VERSION(target, add_chunk_remove)
                                        : RENYI_SIMD_VERSION(target, add_chunk_add);
}

RealSum::RealSum(const Order& order, const Params& params, Direction direction)
    : order_(order), params_(params), add_(best_add_chunk(direction)) {}

Edges RealSum::add(const Chunk& chunk) {
  ++chunks_;
  return add_(order_, params_, chunk, lanes_);
}

double RealSum::moment() const { return total(lanes_.moment); }
double RealSum::slope() const { return total(lanes_.slope); }
double RealSum::curvature() const { return total(lanes_.curvature); }
double RealSum::noise() const { return total(lanes_.noise); }

double RealSum::coarse_error() const {
  double difference = 0;
  for (std::size_t i = 0; i < RealLanes::size; i += 2) difference += lanes_.moment[i] - lanes_.moment[i + 1];
  return std::abs(difference);
}

}  // namespace renyi::sampled_gaussian
#endif
