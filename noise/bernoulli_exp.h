// Coins that show 1 with probability exp(-x), for a double x.
#pragma once

#include <cstdint>
#include <span>

#include "noise/bits/bits.h"
#include "noise/exact/decide.h"
#include "noise/exact/double_double.h"
#include "noise/exact/uniform.h"

namespace renyi::noise {

// The enclosures of exp(-x); `widening` is an error that tests add.
class CoinOfExponent {
 public:
  explicit CoinOfExponent(double exponent, double widening = 0)
      : exponent_(exponent), fraction_(exp_minus_fraction(DoubleDouble(exponent), widening)) {}

  template <WordSource Source>
  bool draw(Source& source) const {
    auto u = Uniform<typename Source::Word>::drawn(source);
    return is_below(source, u, fraction_, [this] { return exp(-certify::Ball(exponent_)); });
  }

  // An upper bound on the probability that 128 bits do not decide.
  [[nodiscard]] double slow_probability() const;

 private:
  double exponent_;
  Fraction fraction_;
};

void bernoulli_exp(Bits& bits, std::span<std::uint8_t> coins, double exponent);

}  // namespace renyi::noise
