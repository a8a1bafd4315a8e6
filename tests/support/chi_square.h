// Pearson's test of a histogram against exact probabilities.
#pragma once

#include <boost/math/distributions/chi_squared.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace renyi::test {

// The probability of counts as far off as these, if the probabilities were right. Classes of which fewer than 10 are
// expected are put together; if fewer than 10 are expected in all of them, they join the first of the others.
inline double p_value(std::span<const std::uint64_t> counts, std::span<const double> probabilities) {
  double draws = 0, statistic = 0;
  for (const std::uint64_t count : counts) draws += static_cast<double>(count);
  std::vector<std::pair<double, double>> classes;
  std::pair<double, double> rare = {0, 0};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto count = static_cast<double>(counts[i]);
    const double expected = draws * probabilities[i];
    if (expected >= 10) {
      classes.emplace_back(count, expected);
    } else {
      rare.first += count;
      rare.second += expected;
    }
  }
  if (rare.second >= 10) {
    classes.push_back(rare);
  } else {
    classes.at(0).first += rare.first;
    classes.at(0).second += rare.second;
  }
  for (const auto& [count, expected] : classes) statistic += (count - expected) * (count - expected) / expected;
  const boost::math::chi_squared law(static_cast<double>(classes.size()) - 1);
  return boost::math::cdf(boost::math::complement(law, statistic));
}

}  // namespace renyi::test
