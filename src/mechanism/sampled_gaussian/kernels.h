// The kernels of the Sampled Gaussian, each for several nodes or atoms at once: the columns of a chunk, the sum for one
// real order, the weights of tilted nodes with their moments, and sums of phases. Each has a .cpp of its own.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "mechanism/sampled_gaussian/lattice.h"
#include "mechanism/sampled_gaussian/order.h"
#include "numerics/simd/dispatch.h"
#include "renyi/extras/curve.h"

namespace renyi::sampled_gaussian {

// node_kernel.cpp: the columns of a chunk. Fills the nodes x = j step for j from `first` on; `log_weight` is ln(step /
// (s sqrt(2 pi))).
using FillNodes = void (*)(const Params& params, double step, double log_weight, long first, Chunk& chunk);

// The version for an instruction set, or the best that is compiled below it.
FillNodes fill_nodes_for(numerics::simd::Target target);

// That of this processor.
void fill_nodes(const Params& params, double step, double log_weight, long first, Chunk& chunk);

// real_sum.cpp: the sum for one real order over whole chunks: terms, their first two derivatives in z, and their
// rounding errors (docs/math/sampled-gaussian.md, "Sums by chunks").

// Sums by residue of the node's index modulo their number: even and odd nodes stay apart.
struct RealLanes {
  static constexpr std::size_t size = 8;
  using Lane = std::array<double, size>;
  Lane moment{};
  Lane slope{};
  Lane curvature{};
  Lane noise{};  // of the terms times their relative errors, in units of 2^-53
};

// What the outermost nodes of a chunk add to the slope.
struct Edges {
  double low = 0;
  double high = 0;
};

using AddChunk = Edges (*)(const Order& order, const Params& params, const Chunk& chunk, RealLanes& lanes);

// The version for an instruction set, or the best that is compiled below it.
AddChunk add_chunk_for(numerics::simd::Target target, Direction direction);

// A sum as sum_chunks (summation.h) wants it.
class RealSum {
 public:
  RealSum(const Order& order, const Params& params, Direction direction);

  Edges add(const Chunk& chunk);
  double size() const { return slope(); }

  double moment() const;
  double coarse_error() const;  // |even - odd|
  double slope() const;
  double curvature() const;
  double noise() const;
  double nodes() const { return static_cast<double>(chunks_) * Chunk::size; }

 private:
  const Order& order_;
  const Params& params_;
  AddChunk add_;
  RealLanes lanes_;
  long chunks_ = 0;
};

// tilted_chunk.cpp: the weights of the tilted nodes of one chunk, and moments of the atoms in one bucket.

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

// phase_sums.cpp: sums over atoms of one law of the phases exp(i y L) - 1 - i y L, behind every point of a vertical
// line (docs/math/privacy-loss.md, "Lines").

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
