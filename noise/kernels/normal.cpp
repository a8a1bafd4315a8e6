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
  const CellEnds ends = ends_of(cells);
  const VD slack = set_d(unit_slack(knowledge));
  for (std::size_t i = 0; i < count; i += hn::Lanes(du)) {
    const VU word = hn::LoadU(du, words.cell + i);
    const Cell cell = cell_of(word, ends, knowledge);
    const VD kd = to_double(cell.index), u = unit(hn::LoadU(du, words.place + i));
    const VD exponent = hn::Mul(u, hn::MulAdd(u, set_d(0.5), kd));
    // The derivative of the exponent is k + u.
    const VD above = hn::Mul(slack, hn::Add(kd, set_d(2.0)));
    const Verdict v = verdict(hn::LoadU(du, words.acceptance + i), exponent, above, set_d(0x1p-46), knowledge);
    hn::StoreU(hn::Or(hn::ShiftLeft<1>(cell.index), sign_bit(word)), du, signed_cell + i);
    store_marks(marks, i, v.accepted, hn::Or(cell.undecided, v.undecided));
  }
}

// With cells of w numbers, a candidate of the cell k is n = w k + j, where j = floor(w u) is accepted with probability
// exp(-j (2 w k + j)/(2 stddev^2)). -0 is rejected, so that 0 does not come twice.
void discrete_gaussian_attempts(const Words& words, std::size_t count, const IntegerCells& cells,
                                const Knowledge& knowledge, std::int64_t* value, const Marks& marks) {
  const DU du;
  const DI di;
  const CellEnds ends = ends_of(cells.ends);
  const std::uint64_t width = width_of_word(cells.place, knowledge);
  const VD zero = hn::Zero(DD());
  for (std::size_t i = 0; i < count; i += hn::Lanes(du)) {
    const VU word = hn::LoadU(du, words.cell + i);
    const Cell cell = cell_of(word, ends, knowledge);
    const Magnitude t = magnitude(hn::Zero(du), hn::LoadU(du, words.place + i), cells.place, width);
    const VD start = hn::Mul(to_double(cell.index), set_d(cells.cell_width)), j = to_double(t.whole);
    const VD exponent = hn::Mul(hn::Mul(j, hn::Add(hn::Add(start, start), j)), set_d(cells.inverse));
    // Three roundings, and that of the inverse.
    const VD error = hn::MulAdd(exponent, set_d(0x1p-50), set_d(0x1p-46));
    const Verdict v = verdict(hn::LoadU(du, words.acceptance + i), exponent, zero, error, knowledge);
    const VD n = hn::Add(start, j);
    const VU negative = hn::Sub(hn::Zero(du), sign_bit(word)), whole = to_whole(n);
    const VU minus_zero = hn::And(negative, mask_bits(hn::Eq(n, zero)));
    hn::StoreU(hn::BitCast(di, hn::Sub(hn::Xor(whole, negative), negative)), di, value + i);
    const VU open = hn::Or(cell.undecided, hn::Or(may_carry(t.fraction, t.width), v.undecided));
    store_marks(marks, i, hn::AndNot(minus_zero, v.accepted), open);
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

void discrete_gaussian_attempts(const Words& words, std::size_t count, const IntegerCells& cells,
                                const Knowledge& knowledge, std::int64_t* value, const Marks& marks) {
  static const auto best = RENYI_SIMD_BEST(discrete_gaussian_attempts);
  best(words, count, cells, knowledge, value, marks);
}

NormalKernels normal_kernels_for(simd::Target target) {
  return {.normal_attempts = RENYI_SIMD_VERSION(target, normal_attempts),
          .discrete_gaussian_attempts = RENYI_SIMD_VERSION(target, discrete_gaussian_attempts)};
}

}  // namespace renyi::noise
#endif
