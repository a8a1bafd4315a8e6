// Attempts of the Laplace laws (docs/math/noise.md, "The exponential law").
#include "noise/kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "noise/kernels/exponential.cpp"
#include "simd/targets.h"  // compiles the rest once per instruction set
//
#include "noise/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace renyi::noise::HWY_NAMESPACE {

// An exponential variable is ln 2 (j + v): j is the number of zeros in front of the first one of fair bits, v has a
// density proportional to 2^-v.
struct FairCell {
  VU j, undecided;
};
HWY_INLINE FairCell fair_cell(VU word) {
  const VU bits = without_sign(word);
  // The first one and no one next to it, so that the conversion cannot round up to the next power of two.
  const VU alone = hn::AndNot(hn::ShiftRight<1>(bits), bits);
  // Both halves as doubles: 2^84 + high 2^32 and 2^52 + low, exactly, and their sum is rounded once.
  const VD high = hn::BitCast(DD(), hn::Or(hn::ShiftRight<32>(alone), set_u(0x4530000000000000)));
  const VD low = hn::BitCast(DD(), hn::Or(hn::And(alone, set_u(0xffffffff)), set_u(0x4330000000000000)));
  const VD sum = hn::Add(hn::Sub(high, set_d(0x1p84)), hn::Sub(low, set_d(0x1p52)));
  const VU exponent = hn::ShiftRight<52>(hn::BitCast(DU(), sum));
  const VU none = hn::VecFromMask(DU(), hn::Eq(bits, hn::Zero(DU())));
  return {hn::AndNot(none, hn::Sub(set_u(1023 + 63), exponent)), none};
}

HWY_INLINE Verdict half_power(VU word, VU place, const Knowledge& knowledge) {
  // ln 2 < 1 is the derivative of the exponent; its rounding to a double is part of the error.
  const VD exponent = hn::Mul(unit(place), set_d(0x1.62e42fefa39efp-1));
  return verdict(word, exponent, set_d(unit_slack(knowledge)), set_d(0x1p-46), knowledge);
}

void exponential_attempts(const Words& words, std::size_t count, const Knowledge& knowledge, std::uint64_t* signed_cell,
                          const Marks& marks) {
  const DU du;
  for (std::size_t i = 0; i < count; i += hn::Lanes(du)) {
    const VU word = hn::LoadU(du, words.cell + i);
    const FairCell cell = fair_cell(word);
    const Verdict v = half_power(hn::LoadU(du, words.acceptance + i), hn::LoadU(du, words.place + i), knowledge);
    hn::StoreU(hn::Or(hn::ShiftLeft<1>(cell.j), sign_bit(word)), du, signed_cell + i);
    store_marks(marks, i, v.accepted, hn::Or(cell.undecided, v.undecided));
  }
}

void discrete_laplace_attempts(const Words& words, std::size_t count, const FixedScale& scale, std::uint64_t offset,
                               bool is_two_sided, const Knowledge& knowledge, std::int64_t* value, const Marks& marks) {
  const DU du;
  const DI di;
  const std::uint64_t width = width_of_word(scale, knowledge) + 1;
  const VU signs = set_u(is_two_sided ? ~std::uint64_t{0} : 0);
  for (std::size_t i = 0; i < count; i += hn::Lanes(du)) {
    const VU word = hn::LoadU(du, words.cell + i), place = hn::LoadU(du, words.place + i);
    const FairCell cell = fair_cell(word);
    const Verdict v = half_power(hn::LoadU(du, words.acceptance + i), place, knowledge);
    const Magnitude t = magnitude(cell.j, place, scale, width);
    const VU fraction = hn::Add(t.fraction, set_u(offset)), n = hn::Sub(t.whole, greater(t.fraction, fraction));
    const VU negative = hn::And(signs, hn::Sub(hn::Zero(du), sign_bit(word)));
    hn::StoreU(hn::BitCast(di, hn::Sub(hn::Xor(n, negative), negative)), di, value + i);
    const VU open = hn::Or(cell.undecided, hn::Or(may_carry(fraction, t.width), v.undecided));
    store_marks(marks, i, v.accepted, open);
  }
}

}  // namespace renyi::noise::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace renyi::noise {

void exponential_attempts(const Words& words, std::size_t count, const Knowledge& knowledge, std::uint64_t* signed_cell,
                          const Marks& marks) {
  static const auto best = RENYI_SIMD_BEST(exponential_attempts);
  best(words, count, knowledge, signed_cell, marks);
}

void discrete_laplace_attempts(const Words& words, std::size_t count, const FixedScale& scale, std::uint64_t offset,
                               bool is_two_sided, const Knowledge& knowledge, std::int64_t* value, const Marks& marks) {
  static const auto best = RENYI_SIMD_BEST(discrete_laplace_attempts);
  best(words, count, scale, offset, is_two_sided, knowledge, value, marks);
}

ExponentialKernels exponential_kernels_for(simd::Target target) {
  return {.exponential_attempts = RENYI_SIMD_VERSION(target, exponential_attempts),
          .discrete_laplace_attempts = RENYI_SIMD_VERSION(target, discrete_laplace_attempts)};
}

}  // namespace renyi::noise
#endif
