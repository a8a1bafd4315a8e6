#include "certify/exact/closed_form.h"
#include "certify/exact/gaussian_ratio.h"
#include "certify/mechanism/closed_form.h"

namespace renyi::certify {
namespace {

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
  Ball half_squares;
  for (const auto& [step, count] : gaussians) half_squares += Ball(count) * *gaussian_rate(step);
  return sqrt(2 * half_squares);
}

std::unique_ptr<Law> gaussian_law(const Steps& gaussians) { return std::make_unique<GaussianLaw>(gaussians); }

}  // namespace renyi::certify
