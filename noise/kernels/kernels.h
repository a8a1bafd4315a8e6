// The first tier: attempts of the samplers over blocks of lanes, by double precision and 64 random bits for each
// decision. A lane whose decisions are not all proven is marked, and goes to the second tier.
//
// No kernel has a branch or an address that depends on random words or on data. docs/math/noise.md states the laws and
// proves the enclosures.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "simd/dispatch.h"

namespace renyi::noise {

// Blocks have a multiple of this many lanes, so that no instruction set needs a remainder.
inline constexpr std::size_t lanes_at_once = 8;

// How much the first tier knows. Programs use the defaults; tests read words of few bits (of which the upper bits of a
// lane are the word) and widen the enclosures, to take the other tiers more often.
struct Knowledge {
  std::uint64_t slack = 1;  // a word w stands for the interval [w, w + slack) 2^-64
  double widened = 0;       // added to the relative error of acceptance probabilities
};

// The words of a block of attempts, of three words each: cell and sign, place in the cell, acceptance.
struct Words {
  const std::uint64_t* cell;
  const std::uint64_t* place;
  const std::uint64_t* acceptance;
};

// Masks are all zeros or all ones.
struct Marks {
  std::uint64_t* accepted;
  std::uint64_t* undecided;
};

// Where the first cells of the half-normal law end, as fractions of 2^64, rounded down. The cells beyond have a mass of
// at most 2^-46; the second tier looks for them.
inline constexpr std::size_t cells_at_once = 8;
struct CellFloors {
  std::array<std::uint64_t, cells_at_once> floor;
};

// A scale in units of the grid: multiplier 2^-fraction_bits, with a multiplier below 2^57. With `is_rounded` the true
// one lies between multiplier and multiplier + 1.
struct FixedScale {
  std::uint64_t multiplier;
  int fraction_bits;  // 2 to 62
  bool is_rounded;
};

// Candidates for a continuous law are (-1)^sign (k + u) in units of the scale: `signed_cell` is 2k + sign, and u is the
// word of the place.
void normal_attempts(const Words& words, std::size_t count, const CellFloors& cells, const Knowledge& knowledge,
                     std::uint64_t* signed_cell, const Marks& marks);
void exponential_attempts(const Words& words, std::size_t count, const Knowledge& knowledge, std::uint64_t* signed_cell,
                          const Marks& marks);

// Whole numbers of the discrete laws. Cells of the discrete Gaussian have `cell_width` whole numbers each, below 2^48,
// which is also the scale of the place in a cell; inverse is 1/(2 stddev^2), with a relative error of at most 2^-52.
struct IntegerCells {
  CellFloors ends;
  FixedScale place;
  double cell_width;
  double inverse;
};
void discrete_gaussian_attempts(const Words& words, std::size_t count, const IntegerCells& cells,
                                const Knowledge& knowledge, std::int64_t* value, const Marks& marks);
// The numbers are floor(scale (j + v) + offset 2^-64), where the true offset is less than 1 above, with a sign or, if
// is_two_sided is false, without one.
void discrete_laplace_attempts(const Words& words, std::size_t count, const FixedScale& scale, std::uint64_t offset,
                               bool is_two_sided, const Knowledge& knowledge, std::int64_t* value, const Marks& marks);

// |x|/grid, below 2^52, as whole + fraction 2^-64 + rest 2^-128, rounded down, and the sign of x as a mask.
struct FixedValues {
  std::uint64_t* whole;
  std::uint64_t* fraction;
  std::uint64_t* rest;
  std::uint64_t* negative;
};
// x is clamped to [-range, range] first, and NaN counts as 0. The grid is a power of two, and not so small that a
// number of which 128 bits behind the point are wanted could be subnormal.
inline constexpr double least_grid = 0x1p-800;
void to_fixed(const double* x, std::size_t count, double inverse_grid, double range, const FixedValues& fixed);

// round(x/grid + noise) for candidates of a continuous law, before it is limited to the range.
void place_on_grid(const FixedValues& x, const std::uint64_t* signed_cell, const std::uint64_t* place,
                   std::size_t count, const FixedScale& scale, const Knowledge& knowledge, std::int64_t* value,
                   std::uint64_t* undecided);

// Lanes by number, without an address that depends on it. The number of the first marked lane, or `count`, and how many
// are marked.
struct MarkedLanes {
  std::uint64_t first, number;
};
MarkedLanes marked_lanes(const std::uint64_t* marks, std::size_t count);
std::uint64_t lane(const std::uint64_t* values, std::size_t count, std::uint64_t number);
// Changes nothing if there is no such lane.
void set_lane(std::uint64_t* values, std::size_t count, std::uint64_t number, std::uint64_t value);

// The versions of the kernels for an instruction set, or the best below it, which tests compare with each other.
struct NormalKernels {
  decltype(&noise::normal_attempts) normal_attempts;
  decltype(&noise::discrete_gaussian_attempts) discrete_gaussian_attempts;
};
NormalKernels normal_kernels_for(simd::Target target);
struct ExponentialKernels {
  decltype(&noise::exponential_attempts) exponential_attempts;
  decltype(&noise::discrete_laplace_attempts) discrete_laplace_attempts;
};
ExponentialKernels exponential_kernels_for(simd::Target target);
struct PlaceKernels {
  decltype(&noise::to_fixed) to_fixed;
  decltype(&noise::place_on_grid) place_on_grid;
  decltype(&noise::marked_lanes) marked_lanes;
  decltype(&noise::lane) lane;
  decltype(&noise::set_lane) set_lane;
};
PlaceKernels place_kernels_for(simd::Target target);

}  // namespace renyi::noise
