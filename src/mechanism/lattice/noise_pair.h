// Pairs of a log-concave noise on the integers and the noise moved: where the sums of their mixtures have their mass
// (docs/math/discrete-noise.md, "Windows").
#pragma once

#include "mechanism/lattice/lattice_pair.h"

namespace renyi::mechanism {

class NoisePair : public LatticePair {
 public:
  std::vector<Outcome> nodes(double z, double rate, bool thinned) const override;

 protected:
  // One integer; the loss never falls with x.
  virtual Outcome outcome(double x) const = 0;
  // Where Q (P/Q)^order is largest, about; order may be negative.
  virtual double peak(double order) const = 0;
  // The m of `nodes`; 1: every integer.
  virtual double stride() const { return 1; }
};

}  // namespace renyi::mechanism
