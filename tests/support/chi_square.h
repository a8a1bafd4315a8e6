// Pearson's test of a histogram against exact expectations.
#pragma once

#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace renyi::test {

// Classes of which fewer than 10 are expected are put together; if fewer than 10 are expected in all of them, they join
// the first of the others.
inline std::vector<std::pair<double, double>> classes_of(const std::vector<double>& counts,
                                                         const std::vector<double>& expected) {
  std::vector<std::pair<double, double>> classes;
  std::pair<double, double> rare = {0, 0};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (expected[i] >= 10) {
      classes.emplace_back(counts[i], expected[i]);
    } else {
      rare.first += counts[i];
      rare.second += expected[i];
    }
  }
  if (rare.second >= 10) {
    classes.push_back(rare);
  } else {
    classes.at(0).first += rare.first;
    classes.at(0).second += rare.second;
  }
  return classes;
}

inline double chi_square(const std::vector<double>& counts, const std::vector<double>& expected) {
  double sum = 0;
  for (const auto& [count, mean] : classes_of(counts, expected)) sum += std::pow(count - mean, 2) / mean;
  return sum;
}

// What chi_square() is below with this probability.
inline double chi_square_quantile(const std::vector<double>& counts, const std::vector<double>& expected,
                                  double probability) {
  const auto degrees = static_cast<double>(classes_of(counts, expected).size()) - 1;
  return quantile(boost::math::chi_squared(degrees), probability);
}

}  // namespace renyi::test
