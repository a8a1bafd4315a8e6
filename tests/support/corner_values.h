// Corners of a parameter's range, from the table of parameters.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "renyi/mechanism.h"

namespace renyi::test {

// The ends of a parameter's range and a few values between, ascending.
inline std::vector<double> corner_values(const Parameter& p, double usual) {
  const double least = p.lowest_allowed ? p.lowest : std::nextafter(p.lowest, p.highest);
  const double most = p.highest_allowed ? p.highest : std::nextafter(p.highest, p.lowest);
  std::vector<double> values{least, most, usual, 0.5, 1, 0.1, 10, 1e-3};
  if (p.zero_allowed) values.push_back(0);
  if (p.whole) values.insert(values.end(), {least + 1, std::floor(std::sqrt(least * most))});
  std::erase_if(values, [&](double v) { return !p.allows(v); });
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace renyi::test
