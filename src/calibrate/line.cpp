#include "calibrate/line.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/rounding.h"

namespace renyi::calibrate_detail {

namespace {

// Towards 0 a number this small stands for the end of the range.
constexpr double next_to_nothing = 1e-50;

Setting first_of(const Parameter& parameter) {
  if (parameter.whole) return of_whole(static_cast<std::int64_t>(parameter.lowest));
  if (parameter.lowest == 0) return of_value(next_to_nothing);
  return of_value(parameter.lowest_allowed ? parameter.lowest : numerics::next_up(parameter.lowest));
}

Setting last_of(const Parameter& parameter) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  if (!parameter.whole) {
    return of_value(parameter.highest_allowed ? parameter.highest : numerics::next_down(parameter.highest));
  }
  return of_whole(parameter.highest < static_cast<double>(largest) ? static_cast<std::int64_t>(parameter.highest)
                                                                   : largest);
}

}  // namespace

// Whole numbers from 0 are counted from 1, and negative ones from the end of their range.
Line::Line(const Parameter& parameter)
    : whole_(parameter.whole),
      more_is_private_(parameter.effect == Effect::lowers_cost),
      offset_(parameter.whole ? std::max(0.0, 1 - parameter.lowest) : std::max(0.0, -parameter.lowest)),
      first_(first_of(parameter)),
      last_(last_of(parameter)),
      lowest_(place_of(first_)),
      highest_(place_of(last_)) {}

double Line::place_of(const Setting& setting) const { return std::log(setting.value + offset_); }

Setting Line::at(double x) const {
  if (!(x > lowest_)) return first_;
  if (!(x < highest_)) return last_;
  const double value = std::exp(x) - offset_;
  if (!whole_) return of_value(std::clamp(value, first_.value, last_.value));
  const double nearest = std::round(value);
  // 2^63 is a double, and no count.
  return nearest < last_.value ? of_whole(std::max(first_.count, static_cast<std::int64_t>(nearest))) : last_;
}

}  // namespace renyi::calibrate_detail
