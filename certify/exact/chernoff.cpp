#include "certify/exact/chernoff.h"

#include <algorithm>

#include "certify/exact/moments_on_line.h"

namespace renyi::certify {
namespace {

// Moments as accurate as exp(-this), whatever the counts.
constexpr double digits = 40;
// Further out a moment takes too long; any c gives a bound.
constexpr double largest_c = 1e5;

class ChernoffLaw final : public Law {
 public:
  ChernoffLaw(Ball c, Ball log_moment) : c_(std::move(c)), log_moment_(std::move(log_moment)) {}

  // Lemma K2.
  Ball delta(const Ball& epsilon) const override {
    const Ball factor = c_ * log(c_) - (c_ + 1) * log(c_ + 1);
    const Ball bound = exp(log_moment_ - c_ * epsilon + factor).upper();
    return bound.is_finite() ? Ball::hull(0, min(bound, Ball(1))) : Ball::hull(0, 1);
  }

  std::string method() const override { return "Chernoff bound"; }

 private:
  Ball c_;
  Ball log_moment_;
};

}  // namespace

std::unique_ptr<Law> chernoff_law(const Steps& steps, Direction direction, const Place& place) {
  const double c = std::min(place.saddle, largest_c);
  return std::make_unique<ChernoffLaw>(c, log_moment_at(steps, direction, c, digits));
}

}  // namespace renyi::certify
