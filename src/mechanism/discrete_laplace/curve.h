// The curve of discrete Laplace noise on a whole number, and the noise moved by a whole distance D: the loss takes D+1
// values (docs/math/discrete-noise.md, "Discrete Laplace").
#pragma once

#include <mutex>
#include <vector>

#include "mechanism/atomic_curve.h"

namespace renyi::mechanism {

class DiscreteLaplaceCurve final : public AtomicCurve {
 public:
  DiscreteLaplaceCurve(double scale, double distance) : s_(1 / scale), distance_(distance), e_(distance / scale) {}

  bool is_symmetric() const override { return true; }
  bool is_listed() const override;
  const std::vector<LossAtom>& atoms(Direction direction) const override;
  Bounded hockey_stick(double epsilon, Direction direction) const override {
    return listed_hockey_stick(*this, epsilon, direction);
  }

 private:
  LogMoment real_at(double z, Direction direction) const override;
  ComplexLogMoment complex_at(std::complex<double> z, Direction direction) const override;
  Bounded max_loss_at(Direction direction) const override;
  Bounded chernoff_at(double a, Direction direction) const override;
  Cumulants cumulants_at(Direction direction) const override;

  double s_;  // 1/scale
  double distance_;
  double e_;  // the largest loss
  mutable std::once_flag listed_;
  mutable std::vector<LossAtom> atoms_;
};

}  // namespace renyi::mechanism
