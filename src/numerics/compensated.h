// Sums of many terms whose error is about one rounding, however many terms there are.
#pragma once

#include <cmath>

namespace renyi::numerics {

// A sum of terms >= 0 with its accumulated rounding errors (Neumaier's compensation): high + low has an error of at
// most n^2 u^2 of the sum, n the number of terms, u the unit roundoff.
class CompensatedSum {
 public:
  void add(double x) {
    const double next = high_ + x;
    const double lost = high_ >= x ? (high_ - next) + x : (x - next) + high_;
    const double low = low_ + lost, back = low - low_;
    exact_ = exact_ && (low_ - (low - back)) + (lost - back) == 0;  // Knuth's two-sum: what low_ + lost rounds off
    low_ = low;
    high_ = next;
  }

  double high() const { return high_; }
  double low() const { return low_; }
  // True if nothing was rounded off: the sum is high + low.
  bool is_exact() const { return exact_; }
  // Returns the sum, rounded once more.
  double value() const { return std::isinf(high_) ? high_ : high_ + low_; }

 private:
  double high_ = 0;
  double low_ = 0;
  bool exact_ = true;
};

}  // namespace renyi::numerics
