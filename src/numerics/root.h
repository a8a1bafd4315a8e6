// One-dimensional root finding for monotone functions.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace renyi::numerics {

// A function value with its derivative.
struct ValueSlope {
  double value;
  double slope;
};

// Returns the root of a decreasing function on [low, high] to within `tolerance`: Newton's method is kept inside the
// shrinking bracket, with bisection when it would leave.
template <class F>
double decreasing_root(const F& f, double low, double high, double start, double tolerance) {
  double x = std::clamp(start, low, high);
  for (int i = 0; i < 200 && high - low > tolerance; ++i) {
    const ValueSlope at = f(x);
    (at.value > 0 ? low : high) = x;
    double next = x - at.value / at.slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double moved = std::abs(next - x);
    x = next;
    if (moved < 0.5 * tolerance) break;
  }
  return x;
}

// An interval that contains the root of an increasing function.
class Bracket {
 public:
  Bracket(double low, double high) : low_(low), high_(high) {}

  double low() const { return low_; }
  double high() const { return high_; }
  double width() const { return high_ - low_; }

  // Records the sign of f(v); returns `proposed`, or the middle if that lies outside
  // or if proposals have not halved the interval for a while: they may be cycling.
  double next(double v, double value, double proposed) {
    (value < 0 ? low_ : high_) = v;
    (value < 0 ? low_seen_ : high_seen_) = true;
    const double middle = 0.5 * (low_ + high_);
    if (low_seen_ && high_seen_ && ++since_halved_ > patience) {
      const bool halved = width() <= 0.5 * watched_width_;
      since_halved_ = 0;
      watched_width_ = width();
      if (!halved) return middle;
    }
    return proposed > low_ && proposed < high_ ? proposed : middle;
  }

 private:
  static constexpr int patience = 3;
  double low_;
  double high_;
  bool low_seen_ = false;
  bool high_seen_ = false;
  int since_halved_ = 0;
  double watched_width_ = std::numeric_limits<double>::infinity();
};

}  // namespace renyi::numerics
