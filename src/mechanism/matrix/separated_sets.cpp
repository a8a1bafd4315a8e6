#include "mechanism/matrix/separated_sets.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace renyi::mechanism {

// Sets of c members: binomial(columns - (c-1)(separation-1), c), as their gaps can be shortened by separation - 1 each.
double SeparatedSets::number(double limit) const {
  double total = 1;
  for (std::size_t c = 1; c <= most; ++c) {
    const std::size_t lost = (c - 1) * (separation - 1);
    if (lost + c > columns) break;
    double sets = 1;
    for (std::size_t i = 0; i < c; ++i) sets *= static_cast<double>(columns - lost - i) / static_cast<double>(i + 1);
    total += sets;
    if (total >= limit) return limit;
  }
  return total;
}

double SeparatedSets::heaviest(std::span<const double> weights) const {
  if (holds_any_number()) return heaviest_of_any_number(weights);
  if (separation > 1) return heaviest_few(weights);
  std::vector<double> sorted(weights.begin(), weights.end());
  const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(sorted.begin(), end, sorted.end(), std::greater<>());
  return std::accumulate(sorted.begin(), end, 0.0);
}

// best[j]: among the first j columns.
double SeparatedSets::heaviest_of_any_number(std::span<const double> weights) const {
  std::vector<double> best(columns + 1, 0);
  for (std::size_t j = 1; j <= columns; ++j) {
    const double before = j > separation ? best[j - separation] : 0;
    best[j] = std::max(best[j - 1], before + weights[j - 1]);
  }
  return best[columns];
}

// best[j][c]: among the first j columns, with c members at most. The inner loop has no order, which makes it fast.
double SeparatedSets::heaviest_few(std::span<const double> weights) const {
  const std::size_t width = most + 1;
  std::vector<double> best((columns + 1) * width, 0);
  for (std::size_t j = 1; j <= columns; ++j) {
    const double weight = weights[j - 1];
    const double* without = &best[(j - 1) * width];
    const double* before = &best[(j > separation ? j - separation : 0) * width];
    double* here = &best[j * width];
    for (std::size_t c = 1; c < width; ++c) {
      const double with = before[c - 1] + weight;
      here[c] = with > without[c] ? with : without[c];
    }
  }
  return best[columns * width + most];
}

}  // namespace renyi::mechanism
