// Tail probabilities Pr[|S| > t] of a sum of noises, with both ends rounded outwards (docs/math/accuracy.md).
#pragma once

#include <optional>

#include "accuracy/contour.h"
#include "accuracy/noise_sum.h"
#include "renyi/accuracy.h"
#include "renyi/interval.h"

namespace renyi::noise_error {

class Tails {
 public:
  explicit Tails(const NoiseSum& sum);

  AccuracyMethod method() const {
    return form_ == Form::contour ? AccuracyMethod::contour : AccuracyMethod::closed_form;
  }
  // Returns an interval that contains Pr[|S| > t], for t >= 0. Throws Unsupported if all tails that were asked for
  // together would take too long.
  Interval beyond(double t) { return beyond(t, 0); }
  // The same with a relative width of about 1e-4 where that is faster.
  Interval roughly_beyond(double t) { return beyond(t, 1e-4L); }

  const NoiseSum& sum() const { return sum_; }

 private:
  enum class Form { normal, laplace, discrete_laplace, contour };

  Interval beyond(double t, Real least_allowed);
  Interval by_contour(Real t, Real least_allowed);
  void spend(Real points);

  const NoiseSum& sum_;
  Form form_;
  std::optional<Contour> contour_{};  // the last one, which serves other t nearby
  Real spent_ = 0;
};

}  // namespace renyi::noise_error
