// The Laplace transform M(v) = E[exp(-v X)] of one term X of the likelihood ratio of random allocation, log-normal with
// mean 1 and log-variance 1/s^2, continued from the right half-plane to the cut along the negative axis from above
// (docs/math/random-allocation.md, "The transform").
#pragma once

#include <complex>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace renyi::random_allocation {

// Not safe to use from several threads, because paths of integration are kept. Points v are given by w, where v = s^2
// exp(1/(2 s^2)) w exp(w): then the exponent under the integral of M(v) is stationary at a known place. Real w in (-1,
// 0) gives the negative axis, Im w >= 0 the upper half-plane.
class Transform {
 public:
  explicit Transform(double s);

  double s() const { return s_; }
  std::complex<double> point(std::complex<double> w) const { return scale_ * w * std::exp(w); }
  // Returns dv/dw.
  std::complex<double> slope(std::complex<double> w) const { return scale_ * (1.0 + w) * std::exp(w); }

  // Returns ln M(v) + v, with a relative error of some roundings however small v is, up to a multiple of 2 pi i.
  std::complex<double> centred_log(std::complex<double> w) const;
  // Returns ln(-Im M(v)/|M(v)|) on the upper side of the cut, at -w for 0 < w < 1, accurate however small it is.
  double log_jump(double w) const { return log_jump(w, centred_log(-w).real()); }
  // The same, where Re(ln M(v) + v) is known.
  double log_jump(double w, double level) const;

  // Mean and standard deviation of X under the density of X times exp(-v X) for real w. The part of X that the
  // jump of M belongs to is left out, for jumps up to the one at `widest`.
  struct Tilted {
    double mean = 0;
    double deviation = 0;
  };
  Tilted tilted(double w, double widest) const;

 private:
  // The normal variable z along one path of integration: q = s^2 (exp(sigma z) - 1 - sigma z), and its density times
  // dz.
  struct Contour {
    std::vector<double> z{}, q_re{}, q_im{}, weight_re{}, weight_im{};  // z: its real part
  };
  // The path that lies below the real axis by `depth`, as a whole or, if there is a centre, from near it on.
  Contour made(double depth, std::optional<double> centre) const;
  // Returns the path for w; `angle` is its argument.
  const Contour& contour_for(std::complex<double> w, double angle) const;

  double s_;
  double sigma_;
  double excess_;  // s^2 (exp(sigma^2/2) - 1)
  double scale_;   // s^2 exp(sigma^2/2)
  double step_;
  mutable std::map<std::pair<int, int>, Contour> contours_{};
};

// Returns the larger root z of w (exp(z) - 1) = z for 0 < w < 1; 0 for w >= 1.
double upper_saddle(double w);

}  // namespace renyi::random_allocation
