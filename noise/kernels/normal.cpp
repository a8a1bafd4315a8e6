// Attempts of the Gaussian laws (docs/math/noise.md, "The half-normal law").
#include "noise/kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "noise/kernels/normal.cpp"
#include "simd/targets.h"  // compiles the rest once per instruction set
//
#include "noise/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace renyi::noise::HWY_NAMESPACE {

// A candidate k + u is accepted with probability exp(-u (k + u/2)).
void normal_attempts(const Words& words, std::size_t count, const CellFloors& cells, const Knowledge& knowledge,
                     std::uint64_t* signed_cell, const Marks& marks) {
  const DU du;
  const VD slack = set_d(unit_slack(knowledge));
  for (std::size_t i = 0; i < count; i += hn::Lanes(du)) {
    const VU word = hn::LoadU(du, words.cell + i);
    const Cell cell = cell_of(word, cells, knowledge);
    const VU k = hn::Sub(cell.index_plus_one, set_u(1));
    const VD kd = to_double(k), u = unit(hn::LoadU(du, words.place + i));
    const VD exponent = hn::Mul(u, hn::MulAdd(u, set_d(0.5), kd));
    // The derivative of the exponent is k + u.
    const VD above = hn::Mul(slack, hn::Add(kd, set_d(2.0)));
    const Verdict v = verdict(hn::LoadU(du, words.acceptance + i), exponent, above, 0x1p-46, knowledge);
    hn::StoreU(hn::Or(hn::ShiftLeft<1>(k), sign_bit(word)), du, signed_cell + i);
    store_marks(marks, i, v.accepted, hn::Or(cell.undecided, v.undecided));
  }
}

// A candidate of the cell k is n = floor(stddev (k + u)) + 1, accepted with probability exp(-((n/stddev)^2 - k^2)/2);
// the cell of zero is accepted as it is.
void discrete_gaussian_attempts(const Words& words, std::size_t count, const CellFloors& cells, const FixedScale& scale,
                                double inverse_stddev, const Knowledge& knowledge, std::int64_t* value,
                                const Marks& marks) {
  const DU du;
  const DI di;
  const std::uint64_t width = width_of_word(scale, knowledge);
  for (std::size_t i = 0; i < count; i += hn::Lanes(du)) {
    const VU word = hn::LoadU(du, words.cell + i);
    const Cell cell = cell_of(word, cells, knowledge);
    const auto is_zero = hn::Eq(cell.index_plus_one, hn::Zero(du));
    const VU zero = hn::VecFromMask(du, is_zero);
    const VU k = hn::AndNot(zero, hn::Sub(cell.index_plus_one, set_u(1)));
    const Magnitude t = magnitude(k, hn::LoadU(du, words.place + i), scale, width);
    const VU n = hn::Add(t.whole, set_u(1));
    const VD kd = to_double(k), q = hn::Mul(to_double(n), set_d(inverse_stddev));
    const VD exponent = hn::Mul(hn::Mul(hn::Sub(q, kd), hn::Add(q, kd)), set_d(0.5));
    const Verdict v = verdict(hn::LoadU(du, words.acceptance + i), hn::Max(exponent, hn::Zero(DD())), hn::Zero(DD()),
                              0x1p-40, knowledge);
    const VU open = hn::AndNot(zero, hn::Or(may_carry(t.fraction, t.width), v.undecided));
    const VU negative = hn::Sub(hn::Zero(du), sign_bit(word));
    const VU signed_n = hn::AndNot(zero, hn::Sub(hn::Xor(n, negative), negative));
    hn::StoreU(hn::BitCast(di, signed_n), di, value + i);
    store_marks(marks, i, hn::Or(zero, v.accepted), hn::Or(cell.undecided, open));
  }
}

}  // namespace renyi::noise::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace renyi::noise {

void normal_attempts(const Words& words, std::size_t count, const CellFloors& cells, const Knowledge& knowledge,
                     std::uint64_t* signed_cell, const Marks& marks) {
  static const auto best = RENYI_SIMD_BEST(normal_attempts);
  best(words, count, cells, knowledge, signed_cell, marks);
}

void discrete_gaussian_attempts(const Words& words, std::size_t count, const CellFloors& cells, const FixedScale& scale,
                                double inverse_stddev, const Knowledge& knowledge, std::int64_t* value,
                                const Marks& marks) {
  static const auto best = RENYI_SIMD_BEST(discrete_gaussian_attempts);
  best(words, count, cells, scale, inverse_stddev, knowledge, value, marks);
}

}  // namespace renyi::noise
#endif
