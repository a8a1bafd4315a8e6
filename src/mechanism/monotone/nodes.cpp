#include "mechanism/monotone/nodes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "numerics/rounding.h"

namespace renyi::monotone {

namespace nodes_file {
namespace {

using numerics::unit_roundoff;
using sampled_gaussian::TiltedMoments;

constexpr std::size_t most_nodes = 1 << 16;
// Beyond this the standard normal density and distribution function are negligible.
constexpr double farthest = 8.5;
// The number of roundings of a weight that do not depend on the sizes of its exponents.
constexpr double roundings = 24;

struct Place {
  double x = 0;
  double slope = 0;  // dx/dt
};

// The map from t, which has equal steps, to x. The whole line is scaled only. The half-line above x = zero is where
// t Phi(t) + phi(t) maps it to, whose derivative is the normal distribution function Phi: an entire function, so that
// the rule converges as fast as on the whole line although the integrand does not vanish at zero. Intervals are the
// image of Phi itself.
class Map {
 public:
  explicit Map(const MonotonePair& pair)
      : half_(pair.is_symmetric() && !pair.is_mirror_image()),
        bounded_(std::isfinite(pair.last())),
        begin_(half_      ? pair.zero()
               : bounded_ ? pair.first()
                          : pair.zero()),
        length_(bounded_ ? pair.last() - begin_ : pair.scale()) {}

  bool is_half() const { return half_; }

  Place at(double t) const {
    constexpr double per_root = 0.39894228040143267794;  // 1/sqrt(2 pi)
    if (!half_ && !bounded_) return {begin_ + length_ * t, length_};
    const double density = per_root * std::exp(-0.5 * t * t), below = 0.5 * std::erfc(-t / std::numbers::sqrt2);
    if (bounded_) return {begin_ + length_ * below, length_ * density};
    return {begin_ + length_ * std::max(0.0, t * below + density), length_ * below};
  }

  // The first and the last t that may have a place between the two given ones.
  double first(double x) const { return half_ || bounded_ ? -farthest : (x - begin_) / length_; }
  double last(double x) const { return bounded_ ? farthest : (x - begin_) / length_; }

 private:
  bool half_;
  bool bounded_;
  double begin_;
  double length_;
};

// The exponent of a tilted density and its error in units of 2^-53.
struct Exponent {
  double value = 0;
  double noise = 0;
};

Exponent exponent_of(const LossTilt& tilt, double log_density, double log_density_error, double loss,
                     double loss_error) {
  const double raised = tilt.c * loss;
  return {log_density + raised - tilt.log_mass,
          (log_density_error + tilt.c * loss_error + tilt.log_mass_error) / unit_roundoff + 2 * std::abs(log_density) +
              3 * std::abs(raised) + 2 * std::abs(tilt.log_mass) + roundings};
}

void add_moments(double weight, double noise, double loss, double loss_error, TiltedMoments& moments) {
  const double size = std::abs(loss), off = 2 * loss_error / unit_roundoff;
  moments.moment[0] += weight;
  moments.moment[1] += weight * size;
  moments.moment[2] += weight * size * size;
  moments.noise[0] += weight * noise;
  moments.noise[1] += weight * (size * noise + off);
  moments.noise[2] += weight * size * (size * noise + off);
}

// Calls visit(index, part, node, speed) for every node, in rising order of x; part 1 is the mirror image.
template <class Visit>
bool for_nodes(const CoveredPair& covered, const LossTilt& tilt, double step, TiltedMoments& moments,
               const Visit& visit) {
  const double weight = covered.part.weight;
  const MonotonePair* const pair = covered.part.pair.get();
  const Side side = covered.part.side;
  const std::vector<Panel>& panels = covered.where.panels;
  if (panels.empty()) return true;
  const Map map(*pair);
  const double low = std::ceil(map.first(panels.front().left) / step);
  const double high = std::floor(map.last(panels.back().right) / step);
  if (!(high - low < 32.0 * static_cast<double>(most_nodes))) return false;
  const bool both = map.is_half();
  const bool removes = both || tilt.direction == Direction::remove || pair->is_mirror_image();
  std::size_t count = 0;
  auto panel = panels.begin();
  for (auto j = static_cast<std::int64_t>(low); j <= static_cast<std::int64_t>(high); ++j) {
    const Place place = map.at(static_cast<double>(j) * step);
    while (panel != panels.end() && panel->right < place.x) ++panel;
    if (panel == panels.end()) break;
    if (place.x < panel->left) continue;
    if (++count > most_nodes) return false;
    const PairPoint point = pair->at(place.x);
    const double rise = point.slope(), scale = weight * step * place.slope;
    const auto put = [&](bool mirrored) {
      const double loss = mirrored ? -point.loss : point.loss;
      const Exponent e = mirrored ? exponent_of(tilt, point.log_q, point.log_q_error, loss, point.loss_error)
                                  : exponent_of(tilt, point.log_p, point.log_p_error, loss, point.loss_error);
      const double height = std::exp(e.value), mass = scale * height;
      add_moments(mass, e.noise, loss, point.loss_error, moments);
      visit(j, both && mirrored, LossNode{loss, mass, rise > 0 ? weight * height / rise : 0}, rise * place.slope);
    };
    if (removes && side != Side::falling) put(false);
    if ((both || !removes) && side != Side::rising) put(true);
  }
  return true;
}

// The two atoms of a pair whose loss is constant outside an interval.
template <class Visit>
void for_ends(const CoveredPair& covered, const LossTilt& tilt, TiltedMoments& moments, const Visit& visit) {
  const double weight = covered.part.weight;
  const MonotonePair* const pair = covered.part.pair.get();
  const Side side = covered.part.side;
  const auto put = [&](double x, double log_mass) {
    const double loss = pair->loss(x);
    const PairPoint point = pair->at(x);
    const auto one = [&](bool mirrored) {
      const double signed_loss = mirrored ? -loss : loss;
      const Exponent e = exponent_of(tilt, log_mass + (mirrored ? 0 : loss), 0, signed_loss, point.loss_error);
      const double mass = weight * std::exp(e.value);
      add_moments(mass, e.noise + point.loss_error / unit_roundoff, signed_loss, point.loss_error, moments);
      visit(LossNode{signed_loss, mass, 0});
    };
    const bool both = pair->is_symmetric();
    if (side != Side::falling && (both || tilt.direction == Direction::remove)) one(false);
    if (side != Side::rising && (both || tilt.direction == Direction::add)) one(true);
  };
  if (pair->has_atom_above()) put(pair->last(), pair->log_mass_above());
  if (pair->has_atom_below() && !pair->is_symmetric()) put(pair->first(), pair->log_mass_below());
}

// Appends nodes to a list so that the parity of each index is that of the node.
class Appender {
 public:
  explicit Appender(LossNodes& all) : all_(all) {}

