// Histograms of integers against exact probabilities: bins, and the uniformity of p-values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <span>
#include <vector>

#include "support/chi_square.h"

namespace renyi::test {

// P(N < n) for an integer variable N.
using Below = std::function<double(std::int64_t)>;

// Bins of consecutive integers, the first and the last without an end.
class Bins {
 public:
  // Each integer around `middle` is a bin where the law is narrow; otherwise 50 bins have about the same mass.
  // `scale` says how far the law extends. The bins at the ends have at least the mass `least`.
  Bins(const Below& below, double middle, double scale, double least) {
    if (scale < 20) {
      const auto around = static_cast<std::int64_t>(middle), reach = static_cast<std::int64_t>(40 * scale) + 40;
      for (std::int64_t n = around - reach; n <= around + reach; ++n) {
        const bool is_first_wide = below(n) >= least, is_last_wide = 1 - below(n) >= least;
        const bool is_inner_wide = edges_.empty() || below(n) - below(edges_.back()) >= least;
        if (is_first_wide && is_last_wide && is_inner_wide) edges_.push_back(n);
      }
    } else {
      for (int k = 1; k < 50; ++k) {
        std::int64_t low = static_cast<std::int64_t>(middle - 60 * scale),
                     high = static_cast<std::int64_t>(middle + 60 * scale);
        while (low < high) {
          const std::int64_t between = low + (high - low) / 2;
          if (below(between) < k / 50.0)
            low = between + 1;
          else
            high = between;
        }
        edges_.push_back(low);
      }
      edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    }
    for (std::size_t i = 0; i <= edges_.size(); ++i)
      masses_.push_back((i == edges_.size() ? 1 : below(edges_[i])) - (i == 0 ? 0 : below(edges_[i - 1])));
    counts_.resize(masses_.size());
  }

  void count(std::span<const std::int64_t> draws) {
    for (const std::int64_t n : draws)
      ++counts_[static_cast<std::size_t>(std::upper_bound(edges_.begin(), edges_.end(), n) - edges_.begin())];
  }
  void clear() { std::fill(counts_.begin(), counts_.end(), 0); }

  // The probability of a chi-square as large as this, if the draws have the law.
  [[nodiscard]] double p_value() const { return test::p_value(counts_, masses_); }
  [[nodiscard]] std::size_t size() const { return counts_.size(); }

 private:
  std::vector<std::int64_t> edges_;
  std::vector<double> masses_;
  std::vector<std::uint64_t> counts_;
};

// The probability of numbers as far from uniform as these, by Kolmogorov and Smirnov (Stephens' approximation).
inline double uniformity(std::vector<double> numbers) {
  if (std::any_of(numbers.begin(), numbers.end(), [](double p) { return !(p >= 0 && p <= 1); })) return 0;
  std::sort(numbers.begin(), numbers.end());
  const auto count = static_cast<double>(numbers.size());
  double distance = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    distance = std::max(
        {distance, numbers[i] - static_cast<double>(i) / count, static_cast<double>(i + 1) / count - numbers[i]});
  }
  const double x = (std::sqrt(count) + 0.12 + 0.11 / std::sqrt(count)) * distance;
  if (x < 0.3) return 1;
  double sum = 0;
  for (int k = 1; k <= 100; ++k) sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * x * x);
  return std::clamp(sum, 0.0, 1.0);
}

inline double normal_below(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }
inline double laplace_below(double z) { return z < 0 ? std::exp(z) / 2 : 1 - std::exp(-z) / 2; }

// P(N < n) of the discrete laws.
inline Below discrete_gaussian_below(double stddev) {
  if (stddev > 1000) {
    // Sums over integers are integrals from half to half, but for a relative error of about 1/(24 stddev^2).
    return [stddev](std::int64_t n) { return normal_below((static_cast<double>(n) - 0.5) / stddev); };
  }
  const auto reach = static_cast<std::int64_t>(40 * stddev) + 2;
  std::vector<double> below{0};
  for (std::int64_t n = -reach; n <= reach; ++n) {
    const double z = static_cast<double>(n) / stddev;
    below.push_back(below.back() + std::exp(-z * z / 2));
  }
  const double all = below.back();
  for (double& mass : below) mass /= all;
  return [reach, below](std::int64_t n) {
    return below[static_cast<std::size_t>(std::clamp(n + reach, std::int64_t{0}, 2 * reach + 1))];
  };
}
inline Below discrete_laplace_below(double scale) {
  // P(N >= n) = q^n/(1 + q) for n >= 1.
  return [scale](std::int64_t n) {
    const double q = std::exp(-1 / scale), at = static_cast<double>(n);
    return n >= 1 ? 1 - std::exp(-at / scale) / (1 + q) : std::exp((at - 1) / scale) / (1 + q);
  };
}
inline Below geometric_below(double scale) {
  return [scale](std::int64_t n) { return n <= 0 ? 0 : -std::expm1(-static_cast<double>(n) / scale); };
}

}  // namespace renyi::test
