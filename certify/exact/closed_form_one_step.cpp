// One step of Laplace noise, or of the sampled Gaussian.
#include "certify/exact/closed_form.h"

namespace renyi::certify {
namespace {

class LaplaceLaw final : public FormulaLaw {
 public:
  explicit LaplaceLaw(const Laplace& step) : step_(step) {}

 private:
  // Lemma L2: with a = sensitivity / scale, delta = 1 - exp((epsilon - a)/2) for |epsilon| <= a, 0 above,
  // 1 - exp(epsilon) below. The largest of the three curves at every epsilon.
  Ball at(const Ball& epsilon) const override {
    if (surely_at_most(step_.l1_sensitivity, epsilon * Ball(step_.scale))) return 0;
    const Ball a = Ball(step_.l1_sensitivity) / Ball(step_.scale);
    return max(max(-expm1((epsilon - a) / 2), -expm1(epsilon)), Ball(0));
  }

  Laplace step_;
};

class SampledGaussianLaw final : public FormulaLaw {
 public:
  SampledGaussianLaw(const SampledGaussian& step, Direction direction) : step_(step), direction_(direction) {}

 private:
  // Where the ratio (1-q) + q exp((2x-1)/(2 s^2)) is excess + (1-q), in units of s.
  Ball place_of(const Ball& excess) const {
    const Ball s = step_.noise_multiplier;
    return s * log(excess / Ball(step_.sampling_rate)) + Ball(1) / (2 * s);
  }

  // Lemma L3. remove: the loss exceeds epsilon where the ratio exceeds exp(epsilon): x above its place.
  Ball removing(const Ball& epsilon) const {
    const Ball q = step_.sampling_rate, excess = expm1(epsilon) + q;
    if (surely_at_most(excess, 0)) return -expm1(epsilon);
    if (!surely_less(0, excess)) return Ball::infinity();
    const Ball z = place_of(excess);
    return q * normal_above(z - Ball(1) / Ball(step_.noise_multiplier)) - excess * normal_above(z);
  }

  // Lemma L3. add: where the ratio is below exp(-epsilon): x below its place, if the ratio gets there at all.
  Ball adding(const Ball& epsilon) const {
    const Ball q = step_.sampling_rate, excess = expm1(-epsilon) + q;
    if (surely_at_most(excess, 0)) return 0;
    if (!surely_less(0, excess)) return Ball::infinity();
    const Ball z = place_of(excess);
    return exp(epsilon) * (excess * normal_below(z) - q * normal_below(z - Ball(1) / Ball(step_.noise_multiplier)));
  }

  Ball at(const Ball& epsilon) const override {
    return direction_ == Direction::remove ? removing(epsilon) : adding(epsilon);
  }

  SampledGaussian step_;
  Direction direction_;
};

}  // namespace

std::unique_ptr<Law> one_laplace_law(const Laplace& step) { return std::make_unique<LaplaceLaw>(step); }

std::unique_ptr<Law> one_sampled_gaussian_law(const SampledGaussian& step, Direction direction) {
  return std::make_unique<SampledGaussianLaw>(step, direction);
}

}  // namespace renyi::certify
