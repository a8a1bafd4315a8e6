// The sum for one real order over whole chunks, several nodes at once: terms, their first two derivatives in z, and
// their rounding errors (docs/math/sampled-gaussian.md, "Sums by chunks").
#pragma once

#include <array>
#include <cstddef>

#include "mechanism/sampled_gaussian/exponent.h"
#include "mechanism/sampled_gaussian/lattice.h"
#include "numerics/simd/dispatch.h"
#include "renyi/curve.h"

namespace renyi::sampled_gaussian {

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

// A sum as sum_chunks (chunk_windows.h) wants it.
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

}  // namespace renyi::sampled_gaussian
