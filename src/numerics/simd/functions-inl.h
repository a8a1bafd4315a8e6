// Elementary functions over vectors of doubles, for kernel files (see dispatch.h). The errors stated are the largest
// ever seen by tests/unit/numerics/simd/functions_test.cpp, in units of 2^-53 of the result, over all instruction sets;
// instruction sets without a fused multiply-add have the largest. The coefficients are Chebyshev fits in 60 digits.
#if defined(RENYI_NUMERICS_SIMD_FUNCTIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RENYI_NUMERICS_SIMD_FUNCTIONS_INL_H_
#undef RENYI_NUMERICS_SIMD_FUNCTIONS_INL_H_
#else
#define RENYI_NUMERICS_SIMD_FUNCTIONS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace renyi::numerics::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Added to |n| < 2^51, this leaves n, rounded to a whole number, in the lowest bits.
inline constexpr double whole_shift = 0x1.8p52;
inline constexpr std::int64_t bits_of_one = 0x3ff0000000000000;

// (exp(r) - 1 - r)/r^2 = even(r^2) + r odd(r^2) for |r| <= 1/2, to 1.5e-18.
template <class V>
struct EvenOdd {
  V even, odd;
};
template <class D, class V = hn::Vec<D>>
HWY_INLINE EvenOdd<V> exp_series(D d, V r2) {
  V even = hn::Set(d, 2.09629558159760757393e-9), odd = hn::Set(d, 1.61164965143715464727e-10);
  even = hn::MulAdd(even, r2, hn::Set(d, 2.75570766366427234785e-7));
  odd = hn::MulAdd(odd, r2, hn::Set(d, 2.50519467097216211281e-8));
  even = hn::MulAdd(even, r2, hn::Set(d, 0.000024801587616145412717));
  odd = hn::MulAdd(odd, r2, hn::Set(d, 2.75573194336202428213e-6));
  even = hn::MulAdd(even, r2, hn::Set(d, 0.00138888888887045489694));
  odd = hn::MulAdd(odd, r2, hn::Set(d, 0.000198412698411469918656));
  even = hn::MulAdd(even, r2, hn::Set(d, 0.0416666666666670617103));
  odd = hn::MulAdd(odd, r2, hn::Set(d, 0.00833333333333335965994));
  even = hn::MulAdd(even, r2, hn::Set(d, 0.499999999999999998628));
  odd = hn::MulAdd(odd, r2, hn::Set(d, 0.166666666666666666575));
  return {even, odd};
}

// y = n ln 2 + r, n a whole number; n = 0 wherever |y| < 1/2.
template <class V>
struct Reduced {
  V n, r;
};
template <class D, class V = hn::Vec<D>>
HWY_INLINE Reduced<V> reduce_exponent(D d, V y) {
  const auto is_small = hn::Lt(hn::Abs(y), hn::Set(d, 0.5));
  const V shift = hn::Set(d, whole_shift);
  const V n = hn::IfThenZeroElse(is_small, hn::Sub(hn::MulAdd(y, hn::Set(d, 0x1.71547652b82fep0), shift), shift));
  // ln 2 in 33 bits, whose product with n is exact, and the rest of it.
  const V high = hn::NegMulAdd(n, hn::Set(d, 0x1.62e42fefp-1), y);
  return {n, hn::NegMulAdd(n, hn::Set(d, 0x1.473de6af278edp-34), high)};
}

// 2^n for whole n in [-1022, 1023]; infinity for 1024.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V power_of_two(D d, V n) {
  const hn::RebindToSigned<D> di;
  const auto bits = hn::BitCast(di, hn::Add(n, hn::Set(d, whole_shift)));
  return hn::BitCast(d, hn::Add(hn::ShiftLeft<52>(bits), hn::Set(di, bits_of_one)));
}

// 2^n in two factors, for n in [-1080, 1030].
template <class V>
struct Scale {
  V first, second;
};
template <class D, class V = hn::Vec<D>>
HWY_INLINE Scale<V> scale_of(D d, V n) {
  const V shift = hn::Set(d, whole_shift);
  const V half = hn::Sub(hn::MulAdd(n, hn::Set(d, 0.5), shift), shift);
  return {power_of_two(d, half), power_of_two(d, hn::Sub(n, half))};
}

// Beyond these exp is 0 or infinite. NaN stays.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V within_exp_range(D d, V y) {
  const V least = hn::Set(d, -746.0), most = hn::Set(d, 710.0);
  const V raised = hn::IfThenElse(hn::Lt(y, least), least, y);
  return hn::IfThenElse(hn::Gt(raised, most), most, raised);
}

// Returns exp(y) for any y, with error 1.5; subnormal results are rounded once more.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp(D d, V y) {
  const auto [n, r] = reduce_exponent(d, within_exp_range(d, y));
  const V r2 = hn::Mul(r, r);
  const auto [even, odd] = exp_series(d, r2);
  const V moved = hn::Add(hn::MulAdd(r2, hn::MulAdd(r, odd, even), r), hn::Set(d, 1.0));
  const auto [first, second] = scale_of(d, n);
  return hn::Mul(hn::Mul(moved, second), first);
}

