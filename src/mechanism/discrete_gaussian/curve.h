// The curve of discrete Gaussian noise on a whole number, and the noise moved by a whole distance
// (docs/math/discrete-noise.md, "Discrete Gaussian").
#pragma once

#include <mutex>
#include <vector>

#include "mechanism/atomic_curve.h"
#include "mechanism/discrete_gaussian/theta.h"
#include "mechanism/lattice/noise_pair.h"

namespace renyi::mechanism {

class DiscreteGaussianCurve final : public AtomicCurve, public NoisePair {
 public:
  DiscreteGaussianCurve(double stddev, double distance);

  bool is_symmetric() const override { return true; }
  Growth growth() const override;

  bool is_complete() const override { return false; }
  bool is_listed() const override;
  const std::vector<LossAtom>& atoms(Direction direction) const override;
  LeftOut left_out(Direction direction) const override;
  Bounded hockey_stick(double epsilon, Direction direction) const override;

  std::vector<Outcome> outcomes() const override;
  double log_left_out() const override;

 private:
  LogMoment real_at(double z, Direction direction) const override;
  ComplexLogMoment complex_at(std::complex<double> z, Direction direction) const override;
  Bounded max_loss_at(Direction direction) const override;
  Bounded chernoff_at(double a, Direction direction) const override;
  Cumulants cumulants_at(Direction direction) const override;

  Outcome outcome(double x) const override;
  double peak(double order) const override { return order * distance_; }
  double stride() const override;

  double loss(double x) const { return distance_ * (2 * x - distance_) * half_precision_; }
  double reach() const;  // of the list, on either side

  Theta theta_;
  double distance_;
  double half_precision_;  // 1/(2 s^2)
  mutable std::once_flag listed_;
  mutable std::vector<LossAtom> atoms_;
};

}  // namespace renyi::mechanism
