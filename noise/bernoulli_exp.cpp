#include "noise/bernoulli_exp.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "noise/bits/wipe.h"
#include "noise/parameters.h"
#include "renyi/error.h"
#include "renyi/noise.h"

namespace renyi::noise {

double CoinOfExponent::slow_probability() const {
  // The width in units of 2^-128, as is_below() states it; the factor covers the rounding of this line.
  const Wide width = fraction_.upper - fraction_.lower;
  return (static_cast<double>(high_word(width)) * 0x1p64 + static_cast<double>(low_word(width)) + 2) * 0x1p-128 *
         (1 + 0x1p-40);
}

void bernoulli_exp(Bits& bits, std::span<std::uint8_t> coins, double exponent) {
  const CoinOfExponent coin(exponent);
  BitsSource source(bits);
  for (std::uint8_t& shown : coins) shown = static_cast<std::uint8_t>(coin.draw(source));
}

Release bernoulli_exp(std::span<std::uint8_t> out, double exponent) {
  if (!(exponent >= 0 && exponent <= std::numeric_limits<double>::max())) {
    throw InvalidArgument("exponent", fmt::format("{}", exponent), "a number from 0 on");
  }
  std::vector<std::uint8_t> coins(out.size());
  bernoulli_exp(bits_for_release(2 * out.size()), coins, exponent);
  std::copy(coins.begin(), coins.end(), out.begin());
  wipe(coins.data(), coins.size());
  return release_of(out.size(), static_cast<double>(out.size()) * CoinOfExponent(exponent).slow_probability());
}

}  // namespace renyi::noise
