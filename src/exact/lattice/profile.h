// delta(epsilon) of a law on a lattice, at the price of a lookup.
#pragma once

#include <vector>

#include "exact/lattice/compose.h"

namespace renyi::exact::lattice {

// G(x) = sum_k w_k g(s_k - x) with g(u) = exp(-c u) (1 - exp(-u)) for u > 0, else 0.
class Profile {
 public:
  explicit Profile(const Composed& law);

  double operator()(double x) const;

 private:
  double origin_;
  double h_;
  double c_;
  bool fine_;
  // S_k = sum_{j>=k} w_j exp(-(c+1) (s_j - s_k)) and D_k = sum_{j>=k} w_j g(s_j - s_k).
  std::vector<double> s_;
  std::vector<double> d_;
};

// The largest value of g.
double largest_kernel(double c);
// At least the square root of sum_k g(s_k - x)^2 over a lattice of spacing h, for any x.
double kernel_norm(double c, double h);

}  // namespace renyi::exact::lattice
