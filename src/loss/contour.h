// Probabilities of the loss by the inverse Laplace integral of exp(K), on a vertical
// line through the real saddle, by the trapezoidal rule (docs/math/privacy-loss.md, "Contour").
#pragma once

#include <optional>
#include <vector>

#include "loss/saddle.h"
#include "numerics/root.h"
#include "renyi/extras/curve.h"

namespace renyi::loss {

// What is integrated against exp(K(z) - z t).
enum class Kernel {
  tail,        // 1/z: Pr[L > t] under P
  other_tail,  // 1/(z+1): E_P[exp(t - L); L > t], which is exp(t) Pr[L > t] under Q
  delta,       // 1/(z(z+1)): their difference, the smallest delta at epsilon = t
};
Poles poles_of(Kernel kernel);

// The values of K on one line, found once; the integral at any t near the one it was made for.
class Contour {
 public:
  // The line through the saddle for t. Nothing where it is too long: the integrand decays
  // too slowly, as it does for losses with atoms and few steps.
  static std::optional<Contour> for_t(const Curve& curve, Direction direction, Kernel kernel, double t,
                                      double start = 1);
  // The line for the t at which the integral is about exp(log_value). Searches for its place begin at `start`.
  static std::optional<Contour> for_value(const Curve& curve, Direction direction, Kernel kernel, double log_value,
                                          double start = 0);

  // The interval that holds the integral: narrow near t(), as wide as [0, 1] far from it.
  Interval at(double t) const;
  double upper(double t) const;
  double lower(double t) const;
  // Its logarithm and the slope of that, about.
  numerics::ValueSlope log_estimate(double t) const;

  double t() const { return t_; }  // where the line fits best
  double c() const { return c_; }

 private:
  class LinePlacement;  // where to put the line, and how far apart its aliases must be
  struct Point {
    double y = 0;
    double size = 0;   // of the term, weight included
    double phase = 0;  // at t()
    double error = 0;
  };
  // A point of the real axis further right, with an upper bound on K there.
  struct Rival {
    double c = 0;
    double k = 0;
  };

  Contour(const Saddle& saddle, double t, double period);

  static std::optional<Contour> through(const Curve& curve, Direction direction, Kernel kernel, Saddle saddle,
                                        double t);
  static std::optional<Contour> on(const Curve& curve, Direction direction, Kernel kernel, const LinePlacement& place);
  void add_point(const VerticalLine& line, Kernel kernel, double y, double weight, const ComplexLogMoment& phi);
  double aliases(double t) const;
  Interval without_shift(double t) const;

  double c_;
  double t_;
  double period_;  // 2 pi over the step
  LogMoment k_;
  std::vector<Rival> rivals_{};
  std::vector<Point> points_{};
  double beyond_ = 0;       // what the end of the line and points too small to tell leave, at most
  double shift_error_ = 0;  // the integral may be that of t plus or minus this
};

// One integral; nothing where no line gives a narrow interval.
std::optional<Interval> contour_integral(const Curve& curve, Direction direction, double t, Kernel kernel,
                                         double start = 1);

}  // namespace renyi::loss
