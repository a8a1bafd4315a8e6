// ln C(a, l) for l = 2, 3, ..., a in turn.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "sampling/bounds/logarithms.h"

namespace renyi::sampling {

class BinomialLog {
 public:
  explicit BinomialLog(std::size_t a)
      : a_(a), value_(std::log(static_cast<long double>(a) * static_cast<long double>(a - 1) / 2)), largest_(value_) {}

  long double value() const { return value_; }
  // One rounding of a sum, and of a logarithm, for each step so far.
  long double error() const { return static_cast<long double>(l_) * log_epsilon * (largest_ + 4); }
  // After l = a there is none.
  void next() {
    if (++l_ > a_) return;
    value_ += std::log(static_cast<long double>(a_ - l_ + 1) / static_cast<long double>(l_));
    largest_ = std::max(largest_, value_);
  }

 private:
  std::size_t a_;
  std::size_t l_ = 2;
  long double value_;
  long double largest_;
};

}  // namespace renyi::sampling
