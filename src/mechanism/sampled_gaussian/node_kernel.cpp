#include "mechanism/sampled_gaussian/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mechanism/sampled_gaussian/node_kernel.cpp"
#include "simd/targets.h"  // compiles the rest once per instruction set
//
#include "mechanism/sampled_gaussian/chunk-inl.h"
#include "numerics/simd/functions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace renyi::sampled_gaussian::HWY_NAMESPACE {

namespace {

namespace hn = hwy::HWY_NAMESPACE;
namespace simd = numerics::simd::HWY_NAMESPACE;
using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;

// Where N(1, s^2) outweighs N(0, s^2) by more than exp of this, P is the former.
constexpr double far_odds = 40;

// The quantities that near and far nodes compute differently.
struct Node {
  V loss, rho, p, centred_p, centred_q;
};

// Replaces t by 0 outside the mask, so that what is computed from it stays finite whatever t is there.
HWY_INLINE V where(const hn::Mask<D>& mask, V t) { return hn::IfThenElseZero(mask, t); }

// R(w) = exp(w) - 1 - w and R(-w), given r = exp(w) and u = r - 1.
HWY_INLINE simd::BothRests<V> rests(D d, V w, V r, V u) {
  const auto is_small = hn::Lt(hn::Abs(w), hn::Set(d, 0.5));
  const simd::BothRests<V> small = simd::small_rests(d, where(is_small, w));
  if (hn::AllTrue(d, is_small)) return small;
  return {hn::IfThenElse(is_small, small.up, hn::Sub(u, w)),
          hn::IfThenElse(is_small, small.down, hn::Sub(w, hn::Div(u, r)))};
}

// r = 1 + u = (1-q) + q e^t and loss = ln r, in the form that does not cancel.
HWY_INLINE Node near_node(D d, const Params& k, V x, V t, V weight) {
  const V q = hn::Set(d, k.q), q_left = hn::Set(d, 1 - k.q);
  const simd::Grown<V> e = simd::grown(d, t);
  const V u = hn::Mul(q, e.excess);
  const simd::TwoParts<V> around_one = simd::one_plus(d, u);
  const auto is_sum = hn::Gt(u, hn::Set(d, -0.5));
  const V r = hn::IfThenElse(is_sum, around_one.sum, hn::MulAdd(q, e.factor, q_left));
  const V loss = simd::log_of_sum(d, r, hn::IfThenElseZero(is_sum, around_one.rest));
  const simd::BothRests<V> rest = rests(d, loss, r, u);
  const auto is_above = hn::Gt(x, hn::Set(d, k.crossing));
  V rho = hn::Zero(d);
  if (!hn::AllFalse(d, is_above)) {
    const V odds = hn::IfThenElseZero(is_above, hn::Div(q_left, hn::Mul(q, e.factor)));
    rho = simd::log1p(d, odds);
  }
  const V p = hn::Mul(weight, r);
  return {loss, rho, p, hn::Mul(p, rest.down), hn::Mul(weight, rest.up)};
}

// r = q exp(t) to below rounding: no exponential of t is needed, nor could it overflow. ln P = ln Q + loss would
// cancel, so it is computed from N(1, s^2) directly.
HWY_INLINE Node far_node(D d, const Params& k, double log_weight, V x, V t, V weight) {
  const V off = hn::Sub(x, hn::Set(d, 1.0)), loss = hn::Add(t, hn::Set(d, k.log_q));
  const V bell = hn::Mul(hn::Mul(off, off), hn::Set(d, k.inv_2s2));
  const V p = simd::exp(d, hn::Sub(hn::Set(d, log_weight + k.log_q), bell));
  const V rest = simd::grown(d, hn::Neg(loss)).rest;
  return {loss, hn::Zero(d), p, hn::Mul(p, rest), hn::NegMulAdd(weight, hn::Add(loss, hn::Set(d, 1.0)), p)};
}

HWY_INLINE Node choose(const hn::Mask<D>& is_far, const Node& far, const Node& near) {
  return {hn::IfThenElse(is_far, far.loss, near.loss), hn::IfThenZeroElse(is_far, near.rho),
          hn::IfThenElse(is_far, far.p, near.p), hn::IfThenElse(is_far, far.centred_p, near.centred_p),
          hn::IfThenElse(is_far, far.centred_q, near.centred_q)};
}

HWY_INLINE Node node(D d, const Params& k, double log_weight, V x, V t, V weight) {
  const auto is_far = hn::Gt(t, hn::Set(d, far_odds + k.log_1mq - k.log_q));
  if (hn::AllFalse(d, is_far)) return near_node(d, k, x, t, weight);
  const Node far = far_node(d, k, log_weight, x, t, weight);
  if (hn::AllTrue(d, is_far)) return far;
  return choose(is_far, far, near_node(d, k, x, where(hn::Not(is_far), t), weight));
}

}  // namespace

void fill_nodes(const Params& k, double step, double log_weight, std::int64_t first, Chunk& chunk) {
  const D d;
  chunk.first = static_cast<double>(first);
  chunk.step = step;
  chunk.inv_2s2 = k.inv_2s2;
  chunk.log_weight = log_weight;
  for (std::size_t i = 0; i < Chunk::size; i += hn::Lanes(d)) {
    const V x = x_of(d, chunk, i), weight = simd::exp(d, log_q_of(d, chunk, x));
    const Node n = node(d, k, log_weight, x, tilt_of(d, chunk, x), weight);
    hn::StoreU(n.loss, d, chunk.loss.data() + i);
    hn::StoreU(n.p, d, chunk.p.data() + i);
    hn::StoreU(n.centred_p, d, chunk.centred_p.data() + i);
    hn::StoreU(weight, d, chunk.q.data() + i);
    hn::StoreU(n.centred_q, d, chunk.centred_q.data() + i);
    hn::StoreU(n.rho, d, chunk.rho.data() + i);
  }
}

}  // namespace renyi::sampled_gaussian::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace renyi::sampled_gaussian {

FillNodes fill_nodes_for(renyi::simd::Target target) { return RENYI_SIMD_VERSION(target, fill_nodes); }

void fill_nodes(const Params& params, double step, double log_weight, std::int64_t first, Chunk& chunk) {
  static const FillNodes best = fill_nodes_for(renyi::simd::best_target());
  best(params, step, log_weight, first, chunk);
}

}  // namespace renyi::sampled_gaussian
#endif
