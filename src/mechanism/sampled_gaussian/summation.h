// Sums over the lattice, by nodes or by whole chunks: they go outwards from the peaks of an integrand until terms are
// negligible, and include the errors from the step, the cut windows and rounding.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "mechanism/sampled_gaussian/lattice.h"
#include "mechanism/sampled_gaussian/order.h"
#include "numerics/rounding.h"
#include "renyi/extras/curve.h"

namespace renyi::sampled_gaussian {

// Terms below this share of the sum end a window.
inline constexpr double negligible_share = 1e-17;
// Relative quadrature error that sufficient_step guarantees.
inline constexpr double least_step_error = 1e-14;

// A node in one direction: weight under P, loss, and weight times R(-loss).
struct View {
  double weight, loss, centred;
};
template <Direction direction>
View view(const Chunk& c, std::size_t i) {
  if (direction == Direction::remove) return {c.p[i], c.loss[i], c.centred_p[i]};
  return {c.q[i], -c.loss[i], c.centred_q[i]};
}

// Separate sums over even and odd nodes: their difference is the error of the rule with twice the step.
template <class Value>
struct Parity {
  Value even{}, odd{};
  void add(std::int64_t j, Value v) { ((j & 1) != 0 ? odd : even) += v; }
  Value total() const { return even + odd; }
  double coarse_error() const { return std::abs(even - odd); }
};

// Adds nodes from `j` in steps of `way` until `limit`, or until, past `settled`,
// they are negligible. Returns the first index not added.
template <class Sum>
std::int64_t march(const Lattice& lattice, Sum& sum, std::int64_t j, std::int64_t way, std::int64_t settled,
                   std::int64_t limit) {
  Chunk scratch;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the lattice before it is read
  const Chunk* chunk = nullptr;
  std::int64_t held = std::numeric_limits<std::int64_t>::min();
  for (; j != limit; j += way) {
    if (const std::int64_t c = j >> Chunk::log2_size; c != held) {
      chunk = &lattice.chunk(c, scratch);
      held = c;
    }
    const double size = sum.add(*chunk, static_cast<std::size_t>(j & (Chunk::size - 1)), j);
    if (way * (j - settled) > 0 && !(size > negligible_share * sum.size())) return j + way;
  }
  return j;
}

// Sums every window of the order: outwards from each peak. The centred integrand vanishes at x = 1/2 (where r = 1), so
// the two sides are summed separately.
template <class Sum>
void sum_windows(const Lattice& lattice, Sum& sum, const Peaks& peaks) {
  constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max() / 2;
  const double h = lattice.step();
  const auto index = [&](double x) { return static_cast<std::int64_t>(std::llround(x / h)); };
  const std::int64_t half = static_cast<std::int64_t>(std::ceil(0.5 / h));
  const std::int64_t margin = index(2 * lattice.params().s) + 1;

  std::int64_t open = far;  // nodes at and below it are not summed yet
  if (peaks.upper) {
    const std::int64_t top = std::max(index(*peaks.upper), half);
    march(lattice, sum, top, 1, top + margin, far);
    open = march(lattice, sum, top - 1, -1, top - margin, half - 1);
  }
  const std::int64_t right = std::min(std::max(index(peaks.right), half), open + 1);
  march(lattice, sum, right, 1, std::max(right, index(2)) + margin, open == far ? far : open + 1);
  if (right > half) march(lattice, sum, right - 1, -1, right - margin, half - 1);

  const std::int64_t left = std::min(index(peaks.left), half - 1);
  march(lattice, sum, left, 1, left + margin, half);
  march(lattice, sum, left - 1, -1, left - margin, -far);
}

// Relative error of the sum from its step. Halving the step squares the error of a
// function analytic in a strip and raises that of a Gaussian to the fourth power.
// Integrands are products of both; in direction add, where r^(-z) is singular on
// the strip's edge, only the square is safe.
inline double step_error(Direction direction, double coarse_error, double size) {
  const double coarse = size > 0 ? coarse_error / size : 0;
  return std::max(least_step_error, 4 * coarse * coarse * (direction == Direction::remove ? coarse : 1));
}

// Returns the relative error of the sum from the cut windows, which have at most four ends: the terms fall at least
// like exp(-8 x/s) there, so each end omits at most s/h times its last term.
inline double dropped_share(const Lattice& lattice) {
  return 4 * negligible_share * (1 + lattice.params().s / lattice.step());
}

// Returns the error of a sum of this size from its step, the cut windows and rounding: of the terms, and once for each
// addition.
inline double sum_error(const Lattice& lattice, double noise, double nodes, double from_step, double size) {
  return size * (from_step + dropped_share(lattice)) + (noise + nodes * size) * numerics::unit_roundoff;
}

template <class Sum>
double sum_error(const Lattice& lattice, const Sum& sum, double from_step, double size) {
  return sum_error(lattice, sum.noise, static_cast<double>(sum.nodes), from_step, size);
}

inline std::int64_t chunk_of(std::int64_t node) { return node >> Chunk::log2_size; }

// Adds chunks from `c` in steps of `way` until `limit`, or until their last node lies past `settled` and is
// negligible. Returns the first chunk not added.
template <class Sum>
std::int64_t march_chunks(const Lattice& lattice, Sum& sum, std::int64_t c, std::int64_t way, std::int64_t settled,
                          std::int64_t limit) {
  Chunk scratch;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the lattice before it is read
  for (; c != limit; c += way) {
    const auto edges = sum.add(lattice.chunk(c, scratch));
    const std::int64_t last = c * Chunk::size + (way > 0 ? Chunk::size - 1 : 0);
    const double size = way > 0 ? edges.high : edges.low;
    if (way * (last - settled) > 0 && !(size > negligible_share * sum.size())) return c + way;
  }
  return c;
}

// Sums every window of the order: outwards from each peak. The centred integrand vanishes at x = 1/2 (where r = 1), so
// the windows on its two sides end there; the chunk that contains it belongs to both and is summed once.
template <class Sum>
void sum_chunks(const Lattice& lattice, Sum& sum, const Reach& reach) {
  constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max() / (4 * std::int64_t{Chunk::size});
  const auto index = [per_unit = 1 / lattice.step()](double x) { return static_cast<std::int64_t>(x * per_unit); };
  const std::int64_t middle = chunk_of(index(0.5));
  const std::int64_t margin = index(2 * lattice.params().s) + 2;  // indices are off by less than 1

  std::int64_t open = far;  // chunks from this one on are summed, or negligible
  if (reach.upper) {
    const std::int64_t top = index(*reach.upper), start = std::max(chunk_of(top), middle);
    march_chunks(lattice, sum, start, 1, top + margin, far);
    open = march_chunks(lattice, sum, start - 1, -1, top - margin, middle - 1) + 1;
  }
  const std::int64_t right = index(reach.right), start = std::min(std::max(chunk_of(right), middle), open);
  march_chunks(lattice, sum, start, 1, index(std::max(reach.right_end, 2.0)) + margin, open);
  const std::int64_t low = march_chunks(lattice, sum, start - 1, -1, right - margin, middle - 1) + 1;

  const std::int64_t end = std::min(low, middle + 1), left = index(reach.left), first = std::min(chunk_of(left), end);
  march_chunks(lattice, sum, first, 1, left + margin, end);
  march_chunks(lattice, sum, first - 1, -1, left - margin, -far);
}

}  // namespace renyi::sampled_gaussian
