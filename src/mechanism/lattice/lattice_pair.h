// Two laws on the integers of unlimited support: a noise Q, and P, the noise moved by a whole number
// (docs/math/discrete-noise.md). What a curve of such a pair says beyond its own sums, so that others can mix it.
#pragma once

#include <vector>

namespace renyi::mechanism {

class LatticePair {
 public:
  // One integer, or, among nodes, several that count as one: their number is in log_q and log_p.
  struct Outcome {
    double log_q = 0;  // ln of Q's mass
    double loss = 0;   // ln(P/Q)
    double loss_error = 0;
    double log_p = 0;  // ln of P's mass: log_q + loss would lose digits where both are large
  };

  virtual ~LatticePair() = default;

  // Whether the integers that matter are few enough to list them.
  virtual bool is_listed() const = 0;
  // All integers but those beyond which either law has a mass of at most exp(log_left_out), at either end. Ascending.
  virtual std::vector<Outcome> outcomes() const = 0;
  virtual double log_left_out() const = 0;

  // Those that make up E[exp(zL)] of the pair ((1-g) Q + g P, Q) in both directions, z >= 0, its derivatives, and the
  // orders below 1: what is left out is below rounding beside the centred sums. `thinned`: where the terms are smooth
  // enough, every m-th integer for m of them, which is as good; not for sums that end somewhere, or that oscillate.
  virtual std::vector<Outcome> nodes(double z, double rate, bool thinned) const = 0;

 protected:
  LatticePair() = default;
  LatticePair(const LatticePair&) = default;
  LatticePair& operator=(const LatticePair&) = default;
};

}  // namespace renyi::mechanism
