// Tail probabilities of a sum of noises by the inverse Laplace integral of its moment generating function
// (docs/math/accuracy.md, "Contour").
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "accuracy/noise_sum.h"
#include "renyi/interval.h"

namespace renyi::noise_error {

// Pr[S > t] or, on the integers, Pr[S >= t] is the integral of M(z) exp(-z t)/D(z) over a vertical line, D(z) being z
// or 1 - exp(-z). Its points do not depend on t, so that they are kept for other t nearby.
class Contour {
 public:
  // Chooses the line for this t > 0. `spend` is called with the number of points before they are computed.
  Contour(const NoiseSum& sum, Real t, std::function<void(Real)> spend);

  // True if the tail at the t of the constructor is smaller than every double; then there is no line.
  bool is_tiny() const { return tiny_; }
  // True if the line is good for this t, too.
  bool is_near(Real t) const { return !tiny_ && std::abs(t - t_) * line_ < 0.25L && 2 * t < period_; }
  // Returns an interval that contains Pr[|S| > t] (>= t on the integers).
  // `least_allowed` is what the sum may leave out in any case, relative to the tail.
  Interval two_sided(Real t, Real least_allowed);

 private:
  struct Point {
    Real modulus;    // |M(z)/D(z)|, divided by its value on the real axis
    Real phase;      // the argument of M(z)/D(z)
    Real error;      // a bound on the relative error of M(z)/D(z)
    Real remainder;  // a bound on the sum of the moduli of all further points
    Real
        variation;  // the same, multiplied by the modulus of sin(step * turn/2), if the terms turn by turn; or infinite
  };

  Real log_denominator(Real c) const;
  Real cumulant(Real c) const { return (sum_.continuous(c).value + sum_.discrete(c).value).real(); }
  // ln of the integrand on the real axis, a convex function of c.
  Real height(Real c) const;
  Real lowest_point() const;
  void place_line(Real best);
  void place_points(Real target);
  Real height_of(std::size_t index) const;  // Im z
  const Point& point(std::size_t index);
  Real power_bound(Real u) const;
  // The aliases: what the sum of points contains besides the tail at t.
  Real aliases(Real t) const;

  const NoiseSum& sum_;
  Real t_;
  std::function<void(Real)> spend_;
  bool lattice_;
  Real pole_;
  bool tiny_ = false;
  Real line_ = 0;       // c, the real part of the line
  Real log_first_ = 0;  // ln of M(c)/D(c)
  Real period_ = 0;     // T: the sum of points is the tail at t, and aliases at t + m T
  Real step_ = 0;       // 2 pi/T
  Real beyond_ = 0;     // c' > c, where Chernoff's inequality bounds the aliases above
  Real cumulant_beyond_ = 0;
  Real largest_discrete_ = 0;  // ln of the largest modulus of the discrete factors on the line
  std::vector<Point> points_{};
};

}  // namespace renyi::noise_error
