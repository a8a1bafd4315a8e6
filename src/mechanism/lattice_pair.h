// Pairs of noise on the integers and the same noise shifted by an integer: the interface that a mixture with another
// pair needs, and the curve of the pair by sums over the integers that matter (docs/math/discrete-noise.md).
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "mechanism/custom/discrete_curve.h"

namespace renyi::mechanism {

// Two distributions on the integers of unlimited support: a noise Q, and P, the noise shifted by an integer
// (docs/math/discrete-noise.md). A curve of such a pair implements this interface so that sampling can mix P with Q.
class LatticePair {
 public:
  // One integer, or, among nodes, several integers that count as one: log_q and log_p include their number.
  struct Outcome {
    double log_q = 0;  // ln of Q's mass
    double loss = 0;   // ln(P/Q)
    double loss_error = 0;
    double log_p = 0;  // ln of P's mass: log_q + loss would lose digits where both are large
  };

  virtual ~LatticePair() = default;

  // True if the integers that matter are few enough to be listed.
  virtual bool is_listed() const = 0;
  // Returns all integers, ascending, except those beyond which either distribution has a mass of at most
  // exp(log_left_out), at either end.
  virtual std::vector<Outcome> outcomes() const = 0;
  virtual double log_left_out() const = 0;

  // Returns the integers that make up E[exp(zL)] of the pair ((1-g) Q + g P, Q) in both directions, z >= 0, its
  // derivatives, and the orders below 1: what is omitted is below rounding compared with the centred sums. If
  // `thinned`, where the terms are smooth enough, every m-th integer represents m of them, which is as accurate; this
  // must not be used for sums that end somewhere, or that oscillate.
  virtual std::vector<Outcome> nodes(double z, double rate, bool thinned) const = 0;

 protected:
  LatticePair() = default;
  LatticePair(const LatticePair&) = default;
  LatticePair& operator=(const LatticePair&) = default;
};

// A pair of a log-concave noise on the integers and the same noise shifted; it finds where the sums of their mixtures
// have their mass (docs/math/discrete-noise.md, "Windows").
class NoisePair : public LatticePair {
 public:
  std::vector<Outcome> nodes(double z, double rate, bool thinned) const override;

 protected:
  // Returns one integer's masses and loss; the loss never falls with x.
  virtual Outcome outcome(double x) const = 0;
  // Returns approximately where Q (P/Q)^order is largest; order may be negative.
  virtual double peak(double order) const = 0;
  // Returns the m of `nodes`; 1 means every integer.
  virtual double stride() const { return 1; }
};

// Curves of pairs on the integers, computed by sums over the integers that matter: at every order, by those of a finite
// pair that is as accurate there (docs/math/discrete-noise.md, "Windows").
class SummedCurve : public AtomicCurve {
 public:
  bool is_complete() const final { return false; }
  const std::vector<LossAtom>& atoms(Direction direction) const final;
  LeftOut left_out(Direction direction) const final;
  Bounded hockey_stick(double epsilon, Direction direction) const final;

 protected:
  LogMoment real_at(double z, Direction direction) const override;

 private:
  // Returns a finite pair whose moments at z are those of the whole pair up to rounding. `thinned` is allowed for real
  // z only.
  virtual std::shared_ptr<const DiscreteCurve> near(double z, bool thinned) const = 0;
  // Returns all outcomes that matter for exact values, and ln of the mass of either distribution that is missing at
  // either end.
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
