// The curve of private selection: that of one run, and what the choice among runs adds (docs/math/selection.md).
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "mechanism/symmetric_curve.h"

namespace renyi::plan {

// What is added to K(z), beside what is added whatever z is.
struct Toll {
  std::function<double(double z)> at{};  // z > 0
  double steepest = 0;                   // at least at(z)/z for every z, and what the largest loss grows by
  bool linear = false;                   // at(z) is z times the steepest
};

class SelectCurve final : public mechanism::SymmetricCurve {
 public:
  // K(z) <= K of one run + toll.at(z) + once for every z > 0.
  SelectCurve(std::shared_ptr<const Curve> one_run, Toll toll, double once);

  double last_order() const override { return one_run_->last_order(); }
  Knowledge knowledge() const override { return Knowledge::orders; }
  Growth growth() const override;

 private:
  // Divergences never fall with the order, so that below the order where the bound is least it is the bound too.
  struct Knee {
    double z = 0;           // may be infinite
    double divergence = 0;  // there, rounded up
    double curvature = 0;   // a guide to searches below
  };

  LogMoment at(double z) const override;
  ComplexLogMoment at(std::complex<double> z) const override;
  Bounded supremum() const override;
  double bound(double z) const;     // on the divergence at z > 0, by the theorem alone
  LogMoment plain(double z) const;  // z > 0, or nothing is added once
  LogMoment by_theorem(double z) const;
  Bounded toll_slope(double z) const;
  const Knee& knee() const;
  Knee find_knee() const;

  std::shared_ptr<const Curve> one_run_;
  Toll toll_;
  double once_;
  std::shared_ptr<const Curve> pure_{};  // of any step of so large a loss, where that is finite
  mutable std::once_flag found_;
  mutable Knee knee_;
};

}  // namespace renyi::plan
