// Sums of positive numbers, given by their logarithms with errors; the sums are rounded up. Binomial coefficients too.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "numerics/extended.h"
#include "numerics/rounding.h"

namespace renyi::sampling {

inline constexpr long double log_epsilon = numerics::extended_epsilon;

// ln(e^x - 1), x >= 0.
inline long double log_expm1(long double x) { return x > 40 ? x + std::log1p(-std::exp(-x)) : std::log(std::expm1(x)); }

// ln(1 + e^y).
inline long double log1p_exp(long double y) { return y > 0 ? y + std::log1p(std::exp(-y)) : std::log1p(std::exp(y)); }

inline double to_double_up(long double x) {
  const auto rounded = static_cast<double>(x);
  return static_cast<long double>(rounded) < x ? numerics::next_up(rounded) : rounded;
}

// ln(1 + e^y) for a y that is too small by at most `error`: neither it nor its logarithm increases faster than y.
inline double log1p_exp_up(long double y, long double error) {
  if (std::isinf(y)) return y > 0 ? std::numeric_limits<double>::infinity() : 0;
  const long double value = log1p_exp(y);
  return to_double_up(value * (1 + 4 * log_epsilon) + std::min(error, value * std::expm1(error)));
}

// The logarithm of a sum of terms e^t.
class LogSum {
 public:
  // Adds e^t, where t is too small by at most `error`.
  void add(long double t, long double error) {
    if (std::isinf(t)) {
      infinite_ = infinite_ || t > 0;
      return;
    }
    if (t > largest_) {
      const long double shrink = sum_ > 0 ? std::exp(largest_ - t) : 0;
      sum_ *= shrink, moved_ *= shrink, largest_ = t;
    }
    const long double share = std::exp(t - largest_);
    sum_ += share, moved_ += share * error, ++terms_;
  }
  // Returns an upper bound on the exact value; minus infinity if there was no term.
  long double upper() const {
    if (infinite_) return std::numeric_limits<long double>::infinity();
    if (terms_ == 0) return -std::numeric_limits<long double>::infinity();
    return largest_ + std::log(sum_) + error();
  }
  // Returns what was added for the errors of the terms and of the sum.
  long double error() const {
    return moved_ / sum_ + 4 * static_cast<long double>(terms_ + 2) * log_epsilon +
           2 * log_epsilon * std::abs(largest_);
  }

 private:
  long double largest_ = -std::numeric_limits<long double>::infinity();
  long double sum_ = 0;
  long double moved_ = 0;  // how much the errors add to the sum
  std::size_t terms_ = 0;
  bool infinite_ = false;
};

// Produces ln C(a, l) for l = 2, 3, ..., a in turn.
class BinomialLog {
 public:
  explicit BinomialLog(std::size_t a)
      : a_(a), value_(std::log(static_cast<long double>(a) * static_cast<long double>(a - 1) / 2)), largest_(value_) {}

  long double value() const { return value_; }
  // There is one rounding of a sum, and of a logarithm, for each step so far.
  long double error() const { return static_cast<long double>(l_) * log_epsilon * (largest_ + 4); }
  // After l = a the value no longer changes.
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
