// Sets of columns in which any two are at least so far apart.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace renyi::mechanism {

struct SeparatedSets {
  std::size_t columns = 1;
  std::size_t most = 1;        // members; at most what fits
  std::size_t separation = 1;  // from one member to the next

  // How many there are, or `limit` if there are more.
  double number(double limit) const;

  // The largest sum of weights >= 0 over a set (Choquette-Choo et al. 2023, arXiv:2306.08153, Algorithm 3). Sums of at
  // most `columns` terms, rounded to nearest.
  double heaviest(std::span<const double> weights) const;

 private:
  bool holds_any_number() const { return most * separation >= columns; }
  double heaviest_of_any_number(std::span<const double> weights) const;
  double heaviest_few(std::span<const double> weights) const;
};

}  // namespace renyi::mechanism
