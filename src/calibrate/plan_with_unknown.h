// A plan with one number left open: the values it may take, on a logarithmic line and to few digits, and the plan with
// each value tried, while all else is analysed once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "renyi/calibrate.h"
#include "renyi/extras/parameter.h"

namespace renyi::calibrate_detail {

// A value tried.
struct Setting {
  double value = 0;
  std::int64_t count = 0;  // of whole numbers; then value is the same, rounded

  friend bool operator==(const Setting&, const Setting&) = default;
};

inline Setting of_value(double value) { return {.value = value}; }
inline Setting of_whole(std::int64_t count) { return {.value = static_cast<double>(count), .count = count}; }

// The next value of so many significant digits, upwards or downwards; the value itself if it has no more.
double to_digits(double value, int digits, bool up);
std::int64_t to_digits(std::int64_t value, int digits, bool up);

// The numbers an unknown may be, on a logarithmic line: costs are nearly straight there.
class SearchAxis {
 public:
  explicit SearchAxis(const Parameter& parameter);

  bool is_whole() const { return whole_; }
  bool more_is_private() const { return more_is_private_; }
  double lowest() const { return lowest_; }
  double highest() const { return highest_; }

  // 1, or what is next to it.
  Setting one() const { return at(coordinate_of(of_value(1))); }
  // The setting at x, moved into the range; of whole numbers the nearest.
  Setting at(double x) const;
  double coordinate_of(const Setting& setting) const;

 private:
  bool whole_;
  bool more_is_private_;
  double offset_ = 0;  // x = ln(value + offset)
  Setting first_{}, last_{};
  double lowest_ = 0, highest_ = 0;  // their places
};

// As the accountants take it: steps as Plan::analysed() gives them, and their curve.
struct Composed {
  std::vector<CountedMechanism> steps;
  std::shared_ptr<const Curve> curve;
};

class PlanWithUnknown {
 public:
  // Throws InvalidArgument when the path or the parameter does not exist.
  PlanWithUnknown(const Plan& plan, const Unknown& unknown);

  // Range, and what a larger one costs.
  const Parameter& number() const { return *number_; }
  // What the plan holds there: a value that goes with the others.
  const Setting& held() const { return held_; }

  // Throws InvalidArgument or Unsupported where the plan makes no sense with that value, or is not analysed.
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
  std::vector<Known> known_{};  // what does not change with the number, and the step as the plan holds it
};

}  // namespace renyi::calibrate_detail
