// Sums over atoms of one law of the phases exp(i y L) - 1 - i y L: the kernels behind every point of a vertical line
// (docs/math/privacy-loss.md, "Lines").
#pragma once

#include <cstddef>
#include <span>

#include "numerics/simd/dispatch.h"

namespace renyi::sampled_gaussian {

// Of the atoms with even and with odd index apart.
struct PhaseSums {
  double re[2] = {0, 0};
  double im[2] = {0, 0};
};

// Atoms in rising order of the loss.
struct Atoms {
  const double* loss = nullptr;
  const double* weight = nullptr;
  std::size_t count = 0;
};

// y |L| up to here, for every atom.
inline constexpr double most_phase = 0x1p20;

// Sums of w (cos x - 1) and w (sin x - x), x = y L, each term to a few units in its last place however small x is.
PhaseSums phase_sums(const Atoms& atoms, double y);
PhaseSums phase_sums(numerics::simd::Target target, const Atoms& atoms, double y);

// Sums of w cos x and w sin x for x = y L at y = first + j step, j = 0, ..., at most most_rotations of them. Phases are
// found at the point in the middle and turned from there by one complex product a point.
inline constexpr std::size_t most_rotations = 16;
void turned_phase_sums(const Atoms& atoms, double first, double step, std::span<PhaseSums> sums);
void turned_phase_sums(numerics::simd::Target target, const Atoms& atoms, double first, double step,
                       std::span<PhaseSums> sums);
// What turning leaves of one atom's cos x and sin x, at most, in units of 2^-53 of its weight: 2 sqrt(2) for a complex
// product and 1.8 sqrt(2) for its factor, after 8 of them; and the phase they started from. (Phases themselves are
// rounded as everywhere.)
inline constexpr double turning_error = 8 * 5.4 + 4;

// Roundings of one sum over so many atoms, in units of 2^-53: of 16 terms in a row at most, of the parts, of the lanes.
constexpr double additions(std::size_t atoms) { return 16 + static_cast<double>(atoms) / 32 + 10; }

}  // namespace renyi::sampled_gaussian
