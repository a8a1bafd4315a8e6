// A curve bounded at whole orders, in between by convexity, and everywhere by something simpler
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

// The step's K at whole orders, asked for once and kept; by chords where they are many.
class WholeMoments {
 public:
  using Values = std::shared_ptr<const std::vector<double>>;

  // log_moment(z) bounds K(z) from above.
  explicit WholeMoments(std::function<double(double z)> log_moment);

  // Element l bounds ln E_Q[(P/Q)^l], that is K(l - 1), for l up to n at least.
  Values up_to(std::size_t n) const;

 private:
  void extend(std::vector<double>& values) const;

  std::function<double(double)> log_moment_;
  mutable std::mutex mutex_;
  mutable Values known_;
};

// Sums over an order's binomial coefficients go up to here.
inline constexpr std::size_t most_whole_order = 10'000;

// An upper bound on K(z) of one direction of the step, and of the larger one; infinite where nothing is known.
double step_log_moment(const Curve& step, double z, Direction direction);
double step_worst_log_moment(const Curve& step, double z);

// Joint convexity of E_Q[(P/Q)^a] in (P, Q): a part 1 - rate of equal laws leaves ln(1 + rate (e^K - 1)).
double mixed_log_moment(double k, double rate);

// The same as a divergence, from K(order - 1) of the step, or from its D_1 at order 1: there rate D_1 is left.
double mixed_divergence(double k, double d1, double rate, double order);

// K / (order - 1), rounded up.
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
  // At least ln E_Q[(P/Q)^n], n in [2, most_whole_order].
  virtual double log_moment_at_whole(std::size_t n, Direction direction) const = 0;
  // At least D of any order in [1, largest_order].
  virtual double divergence_at_any(double order, Direction direction) const = 0;
  // At least D of order infinity.
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
