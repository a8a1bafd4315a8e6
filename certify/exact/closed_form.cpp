// Loss distributions whose delta has a closed form, or is a sum of positive terms (docs/math/certified-lattice.md).
#include <memory>

#include "certify/exact/law.h"
#include "certify/exact/responses.h"
#include "certify/exact/step_classes.h"
#include "renyi/error.h"

namespace renyi::certify {
namespace exact_closed_form_file {
namespace {

constexpr long first_bits = 128;
constexpr long most_bits = 1L << 14;
constexpr double sharp_enough = 0x1p-56;

// Computes delta(epsilon) by a formula, with increasing precision until the result is narrow.
class FormulaLaw : public Law {
 public:
  // A ball of positive radius is evaluated at its endpoints: delta decreases as epsilon increases.
  Ball delta(const Ball& epsilon) const final;
  std::string method() const override { return "closed form"; }
  std::int64_t precision() const final { return sufficed_; }

 protected:
  // Evaluates an exact epsilon; the result is not finite if this precision does not suffice.
  virtual Ball at(const Ball& epsilon) const = 0;

 private:
  Ball sharp(const Ball& epsilon) const;

  mutable std::int64_t sufficed_ = 0;  // bits for the last epsilon; an object belongs to one thread
};

Ball FormulaLaw::sharp(const Ball& epsilon) const {
  Ball best = Ball::infinity();
  for (long bits = first_bits; bits <= most_bits; bits *= 2) {
    const Precision precision(bits);
    sufficed_ = bits;
    Ball value = at(epsilon);
    if (value.relative_radius() <= sharp_enough) return min(max(value, Ball(0)), Ball(1));
    if (value.is_finite()) best = value;
  }
  if (!best.is_finite()) throw NotConverged("delta in closed form: no finite enclosure at 16384 bits");
  return best;
}

Ball FormulaLaw::delta(const Ball& epsilon) const {
  if (arb_is_exact(epsilon.raw())) return sharp(epsilon);
  if (!epsilon.is_finite()) throw NotConverged("delta at an unbounded epsilon");
  return Ball::hull(sharp(epsilon.upper()), sharp(epsilon.lower()));
}

// Evaluates the endpoints of the ball: the error bound of erfc for a radius is coarse where x^2 is in the billions.
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

// Supports Gaussian steps only: each has its count and its ratio of sensitivity to noise.
std::unique_ptr<Law> gaussian_law(const Steps& gaussians) { return std::make_unique<GaussianLaw>(gaussians); }

// A single step of Laplace noise.
class LaplaceLaw final : public FormulaLaw {
 public:
  explicit LaplaceLaw(const Laplace& step) : step_(step) {}

 private:
  // Lemma L2: with a = sensitivity / scale, delta = 1 - exp((epsilon - a)/2) for |epsilon| <= a, 0 above, 1 -
  // exp(epsilon) below. It is the largest of the three curves at every epsilon.
  Ball at(const Ball& epsilon) const override {
    if (surely_at_most(step_.l1_sensitivity, epsilon * Ball(step_.scale))) return 0;
    const Ball a = Ball(step_.l1_sensitivity) / Ball(step_.scale);
    return max(max(-expm1((epsilon - a) / 2), -expm1(epsilon)), Ball(0));
  }

  Laplace step_;
};

// A single step of the sampled Gaussian.
class SampledGaussianLaw final : public FormulaLaw {
 public:
  SampledGaussianLaw(const SampledGaussian& step, Direction direction) : step_(step), direction_(direction) {}

 private:
  // Returns the x, in units of s, at which the ratio (1-q) + q exp((2x-1)/(2 s^2)) is excess + (1-q).
  Ball place_of(const Ball& excess) const {
    const Ball s = step_.noise_multiplier;
    return s * log(excess / Ball(step_.sampling_rate)) + Ball(1) / (2 * s);
  }

  // Lemma L3, remove: the loss exceeds epsilon where the ratio exceeds exp(epsilon), which is for x above that point.
  Ball removing(const Ball& epsilon) const {
    const Ball q = step_.sampling_rate, excess = expm1(epsilon) + q;
    if (surely_at_most(excess, 0)) return -expm1(epsilon);
    if (!surely_less(0, excess)) return Ball::infinity();
    const Ball z = place_of(excess);
    return q * normal_above(z - Ball(1) / Ball(step_.noise_multiplier)) - excess * normal_above(z);
  }

