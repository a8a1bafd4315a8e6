// Theta(t) = sum over whole x of exp(-(x+t)^2/(2 s^2)), by whichever of its two series converges fast
// (docs/math/discrete-noise.md, "Two series").
#pragma once

#include <complex>

namespace renyi::mechanism {

class Theta {
 public:
  explicit Theta(double stddev);

  double stddev() const { return s_; }
  double log_at_zero() const;  // ln Theta(0)

  // t (t+d)/(2 s^2) + ln(Theta(t)/Theta(0)) and its derivatives in t, t >= 0, d >= 1: a few units relative error.
  struct Real {
    double value = 0;
    double slope = 0;
    double curvature = 0;
  };
  Real moment(double t, double d) const;

  // The same at t + iv, up to a multiple of i pi d: v is reduced by the period 2 pi s^2 of the modulus. `turns` is how
  // often.
  struct Complex {
    std::complex<double> value;
    double error = 0;
    double turns = 0;
  };
  Complex moment(double t, double v, double d) const;

  // t (d-t)/(2 s^2) - ln(Theta(t)/Theta(0)) >= 0 for t in [0, d/2].
  double deficit(double t, double d) const;

  // sum of x^2 exp(-x^2/(2 s^2)) / Theta(0).
  double variance() const;

 private:
  Real narrow(double t, double d) const;
  Real wide(double t, double d) const;
  std::complex<double> narrow_excess(std::complex<double> f, double& size) const;
  std::complex<double> wide_excess(std::complex<double> f, double& size) const;

  double s_;
  double precision_;  // 1/s^2
  bool is_narrow_;
  double norm_ = 1;  // Theta(0), or in the other series Theta(0)/(s sqrt(2 pi))
};

}  // namespace renyi::mechanism
