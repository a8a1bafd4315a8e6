// A plan with an unknown number: the values that it may take, on a logarithmic axis and with few digits, and the plan
// with each value that is tried, while everything else is analysed once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "calibrate/step_numbers.h"
#include "numerics/significant_digits.h"
#include "renyi/calibrate.h"
#include "renyi/extras/parameter.h"

namespace renyi::calibrate_detail {

// Returns the next number with that many significant digits, upwards or downwards.
using numerics::to_digits;
std::int64_t to_digits(std::int64_t value, int digits, bool up);

// The values that an unknown may have, on a logarithmic axis: costs are nearly linear there.
class SearchAxis {
 public:
  explicit SearchAxis(const Parameter& parameter);

  bool is_whole() const { return whole_; }
  bool more_is_private() const { return more_is_private_; }
  double lowest() const { return lowest_; }
  double highest() const { return highest_; }

  // Returns 1, or the allowed value closest to it.
  Setting one() const { return at(coordinate_of(of_value(1))); }
  // Returns the setting at x, moved into the range; for whole numbers the nearest one.
  Setting at(double x) const;
  double coordinate_of(const Setting& setting) const;

 private:
  bool whole_;
  bool more_is_private_;
  double offset_ = 0;  // x = ln(value + offset)
  Setting first_{}, last_{};
  double lowest_ = 0, highest_ = 0;  // their coordinates
};

// The steps as Plan::analysed() returns them, and their composed curve.
struct Composed {
  std::vector<CountedMechanism> steps;
  std::shared_ptr<const Curve> curve;
};

// A number that is solved for, and the steps of the plan as a function of it.
struct OpenNumber {
  Parameter number;                                   // its range, and whether a larger value costs more
  Setting held{};                                     // a value that is consistent with the plan's other numbers
  std::function<Steps(const Setting&)> steps_with{};  // empty for the unit of privacy, which is in no step
};

// Returns the one number of a plan that the unknown names. The plan must outlive it. Throws InvalidArgument if the path
// or the parameter does not exist.
OpenNumber open_number(const Plan& plan, const Unknown& unknown);

class PlanWithUnknown {
 public:
  PlanWithUnknown(const Plan& plan, OpenNumber open);

  const Parameter& number() const { return open_.number; }
  const Setting& held() const { return open_.held; }

  // Throws InvalidArgument or Unsupported if the plan is not valid with that value, or cannot be analysed.
  Composed with(const Setting& setting) const;
  Plan plan_with(const Setting& setting) const;

 private:
  struct Known {
    Mechanism specified;
    Mechanism analysed;
    std::shared_ptr<const Curve> curve;
  };
  bool is_unit() const { return !open_.steps_with; }
  Adjacency relation_with(const Setting& setting) const;
  Steps steps_with(const Setting& setting) const;
  Known known(const Mechanism& mechanism, std::size_t likely_place, const Adjacency& relation) const;

  const Plan& plan_;
  OpenNumber open_;
  std::vector<Known> known_{};  // the analysed steps that do not depend on the number, and the step as specified
};

}  // namespace renyi::calibrate_detail
