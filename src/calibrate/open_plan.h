// A plan with one number left open: put in with each value tried, while all else is analysed once.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "calibrate/setting.h"
#include "plan/composed_curve.h"
#include "renyi/calibrate.h"

namespace renyi::calibrate_detail {

// As the accountants take it: steps as Plan::analysed() gives them, and their curve.
struct Composed {
  std::vector<CountedMechanism> steps;
  std::shared_ptr<const Curve> curve;
};

class OpenPlan {
 public:
  // Throws InvalidArgument when the path or the parameter does not exist.
  OpenPlan(const Plan& plan, const Unknown& unknown);

  // Range, and what a larger one costs.
  const Parameter& number() const { return *number_; }
  // What the plan holds there: a value that goes with the others.
  const Setting& held() const { return held_; }

  // Throws InvalidArgument or Unsupported where the plan makes no sense with that value, or is not analysed.
  Composed with(const Setting& setting) const;
  Plan plan_with(const Setting& setting) const;

 private:
  struct Known {
    Mechanism said;
    Mechanism analysed;
    std::shared_ptr<const Curve> curve;
  };
  bool is_unit() const { return unknown_.path.empty(); }
  Adjacency relation_with(const Setting& setting) const;
  Steps steps_with(const Setting& setting) const;
  Known known(const Mechanism& mechanism, std::size_t likely_place, const Adjacency& relation) const;

  const Plan& plan_;
  const Unknown& unknown_;
  const Parameter* number_ = nullptr;
  Setting held_{};
  std::vector<Known> known_{};  // what does not change with the number, and the step as the plan holds it
};

}  // namespace renyi::calibrate_detail
