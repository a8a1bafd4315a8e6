// Sums over whole chunks: outwards from the peaks of an integrand until the outermost node is negligible.
#pragma once

#include <algorithm>
#include <limits>

#include "mechanism/sampled_gaussian/lattice.h"
#include "mechanism/sampled_gaussian/summation.h"
#include "mechanism/sampled_gaussian/windows.h"

namespace renyi::sampled_gaussian {

inline long chunk_of(long node) { return node >> Chunk::log2_size; }

// Adds chunks from `c` in steps of `way` until `limit`, or until their last node lies past `settled` and is
// negligible. Returns the first chunk not added.
template <class Sum>
long march_chunks(const Lattice& lattice, Sum& sum, long c, long way, long settled, long limit) {
  Chunk scratch;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the lattice before it is read
  for (; c != limit; c += way) {
    const auto edges = sum.add(lattice.chunk(c, scratch));
    const long last = c * Chunk::size + (way > 0 ? Chunk::size - 1 : 0);
    const double size = way > 0 ? edges.high : edges.low;
    if (way * (last - settled) > 0 && !(size > negligible_share * sum.size())) return c + way;
  }
  return c;
}

// Sums every window of the order: outwards from each peak. The centred integrand vanishes at x = 1/2 (where r = 1),
// so the windows on its two sides end by themselves; the chunk that holds it belongs to both and is summed once.
template <class Sum>
void sum_chunks(const Lattice& lattice, Sum& sum, const Reach& reach) {
  constexpr long far = std::numeric_limits<long>::max() / (4L * Chunk::size);
  const auto index = [per_unit = 1 / lattice.step()](double x) { return static_cast<long>(x * per_unit); };
  const long middle = chunk_of(index(0.5));
  const long margin = index(2 * lattice.params().s) + 2;  // indices are off by less than 1

  long open = far;  // chunks from it on are summed, or negligible
  if (reach.upper) {
    const long top = index(*reach.upper), start = std::max(chunk_of(top), middle);
    march_chunks(lattice, sum, start, 1, top + margin, far);
    open = march_chunks(lattice, sum, start - 1, -1, top - margin, middle - 1) + 1;
  }
  const long right = index(reach.right), start = std::min(std::max(chunk_of(right), middle), open);
  march_chunks(lattice, sum, start, 1, index(std::max(reach.right_end, 2.0)) + margin, open);
  const long low = march_chunks(lattice, sum, start - 1, -1, right - margin, middle - 1) + 1;

  const long end = std::min(low, middle + 1), left = index(reach.left), first = std::min(chunk_of(left), end);
  march_chunks(lattice, sum, first, 1, left + margin, end);
  march_chunks(lattice, sum, first - 1, -1, left - margin, -far);
}

}  // namespace renyi::sampled_gaussian
