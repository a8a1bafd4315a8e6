// What the kernels share: cells, places, exp and acceptance over vectors of lanes.
#if defined(RENYI_NOISE_KERNELS_VECTOR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RENYI_NOISE_KERNELS_VECTOR_INL_H_
#undef RENYI_NOISE_KERNELS_VECTOR_INL_H_
#else
#define RENYI_NOISE_KERNELS_VECTOR_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstdint>

#include "noise/exact/secret.h"
#include "noise/kernels/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace renyi::noise::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using DU = hn::CappedTag<std::uint64_t, lanes_at_once>;
using DI = hn::CappedTag<std::int64_t, lanes_at_once>;
using DD = hn::CappedTag<double, lanes_at_once>;
using VU = hn::Vec<DU>;
using VI = hn::Vec<DI>;
using VD = hn::Vec<DD>;

inline constexpr std::uint64_t top_bit = std::uint64_t{1} << 63U;

HWY_INLINE VU set_u(std::uint64_t value) { return hn::Set(DU(), value); }
HWY_INLINE VD set_d(double value) { return hn::Set(DD(), value); }

// Choices by a mask, the smaller of two numbers, the whole part of a number in [0, 2^52), numbers rounded toward zero
// within 32 bits, and whole numbers within a range: instructions of vectors. Highway's code for a processor without
// them has branches.
#if HWY_TARGET == HWY_SCALAR
template <class M, class V>
HWY_INLINE V choose(M mask, V yes, V no) {
  const hn::DFromV<V> d;
  const DU du;
  const VU bits = set_u(opaque(hn::GetLane(hn::BitCast(du, hn::VecFromMask(d, mask)))));
  return hn::BitCast(d, hn::Or(hn::And(bits, hn::BitCast(du, yes)), hn::AndNot(bits, hn::BitCast(du, no))));
}
HWY_INLINE VD minimum(VD a, VD b) { return choose(hn::Lt(a, b), a, b); }
HWY_INLINE VD whole_part(VD x) { return set_d(static_cast<double>(static_cast<std::int64_t>(hn::GetLane(x)))); }
HWY_INLINE auto to_int32(VD x) {
  const auto whole = limited(static_cast<std::int64_t>(hn::GetLane(x)), INT32_MAX);
  return hn::Set(hn::Rebind<std::int32_t, DD>(), static_cast<std::int32_t>(whole));
}
HWY_INLINE VI within(VI x, std::int64_t range) { return hn::Set(DI(), limited(hn::GetLane(x), range)); }
#else
template <class M, class V>
HWY_INLINE V choose(M mask, V yes, V no) {
  return hn::IfThenElse(mask, yes, no);
}
HWY_INLINE VD minimum(VD a, VD b) { return hn::Min(a, b); }
HWY_INLINE VD whole_part(VD x) { return hn::Floor(x); }
HWY_INLINE auto to_int32(VD x) { return hn::DemoteTo(hn::Rebind<std::int32_t, DD>(), x); }
HWY_INLINE VI within(VI x, std::int64_t range) {
  const VI most = hn::Set(DI(), range), least = hn::Set(DI(), -range);
  const VI below = hn::IfThenElse(hn::Gt(x, most), most, x);
  return hn::IfThenElse(hn::Gt(least, below), least, below);
}
#endif

// a > b for unsigned words, as a mask of bits.
HWY_INLINE VU greater(VU a, VU b) {
  const DI di;
  const VU flip = set_u(top_bit);
  return hn::BitCast(DU(),
                     hn::VecFromMask(di, hn::Gt(hn::BitCast(di, hn::Xor(a, flip)), hn::BitCast(di, hn::Xor(b, flip)))));
}
HWY_INLINE VU mask_bits(hn::Mask<DD> mask) { return hn::BitCast(DU(), hn::VecFromMask(DD(), mask)); }

// The sign is the highest bit of the word of the cell; the cell follows from the others, as a number in [0, 1).
HWY_INLINE VU without_sign(VU word) { return hn::ShiftLeft<1>(word); }
HWY_INLINE VU sign_bit(VU word) { return hn::ShiftRight<63>(word); }

// The upper 52 bits of a word as a number in [0, 1): below the word's own number by less than 2^-52.
HWY_INLINE VD unit(VU word) {
  const VU bits = hn::Or(hn::ShiftRight<12>(word), set_u(0x3ff0000000000000));
  return hn::Sub(hn::BitCast(DD(), bits), set_d(1.0));
}
// A word's number is at most so much above unit(word).
inline double unit_slack(const Knowledge& knowledge) {
  return std::ldexp(static_cast<double>(knowledge.slack), -64) + 0x1p-52;
}

