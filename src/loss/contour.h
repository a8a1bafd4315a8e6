// Computes probabilities of the loss by the inverse Laplace integral of exp(K), on a vertical line through the real
// saddle, by the trapezoidal rule (docs/math/privacy-loss.md, "Contour").
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "loss/saddle.h"
#include "numerics/root.h"
#include "renyi/extras/curve.h"

namespace renyi::loss {

// The kernel by which exp(K(z) - z t) is multiplied before it is integrated.
enum class Kernel {
  tail,        // 1/z: Pr[L > t] under P
  other_tail,  // 1/(z+1): E_P[exp(t - L); L > t], which is exp(t) Pr[L > t] under Q
  delta,       // 1/(z(z+1)): their difference, the smallest delta at epsilon = t
};
Poles poles_of(Kernel kernel);

// The values of K on one line, computed once. They give the integral at any t near the one for which the line was made.
class Contour {
 public:
  // Returns the line through the saddle for t, or std::nullopt where it is too long: the integrand decays too slowly,
  // as it does for losses with atoms and few steps.
  static std::optional<Contour> for_t(const Curve& curve, Direction direction, Kernel kernel, double t,
                                      double start = 1);
  // Returns the line for the t at which the integral is about exp(log_value). The search for its position begins at
  // `start`.
  static std::optional<Contour> for_value(const Curve& curve, Direction direction, Kernel kernel, double log_value,
                                          double start = 0);

  // Returns an interval that contains the integral: narrow near t(), as wide as [0, 1] far from it.
  Interval at(double t) const;
  double upper(double t) const;
  double lower(double t) const;
  // Returns approximate values of the integral's logarithm and of its slope.
  numerics::ValueSlope log_estimate(double t) const;

  double t() const { return t_; }  // the t for which the line fits best
  double c() const { return c_; }
  // Returns the fraction of the value to which the line was made.
  double accuracy() const { return accuracy_; }

 private:
  class LinePlacement;  // the position of the line and its period
  struct Point {
    double y = 0;
    double size = 0;   // the absolute value of the term, including its weight
    double phase = 0;  // the phase of the term at t()
    double error = 0;
  };
  // A point of the real axis further right, with an upper bound on K there: it gives a Chernoff bound on the aliases.
  struct Rival {
    double c = 0;
    double k = 0;
  };

  Contour(const Saddle& saddle, double t, double period);

  static std::optional<Contour> through(const Curve& curve, Direction direction, Kernel kernel, Saddle saddle,
                                        double t);
  static std::optional<Contour> on(const Curve& curve, Direction direction, Kernel kernel, const LinePlacement& place,
                                   double patience);
  void add_point(const VerticalLine& line, Kernel kernel, double y, double weight, const ComplexLogMoment& phi);
  double aliases(double t) const;
  void settle(double step);
  Interval without_shift(double t) const;

  double c_;
  double t_;
  double accuracy_ = 0;
  double period_;  // 2 pi over the step
  LogMoment k_;
  std::vector<Rival> rivals_{};
  std::vector<Point> points_{};
  double step_ = 0;                                 // the distance of two points
  std::vector<std::complex<double>> terms_{};       // the terms of a line of many points at t()
  double error_ = 0, size_ = 0, size_times_y_ = 0;  // sums over all points
  double beyond_ = 0;       // an upper bound on the error from the end of the line and from negligible points
  double shift_error_ = 0;  // the integral may be that of t plus or minus this
};

// Returns one integral, or std::nullopt where no line gives a narrow interval.
std::optional<Interval> contour_integral(const Curve& curve, Direction direction, double t, Kernel kernel,
                                         double start = 1);

}  // namespace renyi::loss
