// Pearson's test of a histogram against exact probabilities.
#pragma once

#include <boost/math/distributions/chi_squared.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

namespace renyi::test {

// The probability of counts as far off as these, if the probabilities were right. Probabilities are above 0.
inline double p_value(std::span<const std::uint64_t> counts, std::span<const double> probabilities) {
  double draws = 0, statistic = 0;
  for (const std::uint64_t count : counts) draws += static_cast<double>(count);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = draws * probabilities[i], off = static_cast<double>(counts[i]) - expected;
    statistic += off * off / expected;
  }
  const boost::math::chi_squared law(static_cast<double>(counts.size() - 1));
  return boost::math::cdf(boost::math::complement(law, statistic));
}

}  // namespace renyi::test