// Whole numbers below 2^52 as doubles, exactly.
HWY_INLINE VD to_double(VU value) {
  return hn::Sub(hn::BitCast(DD(), hn::Or(value, set_u(0x4330000000000000))), set_d(0x1p52));
}
HWY_INLINE VU to_whole(VD value) {
  return hn::And(hn::BitCast(DU(), hn::Add(value, set_d(0x1p52))), set_u(0x000fffffffffffff));
}

// The floors of the ends with their first bit turned, which makes comparisons of unsigned words those of signed ones.
struct CellEnds {
  std::int64_t flipped[cells_at_once];
};
inline CellEnds ends_of(const CellFloors& cells) {
  CellEnds ends{};
  for (std::size_t i = 0; i < cells_at_once; ++i) ends.flipped[i] = static_cast<std::int64_t>(cells.floor[i] ^ top_bit);
  return ends;
}

// The cell of the half-normal law: how many of the ends lie below.
struct Cell {
  VU index;
  VU undecided;
};
HWY_INLINE Cell cell_of(VU word, const CellEnds& ends, const Knowledge& knowledge) {
  const DI di;
  const VU v = without_sign(word);
  // Two words stand for one v, because the sign is not part of it: v is in [v, v + 2 slack).
  const VU most = hn::Add(v, set_u(2 * knowledge.slack - 1)), flip = set_u(top_bit);
  const VI low = hn::BitCast(di, hn::Xor(v, flip)), high = hn::BitCast(di, hn::Xor(most, flip));
  const VI one = hn::Set(di, 1);
  VI surely = hn::Zero(di), above = hn::Zero(di);
#pragma GCC unroll 16
  for (const std::int64_t flipped : ends.flipped) {
    const VI end = hn::Set(di, flipped);
    // The end lies in [floor, floor + 1) 2^-64: v > floor is above it, v + 2 slack <= floor is below.
    surely = choose(hn::Gt(low, end), hn::Add(surely, one), surely);
    above = choose(hn::Gt(end, high), hn::Add(above, one), above);
  }
  // Beyond the last end the cell is not known.
  const auto is_known = hn::Eq(hn::Add(surely, above), hn::Set(di, static_cast<std::int64_t>(cells_at_once)));
  const auto is_decided = hn::And(is_known, hn::Gt(above, hn::Zero(di)));
  return {hn::BitCast(DU(), surely), hn::BitCast(DU(), hn::VecFromMask(di, hn::Not(is_decided)))};
}

// exp(-g) for g in [0, 60], with a relative error of at most 2^-48 (docs/math/noise.md counts fewer than 20 roundings).
HWY_INLINE VD exp_minus(VD g) {
  const VD shift = set_d(0x1.8p52);
  const VD n = hn::Sub(hn::MulAdd(g, set_d(-0x1.71547652b82fep0), shift), shift);
  // ln 2 in 33 bits, whose product with n is exact, and the rest of it.
  const VD r = hn::NegMulAdd(n, set_d(0x1.473de6af278edp-34), hn::Sub(hn::Neg(g), hn::Mul(n, set_d(0x1.62e42fefp-1))));
  // The Taylor polynomial of degree 12, for |r| < 0.3466, by Estrin's scheme.
  const VD r2 = hn::Mul(r, r), r4 = hn::Mul(r2, r2), r8 = hn::Mul(r4, r4);
  const VD p0 = hn::Add(r, set_d(1.0)), p2 = hn::MulAdd(r, set_d(1.0 / 6), set_d(0.5));
  const VD p4 = hn::MulAdd(r, set_d(1.0 / 120), set_d(1.0 / 24)),
           p6 = hn::MulAdd(r, set_d(1.0 / 5040), set_d(1.0 / 720));
  const VD p8 = hn::MulAdd(r, set_d(1.0 / 362880), set_d(1.0 / 40320));
  const VD p10 = hn::MulAdd(r, set_d(1.0 / 39916800), set_d(1.0 / 3628800));
  const VD low = hn::MulAdd(r4, hn::MulAdd(r2, p6, p4), hn::MulAdd(r2, p2, p0));
  const VD high = hn::MulAdd(r4, set_d(1.0 / 479001600), hn::MulAdd(r2, p10, p8));
  const VD sum = hn::MulAdd(r8, high, low);
  // 2^n for n in [-87, 0], from the bits of n + shift.
  const DI di;
  const VI power = hn::Add(hn::ShiftLeft<52>(hn::BitCast(di, hn::Add(n, shift))), hn::Set(di, 0x3ff0000000000000));
  return hn::Mul(sum, hn::BitCast(DD(), power));
}

