// What the vertical lines of several mechanisms share: sums over the atoms of a tilted loss become values of ln phi
// (docs/math/privacy-loss.md, "Lines").
#pragma once

#include <complex>
#include <span>

#include "mechanism/sampled_gaussian/kernels.h"
#include "renyi/extras/curve.h"

namespace renyi::sampled_gaussian {

// Phases are rotated from point to point where the sum is at least this, because the error of the rotation is absolute,
// and for at least so many points.
inline constexpr double turn_from = 0.05;
inline constexpr std::size_t worth_turning = 6;

// Bounds the sum of w |exp(iyL) - 1 - iyL| over atoms whose moments these are: |exp(ix) - 1 - ix| is at most
// min(x^2/2, 2 + |x|).
double size_bound(const double (&moment)[3], double y);

// Returns the sums of w (exp(iyL) - 1 - iyL), also where phases are too large for the kernels. `largest` is the largest
// |L|.
PhaseSums centred_sums(const Atoms& atoms, double largest, double y);

// Computes the same sums at y = first + j step, j = 0, ..., at most most_rotations of them, by rotation; no y |L| may
// exceed most_phase.
void turned_centred_sums(const Atoms& atoms, double first, double step, std::span<PhaseSums> sums);

// Returns the error of one of these by the rotation, by the rounding of the phases and by three more sums, in units of
// 2^-53 (docs/math/privacy-loss.md, "Turned phases"). `last` is the largest y.
double turned_roundings(const double (&moment)[3], std::size_t atoms, double y, double last);

// Returns ln phi(y) of phi(y) - 1, known up to `error` and, in addition, up to i y m with |y m| <= `shift`, of which
// only what it does to the logarithm beyond a shift is included.
ComplexLogMoment log_of_phi(const std::complex<double>& less_one, double error, double shift);

}  // namespace renyi::sampled_gaussian
