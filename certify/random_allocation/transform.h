// The Laplace transform M(v) = E[exp(-vX)] of a log-normal variable X of mean 1, with its proven error
// (docs/math/certified-allocation.md, Lemmas A1 and A2).
#pragma once

#include <cstddef>
#include <vector>

#include "certify/ball/ball.h"

namespace renyi::certify {

class LogNormalTransform {
 public:
  // `variance` is that of ln X. The nodes suit arguments up to exp(largest), and neglect approximately 2^-bits of M;
  // arguments beyond are served too, with a larger error, which is in the ball.
  LogNormalTransform(const Ball& variance, double largest, long bits);

  // Returns M(exp(x)) for real x.
  [[nodiscard]] Ball at(const Ball& x) const;

 private:
  // The nodes on one side of 0, in the order of their distance.
  struct Side {
    std::vector<Ball> weight;    // step times the standard normal density
    std::vector<Ball> exponent;  // exp(sigma x) - 1 - sigma x
    std::vector<double> levels;  // estimates of the exponents
    std::vector<double> normal;  // x^2/2
  };
  [[nodiscard]] Side side(int sign) const;
  [[nodiscard]] Ball summed(const Side& side, const Ball& y) const;

  Ball variance_;
  Ball sigma_;
  double wanted_;  // ln of the accuracy, positive
  Ball step_;
  Ball log_cosine_;  // ln cos(sigma d), where d is half the width of the strip
  Ball rule_;        // 2 exp(d^2/2) / (exp(2 pi d/step) - 1)
  Side left_;
  Side right_;
};

}  // namespace renyi::certify
