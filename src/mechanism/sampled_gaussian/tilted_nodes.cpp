#include "mechanism/sampled_gaussian/tilted_nodes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "mechanism/sampled_gaussian/exponent.h"

namespace renyi::sampled_gaussian {

namespace {

using std::numbers::pi;

constexpr std::size_t most_nodes = 1 << 16, most_chunks = most_nodes / Chunk::size;
// Past the peaks, atoms with less than this share of the mass and of E[L^2] end the sum.
constexpr double negligible = 1e-18;
constexpr std::size_t likely_chunks = 256 / Chunk::size;  // each way
constexpr double missing_mass = 1e-10;
// Bounds are taken from sums over nodes; this much of each is given away for that.
constexpr double margin = 0.05;
constexpr double margin_of_mass = 1e-9;
constexpr std::size_t enough_nodes = 6;  // in a bucket, to sum over them
// A cut must vary so much less than one with less mass to be worth while.
constexpr double better = 0.98;

// Chunks of tilted nodes, from some chunk on upwards or downwards.
struct March {
  const Lattice& lattice;
  const Tilt& tilt;
  TiltedMoments& moments;

  bool counts(const TiltedChunk& chunk, std::size_t i) const {
    const double weight = chunk.weight[i], loss = chunk.loss[i];
    return weight > negligible || weight * loss * loss > negligible * moments.moment[2];
  }

  // From chunk `c` in steps of `way` until, past `settled`, the outermost atom is negligible.
  void operator()(long c, long way, long settled, std::vector<TiltedChunk>& chunks) const {
    Chunk scratch;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the lattice before it is read
    for (; chunks.size() <= most_chunks; c += way) {
      chunks.emplace_back();
      tilt_chunk(tilt, lattice.chunk(c, scratch), chunks.back(), moments);
      if (way * (c - settled) >= 0 && !counts(chunks.back(), way > 0 ? Chunk::size - 1 : 0)) return;
    }
  }
};

// All the chunks in rising order of x, without the negligible atoms at both ends, in rising order of the loss.
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

// At most E[1 - cos(v(L-L')); L, L' in J] for every v in [y, 2y], |v(L-L')| <= pi: from 1 - cos u >= 2 u^2/pi^2, and
// from 1 - cos u >= u^2/2 - u^4/24, which is concave in v^2 and so least at an end. Moments about any point but the
// mean of J would make E[(L-L')^2; J] a difference of large numbers: a rare loss of -1/2 beside a common one of 1e-11
// would hide a variance of 1e-18.
double lost(const CentralMoments& about_mean, double y) {
  const auto& m = about_mean.m;
  const double second = 2 * (m[0] * m[2] - m[1] * m[1]);                        // E[(L-L')^2; J]
  const double fourth = 2 * (m[0] * m[4] - 4 * m[1] * m[3] + 3 * m[2] * m[2]);  // E[(L-L')^4; J]
  const auto series = [&](double v2) { return 0.5 * v2 * second - v2 * v2 * fourth / 24; };
  const double wide = 2 * y * y / (pi * pi) * second;
  return std::max({0.0, wide, std::min(series(y * y), series(4 * y * y))});
}

// The first atom past `begin` that lies further than `width` from it: buckets are short or very long.
std::size_t bucket_end(const std::vector<double>& loss, std::size_t begin, double width) {
  const double last = loss[begin] + width;
  std::size_t end = begin + 1;
  for (const std::size_t near = std::min(begin + 2 * enough_nodes, loss.size()); end < near; ++end) {
    if (loss[end] > last) return end;
  }
  return static_cast<std::size_t>(std::upper_bound(loss.begin() + static_cast<std::ptrdiff_t>(end), loss.end(), last) -
                                  loss.begin());
}

// Cuts in rising order of mass: only those that vary less than all before.
class BestCuts {
 public:
  explicit BestCuts(std::size_t most) { best_.reserve(most); }

  void add(double mass, double variation) {
    if (!(variation < least_)) return;  // nor NaN, nor infinity
    best_.push_back({mass, variation});
    least_ = better * variation;
  }
  std::vector<Cut> all() && { return std::move(best_); }

