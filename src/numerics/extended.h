// How precise functions of a long double are, which is what error estimates may assume.
#pragma once

#include <limits>

namespace renyi::numerics {

#ifdef __EMSCRIPTEN__
// There a long double has 113 bits, and its functions (apps/wasm/long_double.cpp) are known to more than 64.
inline constexpr int extended_digits = 64;
inline constexpr long double extended_epsilon = 0x1p-63L;
#else
inline constexpr int extended_digits = std::numeric_limits<long double>::digits;
inline constexpr long double extended_epsilon = std::numeric_limits<long double>::epsilon();
#endif

// The same for any type of number.
template <class Real>
inline constexpr Real epsilon_of = std::numeric_limits<Real>::epsilon();
template <>
inline constexpr long double epsilon_of<long double> = extended_epsilon;

}  // namespace renyi::numerics