  // Lemma L3, add: the loss exceeds epsilon where the ratio is below exp(-epsilon), which is for x below that point, if
  // the ratio becomes so small at all.
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

std::unique_ptr<Law> one_laplace_law(const Laplace& step) { return std::make_unique<LaplaceLaw>(step); }

std::unique_ptr<Law> one_sampled_gaussian_law(const SampledGaussian& step, Direction direction) {
  return std::make_unique<SampledGaussianLaw>(step, direction);
}

// Terms within some twenty standard deviations are added, which takes approximately half a second.
constexpr double largest_variance = 1e10;
constexpr std::int64_t most_copies = std::int64_t{1} << 62;
// All terms are kept in memory.
constexpr std::int64_t most_listed = 200'000;

class BinomialLaw final : public FormulaLaw {
 public:
  explicit BinomialLaw(CountedResponse response) : response_(std::move(response)) {}
  std::string method() const override { return "binomial sum"; }

 private:
  Ball at(const Ball& epsilon) const override { return binomial_delta(response_.law(), response_.count, epsilon); }

  CountedResponse response_;
};

class TrinomialLaw final : public FormulaLaw {
 public:
  explicit TrinomialLaw(CountedResponse response) : response_(std::move(response)) {}
  std::string method() const override { return "trinomial sum"; }

 private:
  // The sums of the last precision are kept, because a search evaluates many epsilons.
  Ball at(const Ball& epsilon) const override {
    if (!sums_ || bits_ != Precision::bits()) {
      sums_ = std::make_unique<TrinomialSums>(response_.law(), response_.count);
      bits_ = Precision::bits();
    }
    return sums_->delta(epsilon);
  }

  CountedResponse response_;
  mutable std::unique_ptr<TrinomialSums> sums_;
  mutable long bits_ = 0;
};

// The loss distribution of all copies of one response; nullptr if there are too many.
std::unique_ptr<Law> response_law(const CountedResponse& response) {
  if (!response.has_two_losses()) {
    if (response.count > most_listed) return nullptr;
    return std::make_unique<TrinomialLaw>(response);
  }
  const TwoSided masses = response.law();
  const double variance = static_cast<double>(response.count) * masses.high.about() * masses.low.about();
  return variance <= largest_variance && response.count <= most_copies ? std::make_unique<BinomialLaw>(response)
                                                                       : nullptr;
}

class NoLossLaw final : public FormulaLaw {
  Ball at(const Ball& epsilon) const override { return max(Ball(0), -expm1(epsilon)); }
};

// Without any loss, delta = (1 - exp(epsilon))_+.
std::unique_ptr<Law> no_loss_law() { return std::make_unique<NoLossLaw>(); }

// Returns the distribution of the steps that are not responses, or, if all are, of the response with the most copies.
std::unique_ptr<Law> law_of_rest(const StepClasses& parts, std::vector<CountedResponse>& responses,
                                 Direction direction) {
  if (parts.others.empty() && !parts.gaussians.empty()) return gaussian_law(parts.gaussians);
  if (parts.others.size() == 1 && parts.gaussians.empty() && parts.others.front().count == 1) {
    const Mechanism& step = parts.others.front().mechanism;
    if (const auto laplace = step.get_if<Laplace>()) return one_laplace_law(*laplace);
    if (const auto sampled = step.get_if<SampledGaussian>()) return one_sampled_gaussian_law(*sampled, direction);
  }
  if (!parts.others.empty()) return nullptr;
  if (responses.empty()) return no_loss_law();
  const CountedResponse longest = responses.back();
  responses.pop_back();
  return response_law(longest);
}

}  // namespace
}  // namespace exact_closed_form_file

// There is no useful second formula: a verifier recomputes the first at another precision.
std::unique_ptr<Law> closed_form_law(const Steps& steps, Direction direction, Route) {
  const std::optional<StepClasses> parts = classify_steps(steps);
  if (!parts) return nullptr;
  std::vector<CountedResponse> responses = parts->responses;
  std::unique_ptr<Law> rest = exact_closed_form_file::law_of_rest(*parts, responses, direction);
  if (!rest || responses.empty()) return rest;
  return with_responses(responses, std::move(rest));
}

}  // namespace renyi::certify
