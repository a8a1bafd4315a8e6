#include "mechanism/clones/balance.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mechanism/clones/binomial_cells.h"

namespace renyi::mechanism {

namespace balance_file {
namespace {

// Where probabilities fall below exp(-this), what remains is put where it costs most.
constexpr long double negligible = 11000;
// Counts of clones within this many standard deviations are put into bins of equal width, this fraction of a standard
// deviation; further out the bins become wider. Likewise for the points of the balance.
constexpr long double central = 6;
constexpr long double most_bins_per_deviation = 24;
constexpr long double least_bins_per_deviation = 2;
constexpr long double enough_bins = 5e4L;  // times the relative deviation: the bins then add 1e-5 to the variance
constexpr long double wider_bins = 1.15L;
constexpr long double points_per_deviation = 40;
constexpr long double wider_points = 1.04L;
// Up to this many balances are kept as they are.
constexpr double most_listed = 2000;
// Relative error of the masses, beyond what they contain: the logarithms of binomial probabilities for up to 1e12
// people err by at most 1e-11, the positions by less than that (docs/math/shuffle-model.md, "Rounding").
constexpr long double slack = 1e-10L;
// Steps of the recurrence b(k+1) = b(k) (1 + rise) that are cheaper than one evaluation.
constexpr long double short_way = 24;

// Several numbers of messages that count as the least of them.
struct Bin {
  long double messages = 1;
  long double probability = 0;  // an upper bound
};

// The widths of bins, from the middle outwards.
class Widths {
 public:
  Widths(long double trials, long double middle, long double deviation)
      : middle_(middle),
        range_(trials <= few_trials ? trials : central * deviation),
        width_(std::max(1.0L, std::floor(deviation / bins_per_deviation(deviation / (middle + 1))))) {}

  long double at(long double count) {
    if (std::abs(count - middle_) > range_) width_ *= wider_bins;
    return std::floor(width_);
  }

 private:
  static constexpr long double few_trials = 200;
  static long double bins_per_deviation(long double relative) {
    return std::clamp(enough_bins * relative, least_bins_per_deviation, most_bins_per_deviation);
  }