// exp of a smaller number is subnormal.
inline constexpr double least_normal_exponent = -708;

// Limits y to 710, where 2^n is infinite: above 709 the functions below are infinite or NaN. NaN stays.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V at_most_overflowing(D d, V y) {
  const V most = hn::Set(d, 710.0);
  return hn::IfThenElse(hn::Gt(y, most), most, y);
}

// Returns exp(y) for y <= 709, but 0 instead of subnormal results, with error 1.5.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_normal(D d, V y) {
  const auto [n, r] = reduce_exponent(d, at_most_overflowing(d, y));
  const V r2 = hn::Mul(r, r), scale = power_of_two(d, n);
  const auto [even, odd] = exp_series(d, r2);
  const V factor = hn::MulAdd(scale, hn::MulAdd(r2, hn::MulAdd(r, odd, even), r), scale);
  return hn::IfThenZeroElse(hn::Lt(y, hn::Set(d, least_normal_exponent)), factor);
}

// exp(y) as above, exp(y) - 1 and exp(y) - 1 - y for y <= 709, each relative to itself, with errors 1.5, 1.5 and 3.5.
template <class V>
struct Grown {
  V factor, excess, rest;
};
template <class D, class V = hn::Vec<D>>
HWY_INLINE Grown<V> grown(D d, V y) {
  const V least = hn::Set(d, least_normal_exponent), one = hn::Set(d, 1.0);
  const auto is_tiny = hn::Lt(y, least);
  const auto [n, r] = reduce_exponent(d, hn::IfThenElse(is_tiny, least, at_most_overflowing(d, y)));
  const V r2 = hn::Mul(r, r), scale = power_of_two(d, n);
  const auto [even, odd] = exp_series(d, r2);
  const V series = hn::Mul(r2, hn::MulAdd(r, odd, even)), moved = hn::Add(r, series);
  // 2^n moved + (2^n - 1); with n = 0 that is r + series.
  const V whole = hn::Sub(scale, one), rest = hn::MulAdd(scale, moved, hn::Sub(whole, y));
  const auto is_small = hn::Eq(n, hn::Zero(d));
  return {hn::IfThenZeroElse(is_tiny, hn::MulAdd(scale, moved, scale)), hn::MulAdd(scale, moved, whole),
          hn::IfThenElse(is_small, series, rest)};
}

// exp(w) - 1 - w and exp(-w) - 1 + w for |w| <= 1/2, with error 3.7.
template <class V>
struct BothRests {
  V up, down;
};
template <class D, class V = hn::Vec<D>>
HWY_INLINE BothRests<V> small_rests(D d, V w) {
  const V w2 = hn::Mul(w, w);
  const auto [even, odd] = exp_series(d, w2);
  return {hn::Mul(w2, hn::MulAdd(w, odd, even)), hn::Mul(w2, hn::NegMulAdd(w, odd, even))};
}

// Returns ln(r + rest) for r positive, finite and not subnormal, |rest| below half a unit of r's last place.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V log_of_sum(D d, V r, V rest) {
  const hn::RebindToUnsigned<D> du;
  // r = 2^k m with m in [sqrt(1/2), sqrt(2)).
  const auto root_half = hn::Set(du, std::uint64_t{0x3fe6a09e667f3bcd});
  const auto one = hn::Set(du, static_cast<std::uint64_t>(bits_of_one));
  const auto moved = hn::Add(hn::BitCast(du, r), hn::Sub(one, root_half));
  const auto biased = hn::ShiftRight<52>(moved);  // k + 1023
  const V m = hn::BitCast(d, hn::Add(hn::And(moved, hn::Set(du, std::uint64_t{0x000fffffffffffff})), root_half));
  const V k = hn::Sub(hn::BitCast(d, hn::Or(biased, hn::Set(du, std::uint64_t{0x4330000000000000}))),
                      hn::Set(d, 0x1p52 + 1023));
  const V inverse = hn::BitCast(d, hn::ShiftLeft<52>(hn::Sub(hn::Set(du, std::uint64_t{2046}), biased)));  // 2^-k
  // m - 1 is exact, and so is its sum with the rest where it is small beside it.
  const V f = hn::MulAdd(rest, inverse, hn::Sub(m, hn::Set(d, 1.0)));
  // ln(1+f) = 2 atanh(s) = 2s + s^3 series(s^2) with s = f/(2+f), and 2s = f - s f.
  const V s = hn::Div(f, hn::Add(f, hn::Set(d, 2.0))), s2 = hn::Mul(s, s), s4 = hn::Mul(s2, s2);
  V even = hn::Set(d, 0.146165764216443859484), odd = hn::Set(d, 0.153317113466729959799);
  even = hn::MulAdd(even, s4, hn::Set(d, 0.181828894337575164228));
  odd = hn::MulAdd(odd, s4, hn::Set(d, 0.222222111305607264421));
  even = hn::MulAdd(even, s4, hn::Set(d, 0.285714286260014255747));
  odd = hn::MulAdd(odd, s4, hn::Set(d, 0.399999999998994472971));
  even = hn::MulAdd(even, s4, hn::Set(d, 0.666666666666666968816));
  const V series = hn::Mul(s2, hn::MulAdd(odd, s2, even));
  // f - f^2/2 + s (f^2/2 + series): the correction is small relative to f.
  const V half = hn::Mul(hn::Set(d, 0.5), hn::Mul(f, f));
  const V low = hn::MulAdd(s, hn::Add(half, series), hn::Mul(k, hn::Set(d, 0x1.473de6af278edp-34)));
  return hn::MulAdd(k, hn::Set(d, 0x1.62e42fefp-1), hn::Sub(f, hn::Sub(half, low)));
}

