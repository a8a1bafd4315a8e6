// Kernels that turn the vector of a record into integers and add these to sums, and numbers to digits. Counts are
// multiples of lanes_at_once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "noise/exact/wide.h"
#include "noise/kernels/kernels.h"

namespace renyi::noise {

// The largest modulus, as the bits of a double: above those of every finite number if one is infinite or not a number.
std::uint64_t greatest_bits(const double* x, std::size_t count);

// The sum of the squares of x scale, rounded somehow: nothing relies on its last bits. Floats have scale 1, because the
// squares of floats are far from the ends of the doubles.
double squares_of_doubles(const double* x, std::size_t count, double scale);
double squares_of_floats(const float* x, std::size_t count);

// x scale factor, rounded toward zero, where its modulus is below 2^31. `keep` is a mask: 0 makes all numbers 0.
struct ToIntegers {
  double scale, factor;
  std::uint64_t keep;
};
void doubles_to_integers(const double* x, std::size_t count, const ToIntegers& how, std::int32_t* out);
void floats_to_integers(const float* x, std::size_t count, const ToIntegers& how, std::int32_t* out);

// The sum of the squares, exactly, of fewer than 2^32 integers.
Wide squares_of_integers(const std::int32_t* x, std::size_t count);

// Adds the integers to the sums, which saturate at plus and minus this end.
inline constexpr std::int64_t end_of_sums = std::int64_t{1} << 62U;
void add_integers(std::int64_t* sums, const std::int32_t* x, std::size_t count);

// Adds the three parts of a number to the digits at `place` and behind it.
struct DigitsOfNumber {
  std::uint64_t place;
  std::int64_t parts[3];
};
void add_digits(std::int64_t* digits, const DigitsOfNumber& number, std::size_t count);

// The versions for an instruction set, or the best below it, which tests compare with each other. Sums of squares are
// left out: their rounding is another one for each.
struct ClipKernels {
  decltype(&noise::greatest_bits) greatest_bits;
  decltype(&noise::doubles_to_integers) doubles_to_integers;
  decltype(&noise::squares_of_integers) squares_of_integers;
  decltype(&noise::add_integers) add_integers;
  decltype(&noise::add_digits) add_digits;
};
ClipKernels clip_kernels_for(simd::Target target);

}  // namespace renyi::noise
