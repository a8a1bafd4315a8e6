// The kernels of the Sampled Gaussian, each of which processes several nodes or atoms at once: the columns of a chunk,
// the sum for one real order, the weights of tilted nodes with their moments, and sums of phases. Each has its own .cpp
// file.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>

#include "mechanism/sampled_gaussian/lattice.h"
#include "mechanism/sampled_gaussian/order.h"
#include "renyi/extras/curve.h"
#include "simd/dispatch.h"

namespace renyi::sampled_gaussian {

// node_kernel.cpp: the columns of a chunk. Fills in the nodes x = j step for j from `first` on; `log_weight` is ln(step
// / (s sqrt(2 pi))).
using FillNodes = void (*)(const Params& params, double step, double log_weight, std::int64_t first, Chunk& chunk);

// Returns the version for an instruction set, or the best that is compiled below it.
FillNodes fill_nodes_for(renyi::simd::Target target);

// Calls the version for this processor.
void fill_nodes(const Params& params, double step, double log_weight, std::int64_t first, Chunk& chunk);

// real_sum.cpp: the sum for one real order over whole chunks: terms, their first two derivatives in z, and their
// rounding errors (docs/math/sampled-gaussian.md, "Sums by chunks").

// Sums by the residue of the node's index modulo the number of lanes, so that even and odd nodes stay separate.
struct RealLanes {
  static constexpr std::size_t size = 8;
  using Lane = std::array<double, size>;
  Lane moment{};
  Lane slope{};
  Lane curvature{};
  Lane noise{};  // sum of the terms times their relative errors, in units of 2^-53
};

// Contributions of the outermost nodes of a chunk to the slope.
struct Edges {
  double low = 0;
  double high = 0;
};

using AddChunk = Edges (*)(const Order& order, const Params& params, const Chunk& chunk, RealLanes& lanes);

// Returns the version for an instruction set, or the best that is compiled below it.
AddChunk add_chunk_for(renyi::simd::Target target, Direction direction);

// A sum with the interface that sum_chunks (summation.h) needs.
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
  std::int64_t chunks_ = 0;
};

// tilted_chunk.cpp: the weights of the tilted nodes of one chunk, and moments of the atoms in one bucket.

// Parameters that turn the nodes of one lattice into atoms of the loss tilted by exp(c L).
struct Tilt {
  const Order& order;
  const Params& params;
  Direction direction = Direction::remove;
  double log_mass = 0;  // K(c)
  double step = 0;      // step of the lattice
};

struct TiltedChunk {
  Chunk::Column loss, weight;
  Chunk::Column density;  // density of the loss: weight/(h l')
};

// Sums of w |L|^k for k = 0, 1, 2, and sums of w |L|^k times the relative rounding error of w and L, in units of 2^-53,
// with 16 added for later operations.
struct TiltedMoments {
  double moment[3] = {0, 0, 0};
  double noise[3] = {0, 0, 0};
};

// Adds to the given moments.
void tilt_chunk(const Tilt& tilt, const Chunk& chunk, TiltedChunk& tilted, TiltedMoments& moments);
void tilt_chunk(renyi::simd::Target target, const Tilt& tilt, const Chunk& chunk, TiltedChunk& tilted,
                TiltedMoments& moments);

// Sums of w (L - m)^k about the atoms' mean m, or nearly so.
struct CentralMoments {
  double m[5] = {0, 0, 0, 0, 0};
};
CentralMoments central_moments(const double* loss, const double* weight, std::size_t count);
CentralMoments central_moments(renyi::simd::Target target, const double* loss, const double* weight, std::size_t count);

// phase_sums.cpp: sums over the atoms of one distribution of the phases exp(i y L) - 1 - i y L, which give each point
// on a vertical line (docs/math/privacy-loss.md, "Lines").

// Separate sums over the atoms with even and with odd index.
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

// Largest allowed y |L| of any atom.
inline constexpr double most_phase = 0x1p20;

// Sums of w (cos x - 1) and w (sin x - x), x = y L, each term to a few units in its last place however small x is.
PhaseSums phase_sums(const Atoms& atoms, double y);
PhaseSums phase_sums(renyi::simd::Target target, const Atoms& atoms, double y);

// Sums of w cos x and w sin x for x = y L at y = first + j step, j = 0, ..., at most most_rotations of them. Phases are
// computed at the middle point and rotated from there by one complex product per point.
inline constexpr std::size_t most_rotations = 16;
void turned_phase_sums(const Atoms& atoms, double first, double step, std::span<PhaseSums> sums);
void turned_phase_sums(renyi::simd::Target target, const Atoms& atoms, double first, double step,
                       std::span<PhaseSums> sums);
// Bound on the error that rotation leaves in one atom's cos x and sin x, in units of 2^-53 of its weight: 2 sqrt(2) for
// a complex product and 1.8 sqrt(2) for its factor, after 8 of them; and the error of the phase they started from. (The
// phases themselves are rounded as everywhere.)
inline constexpr double turning_error = 8 * 5.4 + 4;

// Atoms whose phases are damped: (re + i im) exp(i y turn - y damp).
struct DampedAtoms {
  const double* turn = nullptr;
  const double* damp = nullptr;
  const double* re = nullptr;
  const double* im = nullptr;
  std::size_t count = 0;
};
// Sums over the atoms at y = first + j step, j = 0, ..., at most most_rotations of them. Factors are computed at the
// first point and multiplied from there.
void damped_phase_sums(const DampedAtoms& atoms, double first, double step, std::span<std::complex<double>> sums);
void damped_phase_sums(renyi::simd::Target target, const DampedAtoms& atoms, double first, double step,
                       std::span<std::complex<double>> sums);

// Returns the number of roundings of one sum over that many atoms, in units of 2^-53: at most 16 terms in a row, then
// the partial sums, then the lanes.
constexpr double additions(std::size_t atoms) { return 16 + static_cast<double>(atoms) / 32 + 10; }

}  // namespace renyi::sampled_gaussian
