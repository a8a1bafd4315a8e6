// Where to put the vertical line, and how far apart its aliases must be.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "loss/saddle.h"
#include "renyi/curve.h"

namespace renyi::loss {

// A line for t whose aliases stay below exp(log_error). The saddle is the best place for a nearly normal loss. With a
// heavy tail the tilted loss has a second, far part there, aliases die out slowly, and a line further left is shorter.
class Place {
 public:
  Place(const Curve& curve, Direction direction, double t, const Saddle& saddle, double log_error);

  bool finite() const { return std::isfinite(period_); }
  // Tries places left of the saddle if aliases from above make the period long, as long as the integrand there is
  // at most exp(most_lost) times that at the saddle.
  void improve(double most_lost);

  double t() const { return t_; }
  const Saddle& saddle() const { return at_; }
  double period() const { return period_; }
  // The points further right that bound the aliases from above.
  std::vector<Saddle> rivals() const;
  // ln of the error as a multiple of the integrand's size on the real axis, exp(K(c) - c t).
  double log_limit() const { return log_error_ - level(at_); }

 private:
  double level(const Saddle& at) const { return at.k.value - at.c * t_; }
  double period_at(const Saddle& at) const;

  const Curve& curve_;
  Direction direction_;
  double t_;
  double log_error_;
  Saddle at_;
  double period_ = std::numeric_limits<double>::infinity();
  std::vector<Saddle> known_;  // every point of the real axis asked for so far
};

}  // namespace renyi::loss
