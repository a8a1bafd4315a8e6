// A curve that is bounded at integer orders, between them by convexity, and everywhere by a simpler bound
// (docs/math/sampling-bounds.md).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "mechanism/custom/order_curve.h"

namespace renyi::sampling {

// The step's K at integer orders, computed once and kept; large orders are interpolated by chords.
class WholeMoments {
 public:
  using Values = std::shared_ptr<const std::vector<double>>;

  // log_moment(z) is an upper bound on K(z).
  explicit WholeMoments(std::function<double(double z)> log_moment);

  // Element l is an upper bound on ln E_Q[(P/Q)^l], that is K(l - 1). The elements go up to n or further.
  Values up_to(std::size_t n) const;

 private:
  void extend(std::vector<double>& values) const;

  std::function<double(double)> log_moment_;
  mutable std::mutex mutex_;
  mutable Values known_;
};

// The largest order for which binomial coefficients are summed.
inline constexpr std::size_t most_whole_order = 10'000;

// Return an upper bound on K(z) of the step in one direction, and in the larger one; infinite if nothing is known.
double step_log_moment(const Curve& step, double z, Direction direction);
double step_worst_log_moment(const Curve& step, double z);

// Uses joint convexity of E_Q[(P/Q)^a] in (P, Q): if a share 1 - rate of both distributions is equal, ln(1 + rate (e^K
// - 1)) is a bound.
double mixed_log_moment(double k, double rate);

// Gives that bound as a divergence, from K(order - 1) of the step; at order 1 it is rate D_1, from the step's D_1.
double mixed_divergence(double k, double d1, double rate, double order);

// Returns K / (order - 1), rounded up.
double divergence_up(double k, double order);

// Throws InvalidArgument unless there is a step and the rate is in [0, 1].
void check_sampled(const std::shared_ptr<const Curve>& step, double rate);

class WholeOrderCurve : public mechanism::OrderCurve {
 public:
  Growth growth() const override;
  double last_order() const override { return step_->last_order(); }

 protected:
  explicit WholeOrderCurve(std::shared_ptr<const Curve> step) : step_(std::move(step)) {}
  const Curve& step() const { return *step_; }

 private:
  // Returns an upper bound on ln E_Q[(P/Q)^n], n in [2, most_whole_order].
  virtual double log_moment_at_whole(std::size_t n, Direction direction) const = 0;
  // Returns an upper bound on D of any order in [1, largest_order].
  virtual double divergence_at_any(double order, Direction direction) const = 0;
  // Returns an upper bound on D of order infinity.
  virtual double largest_loss(Direction direction) const = 0;

  Bounded divergence_of(double order, Direction direction) const final;
  double best_at_whole(std::size_t n, Direction direction) const;
  double beyond(std::size_t n, double order, Direction direction) const;
  double by_whole_orders(double order, Direction direction) const;

  std::shared_ptr<const Curve> step_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<std::size_t, Direction>, double> known_;
};

}  // namespace renyi::sampling
