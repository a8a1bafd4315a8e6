#include "mechanism/sampled_gaussian/decay.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "mechanism/sampled_gaussian/windows.h"

namespace renyi::sampled_gaussian {

namespace {

using std::numbers::pi;

// Bounds are taken from sums over nodes; this much of each is given away for that.
constexpr double margin = 0.05;
constexpr int enough_nodes = 6;  // in a bucket
constexpr double most_nodes = 1 << 16;
// Standard deviations on either side of the peaks.
constexpr double reach = 12;

// Mass, mean and spread of the tilted loss within one bucket, about the bucket's first node.
struct Bucket {
  double origin = 0;
  double mass = 0, first = 0, second = 0;
  int nodes = 0;

  void add(double weight, double loss) {
    const double off = loss - origin;
    ++nodes;
    mass += weight;
    first += weight * off;
    second += weight * off * off;
  }
  // E[(L-L')^2; both in the bucket]
  double spread() const { return std::max(0.0, 2 * (mass * second - first * first)); }
};

struct Range {
  long first, last;
};

Range nodes_of(const Lattice& lattice, double c, Direction direction) {
  const Params& k = lattice.params();
  const Peaks peaks = direction == Direction::remove ? peaks_above_one(k, c + 1) : peaks_below_zero(k, c);
  const double low = std::min(peaks.left, 0.0), high = std::max({1.0, peaks.right, peaks.upper.value_or(0)});
  return {std::lround((low - reach * k.s) / lattice.step()), std::lround((high + reach * k.s) / lattice.step())};
}

// What the two bounds need, summed over the nodes from left to right: the loss rises
// with x. Everything is in units of exp(scale), and only ratios count in the end.
class Summation {
 public:
  Summation(double bucket_width, double first_exponent) : width_(bucket_width), scale_(first_exponent) {}

  // A node of weight exp(exponent), its loss, and what turns the weight into p_c/l'.
  void add(double exponent, double loss, double to_ratio) {
    if (exponent > scale_ + 300) rescale(exponent);
    const double weight = std::exp(exponent - scale_), ratio = weight * to_ratio;
    if (bucket_.mass == 0 || loss - bucket_.origin > width_) close_bucket(loss);
    bucket_.add(weight, loss);
    mass_ += weight;
    variation_ += std::abs(ratio - ratio_);
    ratio_ = ratio;
  }

  DecaySums result() {
    close_bucket(0);
    return {spread_ / mass_ / mass_, (variation_ + ratio_) / mass_, resolved_mass_ > 0.9 * mass_};
  }

 private:
  void close_bucket(double loss) {
    spread_ += bucket_.spread();
    if (bucket_.nodes >= enough_nodes) resolved_mass_ += bucket_.mass;
    bucket_ = {.origin = loss};
  }

  void rescale(double exponent) {
    const double down = std::exp(scale_ - exponent);
    for (double* sum :
         {&mass_, &variation_, &ratio_, &resolved_mass_, &bucket_.mass, &bucket_.first, &bucket_.second}) {
      *sum *= down;
    }
    spread_ *= down * down;
    scale_ = exponent;
  }

  double width_;
  double scale_;
  Bucket bucket_;
  double mass_ = 0, spread_ = 0, variation_ = 0, resolved_mass_ = 0;
  double ratio_ = 0;  // p_c/l' at the node before
};

}  // namespace

DecaySums decay_sums(const Lattice& lattice, double c, double y, Direction direction) {
  const Params& k = lattice.params();
  const Range range = nodes_of(lattice, c, direction);
  if (static_cast<double>(range.last - range.first) > most_nodes) {
    return {.variation = std::numeric_limits<double>::infinity()};
  }
  const double power = direction == Direction::remove ? c + 1 : -c;
  Chunk scratch;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the lattice before it is read
  Summation sums(pi / (2 * y), -std::numeric_limits<double>::max());
  for (long j = range.first; j <= range.last; ++j) {
    const Chunk& chunk = lattice.chunk(j >> Chunk::log2_size, scratch);
    const auto i = static_cast<std::size_t>(j & (Chunk::size - 1));
    // l' = m(x)/s^2 with m the membership of x in N(1, s^2).
    const double slope = k.membership(chunk.x[i]) * 2 * k.inv_2s2;
    // Weights hold the step; the density does not.
    sums.add(chunk.log_q[i] + power * chunk.loss[i], chunk.loss[i], 1 / (slope * lattice.step()));
  }
  return sums.result();
}

// A sum that overflowed bounds nothing: comparisons with NaN are false.
double near_decay(const DecaySums& sums, double y) {
  const double lost = (1 - margin) * 2 * y * y / (pi * pi) * sums.spread;
  return lost > 0 && lost < 1 ? 0.5 * std::log1p(-lost) : 0;
}

double far_decay(const DecaySums& sums, double y) {
  const double log_bound = std::log((1 + margin) * sums.variation / y);
  return log_bound < 0 ? log_bound : 0;
}

}  // namespace renyi::sampled_gaussian
