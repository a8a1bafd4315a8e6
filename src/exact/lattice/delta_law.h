// Both ends of delta(epsilon) of a composed plan.
#pragma once

#include <optional>

#include "exact/invert.h"
#include "exact/lattice/atoms.h"
#include "exact/lattice/profile.h"

namespace renyi::exact::lattice {

// One end: a law on a lattice plus independent atoms.
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
  double unsure_;  // of the kernel's sum, at most
  double infinite_;
};

struct DeltaLaw {
  DeltaEnd above;
  DeltaEnd below;

  Ends at(double epsilon) const { return {below.lower(epsilon), above.upper(epsilon)}; }
};

}  // namespace renyi::exact::lattice