  void add(std::int64_t j, const LossNode& node, double speed) {
    if (((all_.loss.size() ^ static_cast<std::size_t>(j)) & 1) != 0) push(0, 0, 0);
    push(node.loss, node.weight, speed);
    all_.largest = std::max(all_.largest, std::abs(node.loss));
    ++all_.nodes;
  }
  // An atom is no matter of the step: it belongs to both halves of the rule.
  void add_atom(const LossNode& node) {
    for (std::int64_t j = 0; j < 2; ++j) add(j, {node.loss, 0.5 * node.weight, 0}, 0);
  }

 private:
  void push(double loss, double weight, double speed) {
    all_.loss.push_back(loss);
    all_.weight.push_back(weight);
    all_.speed.push_back(speed);
  }

  LossNodes& all_;
};

}  // namespace
}  // namespace nodes_file

LossNodes loss_nodes(const std::vector<CoveredPair>& pairs, const LossTilt& tilt, double step) {
  LossNodes all;
  nodes_file::Appender list(all);
  for (const CoveredPair& pair : pairs) {
    // The two parts of a node would take the same parity in turns: the mirror images follow afterwards.
    struct Later {
      std::int64_t j;
      LossNode node;
      double speed;
    };
    std::vector<Later> mirrored;
    const bool listed = nodes_file::for_nodes(pair, tilt, step, all,
                                              [&](std::int64_t j, bool is_mirrored, const LossNode& n, double speed) {
                                                if (is_mirrored) {
                                                  mirrored.push_back({j, n, speed});
                                                } else {
                                                  list.add(j, n, speed);
                                                }
                                              });
    if (!listed || all.loss.size() > 4 * nodes_file::most_nodes) return {};
    for (const Later& each : mirrored) list.add(each.j, each.node, each.speed);
    nodes_file::for_ends(pair, tilt, all, [&](const LossNode& n) { list.add_atom(n); });
  }
  return all;
}

sampled_gaussian::TiltedNodes sorted_nodes(const CoveredPair& pair, const LossTilt& tilt, double step) {
  std::vector<LossNode> list;
  sampled_gaussian::TiltedNodes nodes;
  nodes_file::for_nodes(pair, tilt, step, nodes,
                        [&](std::int64_t, bool, const LossNode& n, double) { list.push_back(n); });
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.loss < b.loss; });
  for (const LossNode& n : list) {
    nodes.loss.push_back(n.loss);
    nodes.weight.push_back(n.weight);
    nodes.density.push_back(n.density);
  }
  return nodes;
}

std::vector<LossNode> atoms_of(const CoveredPair& pair, const LossTilt& tilt) {
  std::vector<LossNode> atoms;
  sampled_gaussian::TiltedMoments moments;
  nodes_file::for_ends(pair, tilt, moments, [&](const LossNode& n) { atoms.push_back(n); });
  return atoms;
}

}  // namespace renyi::monotone
