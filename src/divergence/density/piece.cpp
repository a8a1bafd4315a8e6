#include "divergence/density/piece.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "divergence/density/hidden_end.h"
#include "divergence/density/kronrod.h"
#include "numerics/rounding.h"

namespace renyi::divergence_detail {
namespace {

using numerics::unit_roundoff;

// For smooth f halving takes a factor of 2^20 off the gap, near a kink of 4, at a jump of 2.
constexpr double clear_fall = 1.0 / 64;

void note_ends(Piece& piece, const Integrand& f, const std::array<double, node_count>& values) {
  for (const int outwards : {-1, 1}) {
    const double hidden = hidden_at_end(f, piece.low, piece.high, outwards, values);
    if (std::isinf(hidden)) piece.infinite = true;
    if (!piece.infinite) piece.ends += hidden;
  }
}

void note_parent(Piece& half, const Piece& whole, double mismatch) {
  half.mismatch = mismatch;
  half.confirmed = half.gap <= clear_fall * whole.gap || half.gap <= half.noise;
}

}  // namespace

Piece measured(const Integrand& f, double low, double high) {
  const auto& nodes = kronrod_nodes();
  const double half = high / 2 - low / 2, centre = low / 2 + high / 2;
  Piece piece{low, high};
  std::array<double, node_count> values{};
  double embedded = 0, variation = 0, beyond_noise = 0, size = 0;
  Sample before;
  for (std::size_t i = 0; i < node_count; ++i) {
    const Sample sample = f(centre + half * nodes[i].at);
    if (std::isinf(sample.value)) {
      piece.infinite = true;
      return piece;
    }
    values[i] = sample.value;
    piece.value += nodes[i].weight * sample.value;
    embedded += nodes[i].embedded_weight * sample.value;
    piece.noise += nodes[i].weight * sample.noise;
    size += nodes[i].weight * std::abs(sample.value);
    const double step = i == 0 ? 0 : std::abs(sample.value - before.value);
    variation += step;
    beyond_noise += std::max(0.0, step - sample.noise - before.noise);
    before = sample;
  }
  piece.gap = half * std::abs(piece.value - embedded);
  // |error| <= largest weight * variation: partial sums of the weights stay within half of it of the nodes.
  piece.spread = half * largest_weight * beyond_noise;
  piece.value *= half;
  // A node is off by rounding of its own size; the sum of what that does is at most the variation times it.
  const double node_rounding = 2 * unit_roundoff * std::max(std::abs(low), std::abs(high));
  piece.noise = half * (piece.noise + 24 * unit_roundoff * size) + node_rounding * variation;
  note_ends(piece, f, values);
  if (is_too_short(piece)) piece.noise += std::abs(piece.value);
  return piece;
}

bool is_too_short(const Piece& piece) {
  const double least = 64 * unit_roundoff * std::max(std::abs(piece.low), std::abs(piece.high));
  return piece.high - piece.low <= std::max(least, 1e-285);
}

Halves halved(const Integrand& f, const Piece& whole) {
  const double middle = whole.low / 2 + whole.high / 2;
  Halves halves{measured(f, whole.low, middle), measured(f, middle, whole.high)};
  const double mismatch = std::abs(whole.value - halves.left.value - halves.right.value);
  note_parent(halves.left, whole, mismatch);
  note_parent(halves.right, whole, mismatch);
  return halves;
}

double estimate_of(const Piece& piece) {
  const double of_rule = std::max(piece.gap, piece.mismatch);
  return piece.ends + (piece.confirmed ? of_rule : std::max(of_rule, piece.spread));
}

}  // namespace renyi::divergence_detail
