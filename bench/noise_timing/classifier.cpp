#include "bench/noise_timing/classifier.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "bench/noise_timing/ranks.h"

namespace bench {
namespace {

// Times in so many bins of about the same number of calls; equal times share one.
constexpr std::size_t bins = 64;
using Counts = std::array<std::array<double, bins>, 2>;

std::vector<std::uint8_t> bins_of(const std::vector<double>& times) {
  std::vector<double> sorted = times;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> ends;
  for (std::size_t i = 1; i < bins; ++i) {
    const double end = sorted[i * sorted.size() / bins];
    if (ends.empty() || end > ends.back()) ends.push_back(end);
  }
  std::vector<std::uint8_t> found(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    found[i] = static_cast<std::uint8_t>(std::upper_bound(ends.begin(), ends.end(), times[i]) - ends.begin());
  }
  return found;
}

// The area under the curve of the classifier that orders bins by how often the second class was in them, in calls with
// even numbers, among calls with odd numbers.
double trained_auc(const std::vector<std::uint8_t>& bin, const std::vector<std::uint8_t>& is_second) {
  Counts train{}, test{};
  for (std::size_t i = 0; i < bin.size(); ++i) {
    Counts& counts = i % 2 == 0 ? train : test;
    counts[is_second[i] != 0 ? 1 : 0][bin[i]] += 1;
  }
  std::array<double, 2> trained{1, 1}, tested{0, 0};
  for (std::size_t b = 0; b < bins; ++b) {
    for (std::size_t side = 0; side < 2; ++side) {
      trained[side] += train[side][b];
      tested[side] += test[side][b];
    }
  }
  std::array<std::pair<double, std::size_t>, bins> order;
  for (std::size_t b = 0; b < bins; ++b) {
    order[b] = {std::log((train[1][b] + 1) / trained[1]) - std::log((train[0][b] + 1) / trained[0]), b};
  }
  std::sort(order.begin(), order.end());
  double below = 0, area = 0;
  for (const auto& [score, b] : order) {
    area += test[1][b] * (below + test[0][b] / 2);
    below += test[0][b];
  }
  return tested[0] > 0 && tested[1] > 0 ? area / (tested[0] * tested[1]) : 0.5;
}

// The distance of the distribution functions over the bins alone, which is enough to compare assignments by.
double binned_distance(const std::vector<std::uint8_t>& bin, const std::vector<std::uint8_t>& is_second) {
  Counts counts{};
  std::array<double, 2> all{0, 0};
  for (std::size_t i = 0; i < bin.size(); ++i) {
    counts[is_second[i] != 0 ? 1 : 0][bin[i]] += 1;
    all[is_second[i] != 0 ? 1 : 0] += 1;
  }
  double first = 0, second = 0, distance = 0;
  for (std::size_t b = 0; b < bins; ++b) {
    first += counts[0][b] / all[0];
    second += counts[1][b] / all[1];
    distance = std::max(distance, std::abs(first - second));
  }
  return distance;
}

}  // namespace

Distinction distinguish(const ClassedCalls& calls, std::size_t permutations, std::mt19937_64& random) {
  const TwoSamples samples = two_samples(calls.time, {calls.is_second.begin(), calls.is_second.end()});
  const std::vector<std::uint8_t> bin = bins_of(calls.time);
  Distinction found;
  found.auc = trained_auc(bin, calls.is_second);
  found.distance = samples.kolmogorov_smirnov;
  found.distance_p = samples.kolmogorov_smirnov_p;
  found.rank_correlation = rank_correlation({calls.is_second.begin(), calls.is_second.end()}, calls.time);
  std::vector<std::uint8_t> classes = calls.is_second;
  double squares = 0;
  for (std::size_t i = 0; i < permutations; ++i) {
    std::shuffle(classes.begin(), classes.end(), random);
    const double auc = trained_auc(bin, classes);
    squares += (auc - 0.5) * (auc - 0.5);
    found.largest_random_auc = std::max(found.largest_random_auc, auc);
    found.largest_random_distance = std::max(found.largest_random_distance, binned_distance(bin, classes));
  }
  const double deviation = std::sqrt(squares / static_cast<double>(permutations));
  if (deviation > 0) {
    found.auc_deviations = (found.auc - 0.5) / deviation;
    found.auc_p = 0.5 * std::erfc(found.auc_deviations / std::numbers::sqrt2);
  }
  return found;
}

}  // namespace bench
