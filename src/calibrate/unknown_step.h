// A plan taken apart at its unknown: everything else composed once, the unknown
// step put back with each value tried.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "plan/composed_curve.h"
#include "renyi/calibrate.h"

namespace renyi::calibrate_detail {

class UnknownStep {
 public:
  // Throws InvalidArgument when the path or the parameter does not exist.
  UnknownStep(const Plan& plan, const Unknown& unknown);

  bool is_count() const { return unknown_.parameter == "count"; }
  const Parameter& parameter() const;
  // The largest count for which no total overflows.
  std::int64_t largest_count() const;

  std::shared_ptr<const Curve> curve_with(double value) const;
  std::shared_ptr<const Curve> curve_with_count(std::int64_t count) const;
  // The plan with that value, or that count, in the place of the unknown.
  Plan plan_with(double value, std::int64_t count) const;

 private:
  const Step& step() const;
  Plan plan_with_step(const Step& replacement) const;

  const Plan& plan_;
  const Unknown& unknown_;
  std::int64_t outer_count_ = 1;           // product of the counts around the step
  std::vector<plan::CountedCurve> rest_;   // the other steps
  std::vector<plan::CountedCurve> inner_;  // one run of the step, when its count is unknown
  std::int64_t most_inner_ = 1;            // the largest count within one run
};

}  // namespace renyi::calibrate_detail
