// The constants of exp and log for numbers of two doubles; tests/noise/double_double_test.cpp compares them with Arb.
#pragma once

#include <array>

#include "noise/exact/double_double.h"

namespace renyi::noise::double_double_constants {

// ln 2 as a sum of three. The first two have at most 42 bits, so that their products with |k| < 2^11 are exact.
inline constexpr std::array<double, 3> ln2 = {0x1.62e42fefa38p-1, 0x1.ef35793c76p-45, 0x1.cc01f97b57a08p-87};
inline constexpr double inverse_ln2 = 0x1.71547652b82fep+0;

// 1/j! for j = 1, ..., 8, and as doubles for j = 9, ..., 14.
inline constexpr std::array<DoubleDouble, 8> inverse_factorials = {{
    {0x1p+0, 0.0},
    {0x1p-1, 0.0},
    {0x1.5555555555555p-3, 0x1.5555555555555p-57},
    {0x1.5555555555555p-5, 0x1.5555555555555p-59},
    {0x1.1111111111111p-7, 0x1.1111111111111p-63},
    {0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65},
    {0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-73},
    {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76},
}};
inline constexpr std::array<double, 6> late_inverse_factorials = {0x1.71de3a556c734p-19, 0x1.27e4fb7789f5cp-22,
                                                                  0x1.ae64567f544e4p-26, 0x1.1eed8eff8d898p-29,
                                                                  0x1.6124613a86d09p-33, 0x1.93974a8c07c9dp-37};

// 1/(2j + 3) for j = 0, ..., 10, and as doubles for j = 11, ..., 20.
inline constexpr std::array<DoubleDouble, 11> odd_reciprocals = {{
    {0x1.5555555555555p-2, 0x1.5555555555555p-56},
    {0x1.999999999999ap-3, -0x1.999999999999ap-57},
    {0x1.2492492492492p-3, 0x1.2492492492492p-57},
    {0x1.c71c71c71c71cp-4, 0x1.c71c71c71c71cp-58},
    {0x1.745d1745d1746p-4, -0x1.745d1745d1746p-59},
    {0x1.3b13b13b13b14p-4, -0x1.3b13b13b13b14p-58},
    {0x1.1111111111111p-4, 0x1.1111111111111p-60},
    {0x1.e1e1e1e1e1e1ep-5, 0x1.e1e1e1e1e1e1ep-61},
    {0x1.af286bca1af28p-5, 0x1.af286bca1af28p-59},
    {0x1.8618618618618p-5, 0x1.8618618618618p-59},
    {0x1.642c8590b2164p-5, 0x1.642c8590b2164p-60},
}};
inline constexpr std::array<double, 10> late_odd_reciprocals = {
    0x1.47ae147ae147bp-5, 0x1.2f684bda12f68p-5, 0x1.1a7b9611a7b96p-5, 0x1.0842108421084p-5, 0x1.f07c1f07c1f08p-6,
    0x1.d41d41d41d41dp-6, 0x1.bacf914c1badp-6,  0x1.a41a41a41a41ap-6, 0x1.8f9c18f9c18fap-6, 0x1.7d05f417d05f4p-6};

}  // namespace renyi::noise::double_double_constants