 private:
  std::vector<Cut> best_{};
  double least_ = std::numeric_limits<double>::infinity();
};

// Cuts whose first part lies in the order of `at`, from one end to the other: its mass, and the variation of the rest.
template <class At>
std::vector<Cut> cuts_from(const TiltedNodes& nodes, const At& at) {
  const std::size_t n = nodes.loss.size();
  std::vector<double> rest(n);  // variation of the density at and past a node
  double variation = nodes.density[at(n - 1)];
  for (std::size_t i = n; i-- > 0;) {
    rest[i] = variation;
    if (i > 0) variation += std::abs(nodes.density[at(i)] - nodes.density[at(i - 1)]);
  }
  BestCuts best(n + 1);
  best.add(0, variation + nodes.density[at(0)]);
  double mass = 0;
  for (std::size_t i = 0; i < n; ++i) {
    mass += nodes.weight[at(i)];
    best.add(mass * (1 + margin_of_mass), rest[i] + nodes.density[at(i)]);
  }
  return std::move(best).all();
}

}  // namespace

double TiltedNodes::largest() const {
  return loss.empty() ? 0 : std::max(std::abs(loss.front()), std::abs(loss.back()));
}

TiltedNodes tilted_nodes(const Lattice& lattice, double c, Direction direction, double log_mass) {
  const Peaks peaks = peaks_of(lattice.params(), c, direction);
  const Order order = make_order(lattice, c, direction, peaks);
  const double s = lattice.params().s, left = std::min(peaks.left, 0.0);
  const auto chunk_at = [&](double x) { return std::lround(x / lattice.step()) >> Chunk::log2_size; };
  const double top = std::max({1.0, peaks.right, peaks.upper.value_or(0)});
  TiltedNodes nodes;
  const Tilt tilt{order, lattice.params(), direction, log_mass, lattice.step()};
  const March march{lattice, tilt, nodes};
  std::vector<TiltedChunk> down, up;
  down.reserve(likely_chunks);
  up.reserve(likely_chunks);
  march(chunk_at(left), 1, chunk_at(top + 2 * s), up);
  march(chunk_at(left) - 1, -1, chunk_at(left - 2 * s), down);
  // Their mass is known: a window that missed some of it must not pass for the whole.
  if (down.size() + up.size() > most_chunks || !(std::abs(nodes.moment[0] - 1) < missing_mass)) return {};
  put_together(march, down, up, nodes);
  return nodes;
}

double near_decay(const TiltedNodes& nodes, double y) {
  const double width = pi / (2 * y);
  // Where a bucket holds few nodes the density is flat across it, p say, and
  // E[(L-L')^2; L, L' in J] = p^2 width^4/6.
  const double flat = 2 * y * y / (pi * pi) * width * width * width / 6;
  const std::size_t n = nodes.loss.size();
  double total = 0;
  for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
    end = bucket_end(nodes.loss, begin, width);
    if (end - begin >= enough_nodes) {
      total += lost(central_moments(&nodes.loss[begin], &nodes.weight[begin], end - begin), y);
      continue;
    }
    double as_flat = 0;
    for (std::size_t i = begin; i < end; ++i) as_flat += nodes.weight[i] * nodes.density[i];
    total += as_flat * flat;
  }
  total *= 1 - margin;
  return total > 0 && total < 1 ? 0.5 * std::log1p(-total) : 0;  // false for NaN
}

std::vector<Cut> cuts(const TiltedNodes& nodes) {
  const std::size_t n = nodes.loss.size();
  if (n == 0) return {};
  // The mass at and below a node, and the rest above it; then the other way round.
  const std::vector<Cut> up = cuts_from(nodes, [](std::size_t i) { return i; });
  const std::vector<Cut> down = cuts_from(nodes, [n](std::size_t i) { return n - 1 - i; });
  std::vector<Cut> both(up.size() + down.size());
  std::merge(up.begin(), up.end(), down.begin(), down.end(), both.begin(),
             [](const Cut& a, const Cut& b) { return a.mass < b.mass; });
  BestCuts best(both.size());
  for (const Cut& cut : both) best.add(cut.mass, cut.variation);
  std::vector<Cut> kept = std::move(best).all();
  kept.shrink_to_fit();  // a plan of many steps has many lines
  return kept;
}

double far_decay(const std::vector<Cut>& cuts, double y) {
  double least = 1;
  for (const Cut& cut : cuts) {
    const double bound = cut.mass + (1 + margin) * cut.variation / y;
    if (bound < least) least = bound;  // false for NaN
  }
  return std::log(least);
}

}  // namespace renyi::sampled_gaussian
