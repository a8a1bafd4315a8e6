// The numbers an unknown may be, on a logarithmic line: costs are nearly straight there.
#pragma once

#include "calibrate/setting.h"
#include "renyi/parameter.h"

namespace renyi::calibrate_detail {

class Line {
 public:
  explicit Line(const Parameter& parameter);

  bool is_whole() const { return whole_; }
  bool more_is_private() const { return more_is_private_; }
  double lowest() const { return lowest_; }
  double highest() const { return highest_; }

  // 1, or what is next to it.
  Setting one() const { return at(place_of(of_value(1))); }
  // The setting at x, moved into the range; of whole numbers the nearest.
  Setting at(double x) const;
  double place_of(const Setting& setting) const;

 private:
  bool whole_;
  bool more_is_private_;
  double offset_ = 0;  // x = ln(value + offset)
  Setting first_{}, last_{};
  double lowest_ = 0, highest_ = 0;  // their places
};

}  // namespace renyi::calibrate_detail
