// Discrete pairs as curves, so that what works on curves can be judged by direct computation.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "renyi/error.h"
#include "renyi/extras/curve.h"
#include "support/discrete_pair.h"

namespace renyi::test {

class DiscreteCurve final : public Curve {
 public:
  explicit DiscreteCurve(DiscretePair pair) : remove_(std::move(pair)), add_(remove_.swapped()) {}

  const DiscretePair& pair(Direction direction) const { return direction == Direction::remove ? remove_ : add_; }

 private:
  LogMoment real_at(double z, Direction direction) const override {
    const DiscretePair& p = pair(direction);
    const auto k = static_cast<double>(log_moment_of(p, z));
    const auto slope = static_cast<double>(z == 0 ? mean_of(p) : tilted_moment(p, z, 1));
    const auto curvature = static_cast<double>(tilted_moment(p, z, 2)) - slope * slope;
    return {k, relative * k, slope, relative * std::abs(slope), std::max(0.0, curvature)};
  }
  ComplexLogMoment complex_at(std::complex<double>, Direction) const override {
    throw Unsupported("z", "a discrete pair is used at real orders", "use those");
  }
  Bounded max_loss_at(Direction direction) const override {
    const auto most = static_cast<double>(std::max(0.0L, direct_max_loss(pair(direction))));
    return {most, relative * most};
  }
  Bounded chernoff_at(double a, Direction direction) const override {
    const auto c = static_cast<double>(-log_moment_of(pair(direction), a - 1));
    return {c, relative * c};
  }
  Cumulants cumulants_at(Direction direction) const override {
    const DiscretePair& p = pair(direction);
    const long double mean = mean_of(p);
    long double second = 0, third = 0, third_size = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const long double off = loss(p, i) - mean;
      second += p.p[i] * off * off;
      third += p.p[i] * off * off * off;
      third_size += std::abs(p.p[i] * off * off * off);
    }
    return {.mean = static_cast<double>(mean),
            .mean_error = relative * static_cast<double>(mean),
            .variance = static_cast<double>(second),
            .variance_error = relative * static_cast<double>(second),
            .third = static_cast<double>(third),
            .third_error = relative * static_cast<double>(third_size)};
  }

  static constexpr double relative = 1e-14;

  // exp(y) - 1 - y
  static long double remainder(long double y) {
    if (std::abs(y) > 0.25L) return std::expm1(y) - y;
    long double term = y, sum = 0;
    for (int k = 2; k < 16; ++k) sum += term *= y / k;
    return sum;
  }

  static long double loss(const DiscretePair& p, std::size_t i) { return std::log(p.p[i]) - std::log(p.q[i]); }

  // E_P[R(-L)] and ln(1 + E_P[R(z L) + z R(-L)]): small values keep their relative accuracy.
  static long double mean_of(const DiscretePair& p) {
    long double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) sum += p.p[i] * remainder(-loss(p, i));
    return sum < 0.1L ? sum : direct_kl(p);
  }
  static long double log_moment_of(const DiscretePair& p, long double z) {
    long double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      sum += p.p[i] * (remainder(z * loss(p, i)) + z * remainder(-loss(p, i)));
    }
    return std::abs(sum) < 0.1L ? std::log1p(sum) : direct_log_moment(p, 1 + z);
  }

  static long double tilted_moment(const DiscretePair& p, long double z, int power) {
    const long double k = direct_log_moment(p, 1 + z);
    long double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      sum += std::exp(std::log(p.p[i]) + z * loss(p, i) - k) * std::pow(loss(p, i), power);
    }
    return sum;
  }

  DiscretePair remove_, add_;
};

// The larger of several curves at each order: what holds for all neighbours in a chain.
class LargestCurve final : public Curve {
 public:
  explicit LargestCurve(std::vector<std::shared_ptr<const Curve>> curves) : curves_(std::move(curves)) {}

  Knowledge knowledge() const override { return Knowledge::orders; }

 private:
  LogMoment real_at(double z, Direction direction) const override {
    LogMoment most = curves_[0]->log_moment(z, direction);
    for (const auto& curve : curves_) {
      const LogMoment k = curve->log_moment(z, direction);
      if (k.value > most.value || (z == 0 && k.slope > most.slope)) most = k;
    }
    return most;
  }
  ComplexLogMoment complex_at(std::complex<double>, Direction) const override {
    throw Unsupported("z", "a largest curve has real orders only", "use a real order");
  }
  Bounded max_loss_at(Direction direction) const override {
    Bounded most;
    for (const auto& curve : curves_) {
      if (curve->max_loss(direction).value > most.value) most = curve->max_loss(direction);
    }
    return most;
  }

  std::vector<std::shared_ptr<const Curve>> curves_;
};

}  // namespace renyi::test
