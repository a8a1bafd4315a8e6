// Bounds the characteristic function of the tilted loss of a Sampled Gaussian (docs/math/privacy-loss.md, "Decay").
#include "mechanism/sampled_gaussian/line_decay.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <utility>

namespace renyi::sampled_gaussian {

using std::numbers::pi;

namespace line_decay_file {
namespace {

// Bounds are computed from sums over nodes; they are weakened by this share to allow for that.
constexpr double margin = 0.05;
constexpr double margin_of_mass = 1e-9;
constexpr std::size_t enough_nodes = 6;  // number of nodes in a bucket from which on they are summed
// A cut is kept only if its variation is below this multiple of that of every cut with less mass.
constexpr double better = 0.98;

// Returns a lower bound on E[1 - cos(v(L-L')); L, L' in J] for every v in the zone, |v(L-L')| <= pi: from 1 - cos u >=
// 2 u^2/pi^2, and from 1 - cos u >= u^2/2 - u^4/24, which is concave in v^2 and so least at an endpoint. Moments about
// any point but the mean of J would make E[(L-L')^2; J] a difference of large numbers: a rare loss of -1/2 next to a
// common one of 1e-11 would hide a variance of 1e-18.
double lost(const CentralMoments& about_mean, const Zone& zone) {
  const auto& m = about_mean.m;
  const double second = 2 * (m[0] * m[2] - m[1] * m[1]);                        // E[(L-L')^2; J]
  const double fourth = 2 * (m[0] * m[4] - 4 * m[1] * m[3] + 3 * m[2] * m[2]);  // E[(L-L')^4; J]
  const auto series = [&](double v2) { return 0.5 * v2 * second - v2 * v2 * fourth / 24; };
  const double wide = 2 * zone.first * zone.first / (pi * pi) * second;
  return std::max({0.0, wide, std::min(series(zone.first * zone.first), series(zone.last * zone.last))});
}

// Returns the first atom past `begin` that lies further than `width` from it. The search is fast for buckets that are
// short or very long.
std::size_t bucket_end(const std::vector<double>& loss, std::size_t begin, double width) {
  const double last = loss[begin] + width;
  std::size_t end = begin + 1;
  for (const std::size_t near = std::min(begin + 2 * enough_nodes, loss.size()); end < near; ++end) {
    if (loss[end] > last) return end;
  }
  return static_cast<std::size_t>(std::upper_bound(loss.begin() + static_cast<std::ptrdiff_t>(end), loss.end(), last) -
                                  loss.begin());
}

// Collects cuts in rising order of mass, and keeps only those that vary less than all before.
class BestCuts {
 public:
  explicit BestCuts(std::size_t most) { best_.reserve(most); }

  void add(double mass, double variation) {
    if (!(variation < least_)) return;  // NaN and infinity are rejected, too
    best_.push_back({mass, variation});
    least_ = better * variation;
  }
  std::vector<Cut> all() && { return std::move(best_); }

 private:
  std::vector<Cut> best_{};
  double least_ = std::numeric_limits<double>::infinity();
};

// Returns the variation of the density at and past each node, in the order of `at`.
template <class At>
std::vector<double> variation_past(const TiltedNodes& nodes, const At& at) {
  const std::size_t n = nodes.loss.size();
  std::vector<double> rest(n);
  double variation = nodes.density[at(n - 1)];
  for (std::size_t i = n; i-- > 0;) {
    rest[i] = variation;
    if (i > 0) variation += std::abs(nodes.density[at(i)] - nodes.density[at(i - 1)]);
  }
  return rest;
}

// Returns the cuts whose first part consists of nodes in the order of `at`, from one end to the other: its mass, and
// the variation of the remainder.
template <class At>
std::vector<Cut> cuts_from(const TiltedNodes& nodes, const At& at) {
  const std::size_t n = nodes.loss.size();
  const std::vector<double> rest = variation_past(nodes, at);
  BestCuts best(n + 1);
  best.add(0, rest[0] + nodes.density[at(0)]);
  double mass = 0;
  for (std::size_t i = 0; i < n; ++i) {
    mass += nodes.weight[at(i)];
    best.add(mass * (1 + margin_of_mass), rest[i] + nodes.density[at(i)]);
  }
  return std::move(best).all();
}

}  // namespace
}  // namespace line_decay_file

double near_decay(const TiltedNodes& nodes, const Zone& zone) {
  const double width = pi / zone.last;
  // Where a bucket contains few nodes the density is nearly constant across it, p say, and
  // E[(L-L')^2; L, L' in J] = p^2 width^4/6.
  const double flat = 2 * zone.first * zone.first / (pi * pi) * width * width * width / 6;
  const std::size_t n = nodes.loss.size();
  double total = 0;
  for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
    end = line_decay_file::bucket_end(nodes.loss, begin, width);
    if (end - begin >= line_decay_file::enough_nodes) {
      total += line_decay_file::lost(central_moments(&nodes.loss[begin], &nodes.weight[begin], end - begin), zone);
      continue;
    }
    double as_flat = 0;
    for (std::size_t i = begin; i < end; ++i) as_flat += nodes.weight[i] * nodes.density[i];
    total += as_flat * flat;
  }
  total *= 1 - line_decay_file::margin;
  return total > 0 && total < 1 ? 0.5 * std::log1p(-total) : 0;  // false for NaN
}

