// Computes the atoms of the tilted loss from the nodes of a lattice.
#include "mechanism/sampled_gaussian/tilted_nodes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "mechanism/sampled_gaussian/order.h"

namespace renyi::sampled_gaussian {

namespace tilted_nodes_file {
namespace {

constexpr std::size_t most_nodes = 1 << 16, most_chunks = most_nodes / Chunk::size;
// Past the peaks, atoms with less than this share of the mass and of E[L^2] end the sum.
constexpr double negligible = 1e-18;
constexpr std::size_t likely_chunks = 256 / Chunk::size;  // in each direction
constexpr double missing_mass = 1e-10;

// Chunks of tilted nodes, from some chunk on upwards or downwards.
struct March {
  const Lattice& lattice;
  const Tilt& tilt;
  TiltedMoments& moments;

  bool counts(const TiltedChunk& chunk, std::size_t i) const {
    const double weight = chunk.weight[i], loss = chunk.loss[i];
    return weight > negligible || weight * loss * loss > negligible * moments.moment[2];
  }

  // Adds chunks from `c` in steps of `way` until, past `settled`, the outermost atom is negligible.
  void operator()(std::int64_t c, std::int64_t way, std::int64_t settled, std::vector<TiltedChunk>& chunks) const {
    Chunk scratch;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the lattice before it is read
    for (; chunks.size() <= most_chunks; c += way) {
      chunks.emplace_back();
      tilt_chunk(tilt, lattice.chunk(c, scratch), chunks.back(), moments);
      if (way * (c - settled) >= 0 && !counts(chunks.back(), way > 0 ? Chunk::size - 1 : 0)) return;
    }
  }
};

// Concatenates all chunks in rising order of x, without the negligible atoms at both ends, in rising order of the loss.
void put_together(const March& march, const std::vector<TiltedChunk>& down, const std::vector<TiltedChunk>& up,
                  TiltedNodes& nodes) {
  const std::size_t below = down.size() * Chunk::size, all = below + up.size() * Chunk::size;
  const auto chunk_of = [&](std::size_t i) -> const TiltedChunk& {
    return i < below ? down[down.size() - 1 - i / Chunk::size] : up[(i - below) / Chunk::size];
  };
  std::size_t begin = 0, end = all;
  while (begin < end && !march.counts(chunk_of(begin), begin % Chunk::size)) ++begin;
  while (begin < end && !march.counts(chunk_of(end - 1), (end - 1) % Chunk::size)) --end;
  for (auto* column : {&nodes.loss, &nodes.weight, &nodes.density}) column->reserve(end - begin);
  for (std::size_t i = begin; i < end;) {
    const std::size_t first = i % Chunk::size, last = std::min(Chunk::size + i - first, end) - (i - first);
    const TiltedChunk& chunk = chunk_of(i);
    const auto append = [&](const Chunk::Column& from, std::vector<double>& to) {
      to.insert(to.end(), from.data() + first, from.data() + last);
    };
    append(chunk.loss, nodes.loss);
    append(chunk.weight, nodes.weight);
    append(chunk.density, nodes.density);
    i += last - first;
  }
  if (march.tilt.direction == Direction::remove) return;
  for (auto* column : {&nodes.loss, &nodes.weight, &nodes.density}) std::reverse(column->begin(), column->end());
}

}  // namespace
}  // namespace tilted_nodes_file

double TiltedNodes::largest() const {
  return loss.empty() ? 0 : std::max(std::abs(loss.front()), std::abs(loss.back()));
}

TiltedNodes tilted_nodes(const Lattice& lattice, double c, Direction direction, double log_mass) {
  const Peaks peaks = peaks_of(lattice.params(), c, direction);
  const Order order = make_order(lattice, c, direction, peaks);
  const double s = lattice.params().s, left = std::min(peaks.left, 0.0);
  const auto chunk_at = [&](double x) {
    return static_cast<std::int64_t>(std::llround(x / lattice.step())) >> Chunk::log2_size;
  };
  const double top = std::max({1.0, peaks.right, peaks.upper.value_or(0)});
  TiltedNodes nodes;
  const Tilt tilt{order, lattice.params(), direction, log_mass, lattice.step()};
  const tilted_nodes_file::March march{lattice, tilt, nodes};
  std::vector<TiltedChunk> down, up;
  down.reserve(tilted_nodes_file::likely_chunks);
  up.reserve(tilted_nodes_file::likely_chunks);
  march(chunk_at(left), 1, chunk_at(top + 2 * s), up);
  march(chunk_at(left) - 1, -1, chunk_at(left - 2 * s), down);
  // The total mass is known, so that a window that missed some of it is detected.
  if (down.size() + up.size() > tilted_nodes_file::most_chunks ||
      !(std::abs(nodes.moment[0] - 1) < tilted_nodes_file::missing_mass))
    return {};
  tilted_nodes_file::put_together(march, down, up, nodes);
  return nodes;
}

}  // namespace renyi::sampled_gaussian
