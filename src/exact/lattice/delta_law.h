// The upper and the lower bound on delta(epsilon) of a composed plan, evaluated by a lookup in its law on a lattice.
#pragma once

#include <vector>

#include "exact/invert.h"
#include "exact/lattice/atoms.h"
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

// One of the two bounds on delta, from a law on a lattice and independent atoms.
class DeltaEnd {
 public:
  DeltaEnd(const Composed& law, const Atoms& atoms);

  double upper(double epsilon) const;
  double lower(double epsilon) const;

 private:
  double kernel_sum(double epsilon) const;

  Profile profile_;
  Atoms atoms_;
  double c_;
  double log_scale_;
  double slack_;
  double relative_;
  double unsure_;  // an upper bound on the error of the kernel's sum
  double infinite_;
};

struct DeltaLaw {
  DeltaEnd above;
  DeltaEnd below;

  Interval at(double epsilon) const { return {below.lower(epsilon), above.upper(epsilon)}; }
};

}  // namespace renyi::exact::lattice
