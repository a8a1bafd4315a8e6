// The curve of Skellam noise on a whole number, and the noise moved by a whole distance (docs/math/discrete-noise.md,
// "Skellam"), by sums over the integers.
#pragma once

#include <mutex>

#include "mechanism/lattice/noise_pair.h"
#include "mechanism/lattice/summed_curve.h"
#include "mechanism/skellam/table.h"

namespace renyi::mechanism {

class SkellamCurve final : public SummedCurve, public NoisePair {
 public:
  SkellamCurve(double variance, double distance) : variance_(variance), distance_(distance), tables_(variance) {}

  bool is_symmetric() const override { return true; }
  bool is_listed() const override { return true; }
  Growth growth() const override;
  std::vector<Outcome> outcomes() const override;
  double log_left_out() const override;

 private:
  LogMoment real_at(double z, Direction direction) const override;
  LogMoment worst_at(double z) const override { return real_at(z, Direction::remove); }
  Bounded max_loss_at(Direction direction) const override;

  std::shared_ptr<const DiscreteCurve> near(double z, bool thinned) const override;
  std::shared_ptr<const DiscreteCurve> whole() const override;
  double log_missing() const override { return log_left_out(); }

  Outcome outcome(double x) const override;
  double peak(double order) const override;
  double stride() const override;

  LogMoment far_out(double z) const;
  double reach() const;  // of the list, on either side

  double variance_;
  double distance_;
  SkellamTables tables_;
  mutable std::once_flag summed_last_;
  mutable LogMoment last_;  // at the last order that is summed
};

}  // namespace renyi::mechanism