  long double middle_;
  long double range_;
  long double width_;
};

// Returns an upper bound of the probability of lo to hi clones. Short cells keep it close.
long double probability(const BinomialCells& clones, long double lo, long double hi) {
  constexpr long double cells = 16;
  const long double width = std::max(1.0L, std::ceil((hi - lo + 1) / cells));
  long double sum = 0;
  for (; lo <= hi; lo += width) sum += clones.cell(lo, std::min(hi, lo + width - 1)).total;
  return sum;
}

// Fewer clones hide less: the bin from lo to hi counts as lo + 1 messages, and what is left below as one message.
std::vector<Bin> bins_of(long double others, long double p) {
  const BinomialCells clones(others, p);
  const long double middle = std::floor(others * p), deviation = std::sqrt(others * p * (1 - p));
  const auto is_negligible = [&](long double count) { return clones.log_mass(count) < -negligible; };
  std::vector<Bin> bins;
  Widths up(others, middle, deviation), down(others, middle, deviation);
  for (long double lo = middle; lo <= others;) {
    if (lo > middle && is_negligible(lo)) {
      bins.push_back({lo + 1, clones.tail_above(lo)});
      break;
    }
    const long double hi = std::min(others, lo + up.at(lo) - 1);
    bins.push_back({lo + 1, probability(clones, lo, hi)});
    lo = hi + 1;
  }
  for (long double hi = middle - 1; hi >= 0;) {
    if (is_negligible(hi)) {
      bins.push_back({1, clones.tail_below(hi)});
      break;
    }
    const long double lo = std::max(0.0L, hi - down.at(hi) + 1);
    bins.push_back({lo + 1, probability(clones, lo, hi)});
    hi = lo - 1;
  }
  return bins;
}

long double balance(long double a, long double messages) { return (2 * a - messages) / messages; }

// Points from 0 to 1, close where most balances are.
std::vector<long double> points_for(long double messages) {
  const long double deviation = 1 / std::sqrt(messages);
  std::vector<long double> points{0};
  for (long double step = deviation / points_per_deviation; points.back() + step < 1;) {
    points.push_back(points.back() + step);
    if (points.back() > central * deviation) step *= wider_points;
  }
  points.push_back(1);
  return points;
}

// Returns every balance that some bin has, if they are few; otherwise nothing.
std::vector<long double> listed_points(const std::vector<Bin>& bins) {
  long double count = 0;
  for (const Bin& bin : bins) count += bin.messages / 2;
  if (count > most_listed) return {};
  std::vector<long double> points{0, 1};
  for (const Bin& bin : bins) {
    for (long double a = std::floor(bin.messages / 2) + 1; a <= bin.messages; ++a) {
      points.push_back(balance(a, bin.messages));
    }
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

// Masses at points from 0 to 1, to which balances between the points are moved: each to its two neighbours so that the
// mean stays, which raises every convex function's mean.
class Masses {
 public:
  explicit Masses(std::vector<long double> points);

  // Adds the balances above 0 of this many messages, each with an upper bound of its probability.
  void add(const Bin& bin);
  [[nodiscard]] BalanceLaw law() const;

 private:
  // Adds sums over a cell of counts that lies between points k and k + 1; `scale` is 1/messages.
  void spread(std::size_t k, const CellSum& cell, const Bin& bin, long double scale);

  std::vector<long double> points_;
  std::vector<long double> shares_{};  // 1/(gap between a point and the next)
  std::vector<long double> masses_;
};

// The last point takes more than all products that underflow.
Masses::Masses(std::vector<long double> points) : points_(std::move(points)), masses_(points_.size(), 0) {
  for (std::size_t k = 0; k + 1 < points_.size(); ++k) shares_.push_back(1 / (points_[k + 1] - points_[k]));
  masses_.back() = std::exp(-negligible);
}

void Masses::spread(std::size_t k, const CellSum& cell, const Bin& bin, long double scale) {
  const long double share = bin.probability * shares_[k], tilt = 2 * cell.first * scale;
  const long double at = (2 * cell.centre - bin.messages) * scale;
  masses_[k] += share * std::max(0.0L, cell.total * (points_[k + 1] - at) - tilt);
  masses_[k + 1] += share * std::max(0.0L, cell.total * (at - points_[k]) + tilt);
}

void Masses::add(const Bin& bin) {
  const long double m = bin.messages, scale = 1 / m, least = std::exp(-negligible);
  const BinomialCells coins(m, 0.5L);
  long double a = std::floor(m / 2) + 1, mass = coins.mass(a);
  for (std::size_t k = 0; a <= m;) {
    if (mass < least) {
      masses_.back() += bin.probability * coins.tail_above(a);
      return;
    }
    while (k + 2 < points_.size() && points_[k + 1] * m < 2 * a - m) ++k;
    const long double twice_last = std::min(2 * m, m + points_[k + 1] * m);
    if (twice_last < 2 * (a + short_way)) {
      CellSum sum{a, 0, 0};
      do {
        sum.total += mass;
        sum.first += mass * (a - sum.centre);
        mass *= (m - a) / (a + 1);
        ++a;
      } while (2 * a <= twice_last);
      spread(k, sum, bin, scale);
      continue;
    }
    const long double last = std::floor(twice_last / 2);
    spread(k, coins.cell(a, last), bin, scale);
    a = last + 1;
    if (a <= m) mass = coins.mass(a);
  }
}

// Nothing is more revealing than a balance of 1 or -1: it serves where rounding leaves no room at 0.
BalanceLaw Masses::law() const {
  BalanceLaw law;
  long double above = 0;
  for (std::size_t k = 1; k < points_.size(); ++k) {
    if (masses_[k] == 0) continue;
    const long double mass = masses_[k] * (1 + slack);
    above += mass;
    law.above.push_back({static_cast<double>(points_[k]), static_cast<double>(std::log(mass))});
  }
  if (2 * above > 1) return {0, {{1, std::log(0.5)}}};
  law.at_zero = static_cast<double>(1 - 2 * above);
  return law;
}

}  // namespace
}  // namespace balance_file

BalanceLaw balance_of_clones(double people, long double clone_probability) {
  using namespace balance_file;
  const long double others = static_cast<long double>(people) - 1;
  const std::vector<Bin> bins = bins_of(others, clone_probability);
  auto points = listed_points(bins);
  if (points.empty()) points = points_for(std::floor(others * clone_probability) + 1);
  Masses masses(std::move(points));
  for (const Bin& bin : bins) masses.add(bin);
  return masses.law();
}

}  // namespace renyi::mechanism
