// Laws whose delta has a closed form, or is a sum of positive terms (docs/math/certified-lattice.md).
#pragma once

#include <memory>

#include "certify/exact/law.h"
#include "certify/exact/response.h"

namespace renyi::certify {

// delta(epsilon) by a formula at the working precision: evaluated at rising precision until it is sharp.
class FormulaLaw : public Law {
 public:
  // A ball of positive radius is answered by its ends: delta falls as epsilon rises.
  Ball delta(const Ball& epsilon) const final;
  std::string method() const override { return "closed form"; }
  std::int64_t precision() const final { return sufficed_; }

 protected:
  // At an exact epsilon; not finite where this precision decides nothing.
  virtual Ball at(const Ball& epsilon) const = 0;

 private:
  Ball sharp(const Ball& epsilon) const;

  mutable std::int64_t sufficed_ = 0;  // bits, at the last epsilon; a law belongs to one thread
};

// No loss at all: delta = (1 - exp(epsilon))_+.
std::unique_ptr<Law> no_loss_law();
// Gaussian steps only: each has its count and its ratio of sensitivity and noise.
std::unique_ptr<Law> gaussian_law(const Steps& gaussians);
// One single step.
std::unique_ptr<Law> one_laplace_law(const Laplace& step);
std::unique_ptr<Law> one_sampled_gaussian_law(const SampledGaussian& step, Direction direction);
// All copies of one response; nothing where they are too many.
std::unique_ptr<Law> response_law(const CountedResponse& response);

}  // namespace renyi::certify
