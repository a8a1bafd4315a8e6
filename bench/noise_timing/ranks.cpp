#include "bench/noise_timing/ranks.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace bench {
namespace {

// The numbers of the values, the least first.
std::vector<std::size_t> order_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return order;
}

// Calls group(begin, end) for each run of equal values.
template <class Group>
void for_equal(const std::vector<double>& values, const std::vector<std::size_t>& order, const Group& group) {
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    group(begin, end);
  }
}

std::vector<double> ranks_of(const std::vector<double>& values, const std::vector<std::size_t>& order) {
  std::vector<double> ranks(values.size());
  for_equal(values, order, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = 0.5 * static_cast<double>(begin + end + 1);
  });
  return ranks;
}

// P(sup |B| > t) for a Brownian bridge B.
double beyond_bridge(double t) {
  if (t < 0.2) return 1;
  double sum = 0, sign = 1;
  for (int k = 1; k <= 100; ++k, sign = -sign) sum += sign * std::exp(-2.0 * k * k * t * t);
  return std::clamp(2 * sum, 0.0, 1.0);
}

}  // namespace

double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> x = ranks_of(a, order_of(a)), y = ranks_of(b, order_of(b));
  const double mean = 0.5 * static_cast<double>(a.size() + 1);
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

double quantile(std::vector<double> values, double level) {
  if (values.empty()) return 0;
  const auto index = std::min(values.size() - 1, static_cast<std::size_t>(level * static_cast<double>(values.size())));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(index), values.end());
  return values[index];
}

TwoSamples two_samples(const std::vector<double>& values, const std::vector<bool>& is_chosen) {
  TwoSamples found;
  found.chosen = static_cast<std::size_t>(std::count(is_chosen.begin(), is_chosen.end(), true));
  found.others = values.size() - found.chosen;
  if (found.chosen == 0 || found.others == 0) return found;
  const auto m = static_cast<double>(found.chosen), n = static_cast<double>(found.others), all = m + n;

  const std::vector<std::size_t> order = order_of(values);
  double rank_sum = 0, ties = 0, seen_chosen = 0, seen_others = 0, distance = 0;
  for_equal(values, order, [&](std::size_t begin, std::size_t end) {
    const double rank = 0.5 * static_cast<double>(begin + end + 1), equal = static_cast<double>(end - begin);
    for (std::size_t i = begin; i < end; ++i) {
      const bool chosen = is_chosen[order[i]];
      rank_sum += chosen ? rank : 0;
      (chosen ? seen_chosen : seen_others) += 1;
    }
    ties += equal * (equal * equal - 1);
    distance = std::max(distance, std::abs(seen_chosen / m - seen_others / n));
  });
  const double above = rank_sum - m * (m + 1) / 2;
  const double variance = m * n / 12 * ((all + 1) - ties / (all * (all - 1)));
  found.superiority = above / (m * n);
  if (variance > 0)
    found.mann_whitney_p = std::erfc(std::abs(above - m * n / 2) / std::sqrt(variance) / std::numbers::sqrt2);
  const double root = std::sqrt(m * n / all);
  found.kolmogorov_smirnov = distance;
  found.kolmogorov_smirnov_p = beyond_bridge((root + 0.12 + 0.11 / root) * distance);

  std::vector<double> chosen, others;
  for (std::size_t i = 0; i < values.size(); ++i) (is_chosen[i] ? chosen : others).push_back(values[i]);
  found.median_difference = quantile(std::move(chosen), 0.5) - quantile(std::move(others), 0.5);
  return found;
}

}  // namespace bench
