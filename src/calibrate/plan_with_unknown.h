// A plan with one unknown number: the values that it may take, on a logarithmic axis and with few digits, and the plan
// with each value that is tried, while everything else is analysed once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "renyi/calibrate.h"
#include "renyi/extras/parameter.h"

namespace renyi::calibrate_detail {

// A value that is tried.
struct Setting {
  double value = 0;
  std::int64_t count = 0;  // the value of a whole number; `value` is then the same, rounded

  friend bool operator==(const Setting&, const Setting&) = default;
};

inline Setting of_value(double value) { return {.value = value}; }
inline Setting of_whole(std::int64_t count) { return {.value = static_cast<double>(count), .count = count}; }

// Returns the next value with that many significant digits, upwards or downwards; the value itself if it has no more
// digits.
double to_digits(double value, int digits, bool up);
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

class PlanWithUnknown {
 public:
  // Throws InvalidArgument when the path or the parameter does not exist.
  PlanWithUnknown(const Plan& plan, const Unknown& unknown);

  // Returns the range of the number, and whether a larger value costs more.
  const Parameter& number() const { return *number_; }
  // Returns the value that the plan has for the unknown: it is consistent with the plan's other numbers.
  const Setting& held() const { return held_; }

  // Throws InvalidArgument or Unsupported if the plan is not valid with that value, or cannot be analysed.
  Composed with(const Setting& setting) const;
  Plan plan_with(const Setting& setting) const;

 private:
  struct Known {
    Mechanism specified;
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
  std::vector<Known> known_{};  // the analysed steps that do not depend on the number, and the step as specified
};

}  // namespace renyi::calibrate_detail