std::vector<Cut> cuts(const TiltedNodes& nodes) {
  const std::size_t n = nodes.loss.size();
  if (n == 0) return {};
  // First the part with the given mass is at and below a node; then it is at and above the node.
  const std::vector<Cut> up = line_decay_file::cuts_from(nodes, [](std::size_t i) { return i; });
  const std::vector<Cut> down = line_decay_file::cuts_from(nodes, [n](std::size_t i) { return n - 1 - i; });
  std::vector<Cut> both(up.size() + down.size());
  std::merge(up.begin(), up.end(), down.begin(), down.end(), both.begin(),
             [](const Cut& a, const Cut& b) { return a.mass < b.mass; });
  line_decay_file::BestCuts best(both.size());
  for (const Cut& cut : both) best.add(cut.mass, cut.variation);
  std::vector<Cut> kept = std::move(best).all();
  kept.shrink_to_fit();  // a plan of many steps has many lines
  return kept;
}

double far_decay(const std::vector<Cut>& cuts, double y) {
  double least = 1;
  for (const Cut& cut : cuts) {
    const double bound = cut.mass + (1 + line_decay_file::margin) * cut.variation / y;
    if (bound < least) least = bound;  // false for NaN
  }
  return std::log(least);
}

namespace line_decay_file {
namespace {

// From one atom to the next, phases may turn by this much, and weights change by this factor, for a sum to end there.
constexpr double most_turned = 2, most_change = 3;
// Sums are not more accurate than this.
constexpr double rounding_of_sums = 1e-13;

// Sums over the near part up to some atom.
struct NearPart {
  std::complex<double> at_first, at_last;  // the characteristic function at both ends of the zone
  double moment[3] = {0, 0, 0};

  // Returns the largest |phi| of the near part in a zone of this width: with D = L - L' the second derivative of
  // |phi|^2 = E cos(v D) is at most E D^2, so that |phi|^2 exceeds its chord by at most E D^2 width^2/8.
  double largest(double width) const {
    const double spread =
        2 * (moment[0] * moment[2] - moment[1] * moment[1]) + rounding_of_sums * moment[0] * moment[2];
    return std::sqrt(std::max(std::norm(at_first), std::norm(at_last)) + spread * width * width / 8);
  }

  void add(double weight, double distance, const Zone& zone) {
    at_first += std::polar(weight, zone.first * distance);
    at_last += std::polar(weight, zone.last * distance);
    moment[0] += weight;
    moment[1] += weight * distance;
    moment[2] += weight * distance * distance;
  }
};

}  // namespace
}  // namespace line_decay_file

SplitLoss::SplitLoss(const TiltedNodes& nodes, Direction direction) {
  const std::size_t n = nodes.loss.size();
  if (n == 0) return;
  const auto at = [&](std::size_t i) { return direction == Direction::remove ? i : n - 1 - i; };
  const double bulk = nodes.loss[at(0)];
  distance_.resize(n), weight_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    distance_[i] = std::abs(nodes.loss[at(i)] - bulk);
    weight_[i] = nodes.weight[at(i)];
  }
  far_ = line_decay_file::variation_past(nodes, at);
  for (std::size_t i = 0; i < n; ++i) far_[i] += nodes.density[at(i)];
}

// The near part ends at an atom, which belongs to it by half: by the formula of Euler and Maclaurin the sum is off by
// about a twelfth of the change from atom to atom. Half of the atom's weight is allowed for that.
double SplitLoss::decay(const Zone& zone) const {
  const std::size_t n = weight_.size();
  const double width = zone.last - zone.first;
  line_decay_file::NearPart near;
  double least = 1;
  for (std::size_t i = 0; i < n; ++i) {
    near.add(0.5 * weight_[i], distance_[i], zone);
    const bool is_last = i + 1 == n;
    if (!is_last && !(zone.last * (distance_[i + 1] - distance_[i]) < line_decay_file::most_turned)) break;
    const double next = is_last ? 0 : weight_[i + 1], change = line_decay_file::most_change;
    if (is_last || (next < change * weight_[i] && weight_[i] < change * next)) {
      const double bound = near.largest(width) + 0.5 * std::max(weight_[i], next) +
                           (1 + line_decay_file::margin) * far_[i] / zone.first + line_decay_file::rounding_of_sums;
      if (bound < least) least = bound;  // false for NaN
    }
    near.add(0.5 * weight_[i], distance_[i], zone);
  }
  return std::log(least);
}

}  // namespace renyi::sampled_gaussian
