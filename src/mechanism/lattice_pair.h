// Noise on the integers, moved by a whole number: what such a pair of laws says so that others can mix it, and its
// curve by sums over the integers that matter (docs/math/discrete-noise.md).
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "mechanism/custom/discrete_curve.h"

namespace renyi::mechanism {

// Two laws on the integers of unlimited support: a noise Q, and P, the noise moved by a whole number
// (docs/math/discrete-noise.md). What a curve of such a pair says beyond its own sums, so that others can mix it.
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

// Pairs of a log-concave noise on the integers and the noise moved: where the sums of their mixtures have their mass
// (docs/math/discrete-noise.md, "Windows").
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

// Curves of pairs on the integers by sums over the integers that matter: at every order those of a finite pair that is
// as good there (docs/math/discrete-noise.md, "Windows").
class SummedCurve : public AtomicCurve {
 public:
  bool is_complete() const final { return false; }
  const std::vector<LossAtom>& atoms(Direction direction) const final;
  LeftOut left_out(Direction direction) const final;
  Bounded hockey_stick(double epsilon, Direction direction) const final;

 protected:
  LogMoment real_at(double z, Direction direction) const override;

 private:
  // A finite pair whose moments at z are those of the whole, beside rounding. `thinned`: for real z only.
  virtual std::shared_ptr<const DiscreteCurve> near(double z, bool thinned) const = 0;
  // All outcomes that matter for exact figures, and ln of the mass of either law that is missing at either end.
  virtual std::shared_ptr<const DiscreteCurve> whole() const = 0;
  virtual double log_missing() const = 0;

  ComplexLogMoment complex_at(std::complex<double> z, Direction direction) const final;
  Bounded chernoff_at(double a, Direction direction) const final;
  Cumulants cumulants_at(Direction direction) const final;
  std::unique_ptr<const VerticalLine> line_at(double c, Direction direction) const final;

  const DiscreteCurve& list() const;

  mutable std::once_flag listed_;
  mutable std::shared_ptr<const DiscreteCurve> list_;
};

}  // namespace renyi::mechanism
