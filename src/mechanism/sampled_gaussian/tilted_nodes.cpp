#include "mechanism/sampled_gaussian/tilted_nodes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "mechanism/sampled_gaussian/exponent.h"

namespace renyi::sampled_gaussian {

namespace {

using std::numbers::pi;

constexpr std::size_t most_nodes = 1 << 16;
// Past the peaks, atoms with less than this share of the mass and of E[L^2] end the sum.
constexpr double negligible = 1e-18;
constexpr double missing_mass = 1e-10;
// Bounds are taken from sums over nodes; this much of each is given away for that.
constexpr double margin = 0.05;
constexpr double margin_of_mass = 1e-9;
constexpr int enough_nodes = 6;  // in a bucket, to sum over them

// Whether it counts.
template <Direction direction>
bool add_node(const Lattice& lattice, const Order& order, double log_mass, const Chunk& c, std::size_t i,
              TiltedNodes& nodes) {
  const Params& k = lattice.params();
  const Exponent e = exponent<direction>(order, k, c, i);
  const double weight = std::exp(e.value + order.shift - log_mass);
  const double loss = direction == Direction::remove ? c.loss[i] : -c.loss[i];
  // l' = m(x)/s^2 with m the membership of x in N(1, s^2).
  const double slope = k.membership(c.x[i]) * 2 * k.inv_2s2;
  nodes.loss.push_back(loss);
  nodes.weight.push_back(weight);
  nodes.density.push_back(weight / (slope * lattice.step()));
  const double noise = e.noise + c.noise[i] + 16;
  double power = weight;
  for (std::size_t m = 0; m < 3; ++m, power *= std::abs(loss)) {
    nodes.moment[m] += power;
    nodes.noise[m] += power * noise;
  }
  return weight > negligible || weight * loss * loss > negligible * nodes.moment[2];
}

void reverse(TiltedNodes& nodes) {
  for (auto* column : {&nodes.loss, &nodes.weight, &nodes.density}) std::reverse(column->begin(), column->end());
}

// From `j` in steps of `way` until, past `settled`, atoms are negligible.
template <Direction direction>
void march(const Lattice& lattice, const Order& order, double log_mass, long j, long way, long settled,
           TiltedNodes& nodes) {
  Chunk scratch;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the lattice before it is read
  const Chunk* chunk = nullptr;
  long held = std::numeric_limits<long>::min();
  for (; nodes.loss.size() <= most_nodes; j += way) {
    if (const long c = j >> Chunk::log2_size; c != held) {
      chunk = &lattice.chunk(c, scratch);
      held = c;
    }
    const auto i = static_cast<std::size_t>(j & (Chunk::size - 1));
    if (!add_node<direction>(lattice, order, log_mass, *chunk, i, nodes) && way * (j - settled) > 0) return;
  }
}

template <Direction direction>
TiltedNodes all_nodes(const Lattice& lattice, double c, double log_mass) {
  const Peaks peaks = peaks_of(lattice.params(), c, direction);
  const Order order = make_order(lattice, c, direction, peaks);
  const auto index = [&](double x) { return std::lround(x / lattice.step()); };
  const double s = lattice.params().s;
  const long left = index(std::min(peaks.left, 0.0));
  const long top = index(std::max({1.0, peaks.right, peaks.upper.value_or(0)}));
  TiltedNodes nodes;
  march<direction>(lattice, order, log_mass, left, -1, index(std::min(peaks.left, 0.0) - 2 * s), nodes);
  reverse(nodes);
  march<direction>(lattice, order, log_mass, left + 1, 1, top + index(2 * s), nodes);
  // Their mass is known: a window that missed some of it must not pass for the whole.
  if (nodes.loss.size() > most_nodes || !(std::abs(nodes.moment[0] - 1) < missing_mass)) return {};
  if (direction == Direction::add) reverse(nodes);  // the loss falls with x
  return nodes;
}

// Moments of the atoms in one bucket J about their mean, or nearly so. About any other point E[(L-L')^2; J] would
// be a difference of large numbers: a rare loss of -1/2 beside a common one of 1e-11 would hide a variance of 1e-18.
struct Bucket {
  double m[5] = {0, 0, 0, 0, 0};