// Returns ln r for r positive, finite and not subnormal, with error 1.3.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V log(D d, V r) {
  return log_of_sum(d, r, hn::Zero(d));
}

// Splits 1 + u into two parts, exactly (Knuth's two-sum).
template <class V>
struct TwoParts {
  V sum, rest;
};
template <class D, class V = hn::Vec<D>>
HWY_INLINE TwoParts<V> one_plus(D d, V u) {
  const V one = hn::Set(d, 1.0), sum = hn::Add(one, u), back = hn::Sub(sum, one);
  return {sum, hn::Add(hn::Sub(one, hn::Sub(sum, back)), hn::Sub(u, back))};
}

// Returns ln(1+u) for u > -1 and finite, relative to itself however small u is, with error 1.8.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V log1p(D d, V u) {
  const auto [sum, rest] = one_plus(d, u);
  return log_of_sum(d, sum, rest);
}

// Largest phase that sin_cos supports.
inline constexpr double largest_phase = 0x1p20;

// sin x and cos x for |x| <= largest_phase, with absolute error 1.8 in units of 2^-53.
template <class V>
struct SinCos {
  V sin, cos;
};
template <class D, class V = hn::Vec<D>>
HWY_INLINE SinCos<V> sin_cos(D d, V x) {
  const hn::RebindToSigned<D> di;
  // x = n pi/2 + r; pi/2 in 33, 33 and 53 bits, of which the first products are exact.
  const V shift = hn::Set(d, whole_shift), shifted = hn::MulAdd(x, hn::Set(d, 0x1.45f306dc9c883p-1), shift);
  const V n = hn::Sub(shifted, shift);
  V r = hn::NegMulAdd(n, hn::Set(d, 0x1.921fb544p0), x);
  r = hn::NegMulAdd(n, hn::Set(d, 0x1.0b4611a6p-34), r);
  r = hn::NegMulAdd(n, hn::Set(d, 0x1.3198a2e037073p-69), r);
  const V r2 = hn::Mul(r, r), r4 = hn::Mul(r2, r2);
  V s = hn::Set(d, 1.5918095236696271496e-10), c = hn::Set(d, -1.1382611119025630241e-11);
  s = hn::MulAdd(s, r2, hn::Set(d, -2.50511313722186325084e-8));
  c = hn::MulAdd(c, r2, hn::Set(d, 2.087614597263508093e-9));
  s = hn::MulAdd(s, r2, hn::Set(d, 2.75573161002836939312e-6));
  c = hn::MulAdd(c, r2, hn::Set(d, -2.75573172703105073417e-7));
  s = hn::MulAdd(s, r2, hn::Set(d, -0.000198412698367541999841));
  c = hn::MulAdd(c, r2, hn::Set(d, 0.0000248015872987629514529));
  s = hn::MulAdd(s, r2, hn::Set(d, 0.00833333333333094559375));
  c = hn::MulAdd(c, r2, hn::Set(d, -0.00138888888888873954277));
  s = hn::MulAdd(s, r2, hn::Set(d, -0.166666666666666646206));
  c = hn::MulAdd(c, r2, hn::Set(d, 0.0416666666666666653869));
  const V sine = hn::MulAdd(hn::Mul(r, r2), s, r);
  const V cosine = hn::MulAdd(r4, c, hn::NegMulAdd(hn::Set(d, 0.5), r2, hn::Set(d, 1.0)));
  // Quadrants: odd ones swap the two; the signs are bit 1 of n for the sine, of n+1 for the cosine.
  const auto quadrant = hn::BitCast(di, shifted);
  const auto is_odd = hn::RebindMask(d, hn::TestBit(quadrant, hn::Set(di, std::int64_t{1})));
  const auto sign = hn::Set(di, static_cast<std::int64_t>(std::uint64_t{1} << 63));
  const auto sine_sign = hn::And(hn::ShiftLeft<62>(quadrant), sign);
  const auto cosine_sign = hn::And(hn::ShiftLeft<62>(hn::Add(quadrant, hn::Set(di, std::int64_t{1}))), sign);
  return {hn::Xor(hn::IfThenElse(is_odd, cosine, sine), hn::BitCast(d, sine_sign)),
          hn::Xor(hn::IfThenElse(is_odd, sine, cosine), hn::BitCast(d, cosine_sign))};
}

}  // namespace renyi::numerics::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
