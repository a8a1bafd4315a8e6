// Curves of pairs on the integers by sums over the integers that matter: at every order those of a finite pair that is
// as good there (docs/math/discrete-noise.md, "Windows").
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "mechanism/own/discrete_curve.h"

namespace renyi::mechanism {

class SummedCurve : public AtomicCurve {
 public:
  bool is_complete() const final { return false; }
  const std::vector<LossAtom>& atoms(Direction direction) const final;
  LeftOut left_out(Direction direction) const final;
  Bounded hockey_stick(double epsilon, Direction direction) const final;

 protected:
  LogMoment real_at(double z, Direction direction) const override;
  LogMoment worst_at(double z) const override;

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
