#include "noise/fair_exponential.h"

#include "noise/exact/double_double.h"
#include "noise/exact/secret.h"

namespace renyi::noise {

FairExponential::Zeros FairExponential::zeros(const Span128& v) {
  // A one behind the word keeps the argument from being 0, for which the instruction is not defined.
  const std::uint64_t high = high_word(v.lower), low = low_word(v.lower);
  const auto in_high = static_cast<std::uint64_t>(__builtin_clzll(high | 1U));
  const auto in_low = 64 + static_cast<std::uint64_t>(__builtin_clzll(low | 1U));
  return {selected(high == 0, in_low, in_high), (high | low) != 0};
}

Fraction FairExponential::acceptance(const Span128& v) {
  const DoubleDouble log_two(0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56);
  // At most 2, 1 and 7 u^2 for the conversion, the constant and the product; the derivative is below 1.
  return exp_minus_fraction(double_double_of(v.lower) * log_two, 1.01 * width_of(v) + 16 * dd_u2);
}

Candidate FairExponential::second(const AttemptSpans& spans) {
  const Zeros j = zeros(without_sign(spans.cell));
  const Comparison c = compare(spans.acceptance, acceptance(spans.place));
  const bool decided = j.is_decided & c.is_decided;
  return {2 * j.count + static_cast<std::uint64_t>(is_negative(spans.cell)), c.is_below, decided};
}

}  // namespace renyi::noise
