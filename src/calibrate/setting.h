// A value tried.
#pragma once

#include <cstdint>

namespace renyi::calibrate_detail {

struct Setting {
  double value = 0;
  std::int64_t count = 0;  // of whole numbers; then value is the same, rounded

  friend bool operator==(const Setting&, const Setting&) = default;
};

inline Setting of_value(double value) { return {.value = value}; }
inline Setting of_whole(std::int64_t count) { return {.value = static_cast<double>(count), .count = count}; }

}  // namespace renyi::calibrate_detail
