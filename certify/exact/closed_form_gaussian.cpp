#include "certify/exact/closed_form.h"
#include "certify/exact/gaussian_ratio.h"

namespace renyi::certify {
namespace {

// sensitivity / noise of one step.
Ball ratio_of(const Mechanism& step) {
  if (const auto* gaussian = step.get_if<Gaussian>()) return Ball(gaussian->l2_sensitivity) / Ball(gaussian->stddev);
  if (const auto* gdp = step.get_if<GaussianDp>()) return gdp->mu;
  return Ball(1) / Ball(step.get_if<SampledGaussian>()->noise_multiplier);
}

// From the ends of the ball: erfc's own bound on what a radius does is coarse where x^2 is in the billions.
Ball mass_above(const Ball& x) {
  const Ball scaled = x / sqrt(Ball(2));
  return Ball::hull(erfc(scaled.upper()), erfc(scaled.lower())) / 2;
}

class GaussianLaw final : public FormulaLaw {
 public:
  explicit GaussianLaw(Steps gaussians) : gaussians_(std::move(gaussians)) {}

 private:
  // Lemma L1: delta = Phi(-epsilon/mu + mu/2) - exp(epsilon) Phi(-epsilon/mu - mu/2).
  Ball at(const Ball& epsilon) const override {
    const Ball mu = gaussian_ratio(gaussians_);
    return mass_above(epsilon / mu - mu / 2) - exp(epsilon) * mass_above(epsilon / mu + mu / 2);
  }

  Steps gaussians_;
};

}  // namespace

Ball gaussian_ratio(const Steps& gaussians) {
  Ball squares;
  for (const auto& [step, count] : gaussians) squares += Ball(count) * square(ratio_of(step));
  return sqrt(squares);
}

std::unique_ptr<Law> gaussian_law(const Steps& gaussians) { return std::make_unique<GaussianLaw>(gaussians); }

}  // namespace renyi::certify
