// Kernels over tilted nodes: the weights of one chunk, and moments of the atoms in one bucket.
#pragma once

#include <cstddef>

#include "mechanism/sampled_gaussian/exponent.h"
#include "mechanism/sampled_gaussian/lattice.h"
#include "numerics/simd/dispatch.h"
#include "renyi/curve.h"

namespace renyi::sampled_gaussian {

// What makes nodes of one lattice atoms of the loss tilted by exp(c L).
struct Tilt {
  const Order& order;
  const Params& params;
  Direction direction = Direction::remove;
  double log_mass = 0;  // K(c)
  double step = 0;      // of the lattice
};

struct TiltedChunk {
  Chunk::Column loss, weight;
  Chunk::Column density;  // of the loss: weight/(h l')
};

// Sums of w |L|^k, k = 0, 1, 2; and of w |L|^k times the relative rounding error of w and L, in units of 2^-53, with 16
// for what is done with them later.
struct TiltedMoments {
  double moment[3] = {0, 0, 0};
  double noise[3] = {0, 0, 0};
};

// The moments are added to.
void tilt_chunk(const Tilt& tilt, const Chunk& chunk, TiltedChunk& tilted, TiltedMoments& moments);
void tilt_chunk(numerics::simd::Target target, const Tilt& tilt, const Chunk& chunk, TiltedChunk& tilted,
                TiltedMoments& moments);

// Sums of w (L - m)^k about the atoms' mean m, or nearly so.
struct CentralMoments {
  double m[5] = {0, 0, 0, 0, 0};
};
CentralMoments central_moments(const double* loss, const double* weight, std::size_t count);
CentralMoments central_moments(numerics::simd::Target target, const double* loss, const double* weight,
                               std::size_t count);

}  // namespace renyi::sampled_gaussian
