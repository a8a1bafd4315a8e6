// Gaussian and Laplace noise on real numbers, from any supply of bits.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "noise/bits/bits.h"
#include "noise/grid.h"
#include "renyi/noise.h"

namespace renyi::noise {

enum class GridLaw { gaussian, laplace };

// The grid and the range of a release: public, and checked.
struct Rounding {
  double grid;
  double range;           // a multiple of the grid
  std::int64_t greatest;  // the last multiple of the grid within the range
};

// Multiples of the grid up to so many are exact numbers of the type.
template <class Number>
constexpr std::int64_t exact_multiples() {
  return std::is_same_v<Number, float> ? std::int64_t{1} << 24U : static_cast<std::int64_t>(largest_range_of_grid);
}

// `parameter` is the name of the scale in error messages. Throws InvalidArgument.
Rounding rounding_of(const OnGrid& options, std::string_view parameter, double scale, std::int64_t multiples,
                     int default_bits);

// Gives the multiples of the grid to emit(number of the first, multiples), block by block.
using EmitMultiples = std::function<void(std::size_t, std::span<const std::int64_t>)>;
void draw_on_grid(Bits& bits, GridLaw law, const GridInput& x, double scale, const Rounding& rounding,
                  const EmitMultiples& emit);
double slow_probability(GridLaw law, double scale, double grid);

// An upper bound on the root of the mean square of round(x + noise) - x, over all x.
double effective_stddev(GridLaw law, double scale, double grid);

// The step of a plan, as JSON.
std::string step_of(GridLaw law, double scale, double sensitivity);

// Starts a release, and writes round(x + noise), as near as the type has it, once all is drawn: a kernel that gives no
// more bits leaves the output as it was.
template <class Number>
Release release_on_grid(GridLaw law, const GridInput& x, double scale, const Rounding& rounding, std::string step,
                        std::span<Number> out);
extern template Release release_on_grid(GridLaw, const GridInput&, double, const Rounding&, std::string,
                                        std::span<float>);
extern template Release release_on_grid(GridLaw, const GridInput&, double, const Rounding&, std::string,
                                        std::span<double>);

}  // namespace renyi::noise
