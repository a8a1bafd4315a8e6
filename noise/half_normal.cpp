#include "noise/half_normal.h"

#include "noise/exact/double_double.h"

namespace renyi::noise {

Fraction HalfNormal::acceptance(std::int64_t k, const Span128& u) {
  const DoubleDouble place = double_double_of(u.lower);
  const auto cell = static_cast<double>(k);
  const DoubleDouble exponent = place * (place * DoubleDouble(0.5) + cell);
  // The derivative is k + u < k + 1; the operations are four, each of at most 7 u^2 relative to at most k + 1/2.
  return exp_minus_fraction(exponent, (cell + 1) * (1.01 * width_of(u) + 32 * dd_u2));
}

Candidate HalfNormal::second(const AttemptSpans& spans) {
  const Cells::Found cell = Cells::plain().find(without_sign(spans.cell));
  const std::int64_t k = cell.index;
  const Comparison c = compare(spans.acceptance, acceptance(k, spans.place));
  const bool decided = cell.is_decided & c.is_decided;
  return {2 * static_cast<std::uint64_t>(k) + static_cast<std::uint64_t>(is_negative(spans.cell)), c.is_below, decided};
}

}  // namespace renyi::noise
