// Tests by ranks: whether two quantities rise together, and whether two samples have the same law. Ranks need no
// assumption on how times are distributed, and a few interrupted calls cannot decide them: nothing has to be left out.
#pragma once

#include <cstddef>
#include <vector>

namespace bench {

// Spearman's correlation: that of the ranks, equal values sharing the mean of theirs.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

struct TwoSamples {
  std::size_t chosen = 0, others = 0;
  double median_difference = 0;   // the median of the chosen less that of the others
  double superiority = 0.5;       // the probability that a chosen one is above another one, halves for equal ones
  double mann_whitney_p = 1;      // two-sided, by the normal law, with the correction for equal values
  double kolmogorov_smirnov = 0;  // the greatest difference of the distribution functions
  double kolmogorov_smirnov_p = 1;
};
TwoSamples two_samples(const std::vector<double>& values, const std::vector<bool>& is_chosen);

// The value that the share `level` of them does not exceed.
double quantile(std::vector<double> values, double level);

}  // namespace bench