  Bucket(const TiltedNodes& nodes, std::size_t begin, std::size_t end) {
    double mass = 0, sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      mass += nodes.weight[i];
      sum += nodes.weight[i] * nodes.loss[i];
    }
    const double mean = mass > 0 ? sum / mass : nodes.loss[begin];
    for (std::size_t i = begin; i < end; ++i) add(nodes.loss[i] - mean, nodes.weight[i]);
  }

  void add(double off, double weight) {
    for (double& moment : m) {
      moment += weight;
      weight *= off;
    }
  }

  // At most E[1 - cos(v(L-L')); L, L' in J] for every v in [y, 2y], |v(L-L')| <= pi: from 1 - cos u >= 2 u^2/pi^2, and
  // from 1 - cos u >= u^2/2 - u^4/24, which is concave in v^2 and so least at an end.
  double lost(double y) const {
    const double second = 2 * (m[0] * m[2] - m[1] * m[1]);                        // E[(L-L')^2; J]
    const double fourth = 2 * (m[0] * m[4] - 4 * m[1] * m[3] + 3 * m[2] * m[2]);  // E[(L-L')^4; J]
    const auto series = [&](double v2) { return 0.5 * v2 * second - v2 * v2 * fourth / 24; };
    const double wide = 2 * y * y / (pi * pi) * second;
    return std::max({0.0, wide, std::min(series(y * y), series(4 * y * y))});
  }
};

}  // namespace

TiltedNodes tilted_nodes(const Lattice& lattice, double c, Direction direction, double log_mass) {
  return direction == Direction::remove ? all_nodes<Direction::remove>(lattice, c, log_mass)
                                        : all_nodes<Direction::add>(lattice, c, log_mass);
}

double near_decay(const TiltedNodes& nodes, double y) {
  const double width = pi / (2 * y);
  // Where a bucket holds few nodes the density is flat across it, p say, and
  // E[(L-L')^2; L, L' in J] = p^2 width^4/6.
  const double flat = 2 * y * y / (pi * pi) * width * width * width / 6;
  double lost = 0;
  for (std::size_t i = 0; i < nodes.loss.size();) {
    const std::size_t begin = i;
    double as_flat = 0;
    for (; i < nodes.loss.size() && nodes.loss[i] - nodes.loss[begin] <= width; ++i) {
      as_flat += nodes.weight[i] * nodes.density[i];
    }
    lost += i - begin >= enough_nodes ? Bucket(nodes, begin, i).lost(y) : as_flat * flat;
  }
  lost *= 1 - margin;
  return lost > 0 && lost < 1 ? 0.5 * std::log1p(-lost) : 0;  // false for NaN
}

std::vector<Cut> cuts(const TiltedNodes& nodes) {
  const std::size_t n = nodes.loss.size();
  if (n == 0) return {};
  std::vector<Cut> all;
  const auto add = [&](double mass, double variation) {
    if (std::isfinite(variation)) all.push_back({mass * (1 + margin_of_mass), variation});
  };
  // The mass at and below a node, and the rest above it; then the other way round.
  std::vector<double> mass(n);
  std::partial_sum(nodes.weight.begin(), nodes.weight.end(), mass.begin());
  double variation = nodes.density.back();
  for (std::size_t i = n; i-- > 0;) {
    add(mass[i], variation + nodes.density[i]);
    variation += std::abs(nodes.density[i] - (i > 0 ? nodes.density[i - 1] : 0));
  }
  add(0, variation);
  variation = nodes.density.front();
  for (std::size_t i = 0; i + 1 < n; ++i) {
    add(mass.back() - (i > 0 ? mass[i - 1] : 0), variation + nodes.density[i]);
    variation += std::abs(nodes.density[i + 1] - nodes.density[i]);
  }
  // In rising order of mass only those that vary less than all before.
  std::sort(all.begin(), all.end(), [](const Cut& a, const Cut& b) { return a.mass < b.mass; });
  std::vector<Cut> best;
  for (const Cut& cut : all) {
    if (best.empty() || cut.variation < 0.98 * best.back().variation) best.push_back(cut);
  }
  return best;
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