// Above this exponent an attempt is rejected by every word but 0: exp(-60) < 2^-86.
inline constexpr double greatest_exponent = 60;

// Accepts with probability exp(-g): g may be up to `above` larger than `exponent`, and its relative error, which is
// that of the exponential, is `error` besides.
struct Verdict {
  VU accepted, undecided;
};
HWY_INLINE Verdict verdict(VU word, VD exponent, VD above, VD error, const Knowledge& knowledge) {
  const VD p = exp_minus(minimum(exponent, set_d(greatest_exponent))), c = unit(word);
  const VD inexact = hn::Add(error, set_d(knowledge.widened)), one = set_d(1.0);
  const VD least = hn::Mul(p, hn::Sub(hn::Sub(one, inexact), above)), most = hn::Mul(p, hn::Add(one, inexact));
  const auto accepted = hn::Le(hn::Add(c, set_d(unit_slack(knowledge))), least);
  const auto rejected = hn::Ge(c, most);
  return {mask_bits(accepted), hn::Not(hn::Or(mask_bits(accepted), mask_bits(rejected)))};
}

// A number below 2^128.
struct Product {
  VU high, low;
};
// The product of the lower halves.
HWY_INLINE VU times_half(VU a, VU b) {
#if HWY_TARGET == HWY_SCALAR
  return set_u((hn::GetLane(a) & 0xffffffff) * (hn::GetLane(b) & 0xffffffff));
#else
  const hn::Repartition<std::uint32_t, DU> halves;
  return hn::MulEven(hn::BitCast(halves, a), hn::BitCast(halves, b));
#endif
}
HWY_INLINE Product times(VU a, VU b) {
  const VU half = set_u(0xffffffff), ah = hn::ShiftRight<32>(a), bh = hn::ShiftRight<32>(b);
  const VU ll = times_half(a, b), lh = times_half(a, bh), hl = times_half(ah, b), hh = times_half(ah, bh);
  const VU middle = hn::Add(hn::Add(hn::ShiftRight<32>(ll), hn::And(lh, half)), hn::And(hl, half));
  return {hn::Add(hn::Add(hh, hn::ShiftRight<32>(lh)), hn::Add(hn::ShiftRight<32>(hl), hn::ShiftRight<32>(middle))),
          hn::Or(hn::ShiftLeft<32>(middle), hn::And(ll, half))};
}

// scale (k + u) as whole + fraction 2^-64, rounded down; the true number is at most `width` 2^-64 above it.
struct Magnitude {
  VU whole, fraction, width;
};

// The part of the width that is the same for all lanes: what the word leaves open, and the bits that are cut off.
inline std::uint64_t width_of_word(const FixedScale& scale, const Knowledge& knowledge) {
  __extension__ using Wide = unsigned __int128;
  const Wide open = Wide{scale.multiplier + (scale.is_rounded ? 1 : 0)} * knowledge.slack;
  return static_cast<std::uint64_t>(open >> static_cast<unsigned>(scale.fraction_bits)) + 2;
}
HWY_INLINE Magnitude magnitude(VU k, VU place, const FixedScale& scale, std::uint64_t width) {
  const VU m = set_u(scale.multiplier);
  const Product product = times(m, place);
  // k has few bits: m k < 2^63.
  const VU cells = hn::Add(times_half(m, k), hn::ShiftLeft<32>(times_half(hn::ShiftRight<32>(m), k)));
  const VU high = hn::Add(product.high, cells);
  const int down = scale.fraction_bits, up = 64 - scale.fraction_bits;
  const VU fraction = hn::Or(hn::ShiftLeftSame(high, up), hn::ShiftRightSame(product.low, down));
  // A multiplier that is too small by less than 1 leaves (k + u) 2^64 open, in units of 2^-fraction_bits - 64.
  const VU rounding = scale.is_rounded ? hn::ShiftLeftSame(hn::Add(k, set_u(1)), up) : hn::Zero(DU());
  return {hn::ShiftRightSame(high, down), fraction, hn::Add(set_u(width), rounding)};
}
// All ones where fraction + width may reach the next whole number.
HWY_INLINE VU may_carry(VU fraction, VU width) { return greater(fraction, hn::Not(width)); }

// Marks that were undecided before stay so; what is undecided is not accepted.
HWY_INLINE void store_marks(const Marks& marks, std::size_t i, VU accepted, VU undecided) {
  hn::StoreU(hn::AndNot(undecided, accepted), DU(), marks.accepted + i);
  hn::StoreU(undecided, DU(), marks.undecided + i);
}

}  // namespace renyi::noise::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
