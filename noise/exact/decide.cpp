#include "noise/exact/decide.h"

namespace renyi::noise {

using certify::Ball;

Ends ends(std::span<const std::uint64_t> words, unsigned word_bits) {
  // Dyadic numbers of this length are exact at this precision.
  const auto bits = static_cast<long>(words.size() * word_bits);
  const certify::Precision exact(bits + 2);
  Ball lower;
  for (const std::uint64_t word : words) {
    arb_mul_2exp_si(lower.raw(), lower.raw(), static_cast<long>(word_bits));
    arb_add_ui(lower.raw(), lower.raw(), word, certify::Precision::bits());
  }
  Ball upper = lower + Ball(1);
  arb_mul_2exp_si(lower.raw(), lower.raw(), -bits);
  arb_mul_2exp_si(upper.raw(), upper.raw(), -bits);
  return {lower, upper};
}

Order compare(std::span<const std::uint64_t> words, unsigned word_bits, const Enclosure& threshold) {
  const Ends u = ends(words, word_bits);
  const certify::Precision precision(static_cast<long>(words.size() * word_bits) + 64);
  const Ball t = threshold();
  // The ends have probability 0, so that it does not matter to whom they belong.
  if (surely_at_most(u.upper, t)) return Order::below;
  if (surely_at_most(t, u.lower)) return Order::above;
  return Order::unknown;
}

}  // namespace renyi::noise
