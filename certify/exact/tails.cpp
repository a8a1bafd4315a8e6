#include "certify/exact/tails.h"

#include <cmath>

#include "certify/exact/step_classes.h"

namespace renyi::certify {
namespace tails_file {
namespace {

double rough_above(double z) { return 0.5 * std::erfc(z * std::sqrt(0.5)); }

// Lemma L2: P = Laplace around 0, Q around the sensitivity; L = a on x <= 0, -a on x >= sensitivity, a - 2x/b between.
class LaplaceTails final : public StepTails {
 public:
  explicit LaplaceTails(const Laplace& step) : step_(step), a_(step.l1_sensitivity / step.scale) {}

  Tail above(const Ball& loss) const override {
    if (surely_less(loss, bottom())) return {1, 1};
    Tail inside = between(loss);
    if (surely_less(bottom(), loss)) return inside;
    return {Ball::hull(inside.p, 1), Ball::hull(inside.q, 1)};
  }
  Tail above_bottom() const override { return between(bottom()); }
  RoughTail rough(double loss) const override {
    const double below = 0.5 * std::exp(0.5 * (loss - a_));
    return {1 - below, 0.5 * std::exp(-0.5 * (loss + a_)), below};
  }
  Ball bottom() const override { return -top(); }
  Ball top() const override { return Ball(step_.l1_sensitivity) / Ball(step_.scale); }
  bool has_atoms() const override { return true; }
  // 2a = cells * h is checked in integers: all four factors are exact.
  std::int64_t cells(const Spacing& spacing) const override {
    const Precision exact(4096);
    const Ball distance = 2 * Ball(step_.l1_sensitivity) * spacing.denominator;
    const Ball unit = spacing.numerator * Ball(step_.scale);
    const double about = std::round((distance / unit).about());
    if (!(about >= 1 && about < 1e9)) return 0;
    return arb_equal(distance.raw(), (Ball(about) * unit).raw()) != 0 ? static_cast<std::int64_t>(about) : 0;
  }

 private:
  Tail between(const Ball& loss) const { return {1 - exp((loss - top()) / 2) / 2, exp((bottom() - loss) / 2) / 2}; }

  Laplace step_;
  double a_;
};

// The ratio of the mixture to N(0, s^2) is exp(l) at one x; the tails are the masses on either side of it.
class SampledGaussianTails : public StepTails {
 public:
  explicit SampledGaussianTails(const SampledGaussian& step)
      : q_(step.sampling_rate), s_(step.noise_multiplier), rough_q_(q_.about()), rough_s_(s_.about()) {}

 protected:
  // Returns the x/s at which the ratio is (1-q) + excess.
  Ball place_of(const Ball& excess) const { return s_ * log(excess / q_) + 1 / (2 * s_); }
  double rough_place_of(double excess) const { return rough_s_ * std::log(excess / rough_q_) + 0.5 / rough_s_; }
  Ball mixture(const Ball& zero, const Ball& one) const { return (1 - q_) * zero + q_ * one; }

  Ball q_;
  Ball s_;
  double rough_q_;
  double rough_s_;
};

class Removing final : public SampledGaussianTails {
 public:
  using SampledGaussianTails::SampledGaussianTails;

  // Lemma L3. If it is undecided whether the loss can be that low, the result is enclosed by the mass above its upper
  // bound and 1.
  Tail above(const Ball& loss) const override {
    const Ball excess = expm1(loss) + q_;
    if (surely_at_most(excess, 0)) return {1, 1};
    if (surely_less(0, excess)) return above_place(place_of(excess));
    const Tail least = above_place(place_of(excess.upper()));
    return {Ball::hull(least.p, 1), Ball::hull(least.q, 1)};
  }
  RoughTail rough(double loss) const override {
    const double excess = std::expm1(loss) + rough_q_;
    if (!(excess > 0)) return {1, 1, 0};
    const double z = rough_place_of(excess), shifted = z - 1 / rough_s_;
    const auto mixed = [&](double zero, double one) { return (1 - rough_q_) * zero + rough_q_ * one; };
    return {mixed(rough_above(z), rough_above(shifted)), rough_above(z), mixed(rough_above(-z), rough_above(-shifted))};
  }
  Ball bottom() const override { return log1p(-q_); }
  Ball top() const override { return Ball::infinity(); }

 private:
  Tail above_place(const Ball& z) const {
    const Ball zero = normal_above(z);
    return {mixture(zero, normal_above(z - 1 / s_)), zero};
  }
};

class Adding final : public SampledGaussianTails {
 public:
  using SampledGaussianTails::SampledGaussianTails;

  // Lemma L3 with P and Q exchanged.
  Tail above(const Ball& loss) const override {
    const Ball excess = expm1(-loss) + q_;
    if (surely_at_most(excess, 0)) return {0, 0};
    if (surely_less(0, excess)) return below_place(place_of(excess));
    const Tail most = below_place(place_of(excess.upper()));
    return {Ball::hull(0, most.p), Ball::hull(0, most.q)};
  }
  RoughTail rough(double loss) const override {
    const double excess = std::expm1(-loss) + rough_q_;
    if (!(excess > 0)) return {0, 0, 1};
    const double z = rough_place_of(excess), zero = rough_above(-z), one = rough_above(1 / rough_s_ - z);
    return {zero, (1 - rough_q_) * zero + rough_q_ * one, rough_above(z)};
  }
  Ball bottom() const override { return -Ball::infinity(); }
  Ball top() const override { return -log1p(-q_); }

 private:
  Tail below_place(const Ball& z) const {
    const Ball zero = normal_below(z);
    return {zero, mixture(zero, normal_below(z - 1 / s_))};
  }
};

class GaussianTails final : public StepTails {
 public:
  explicit GaussianTails(const Ball& mu) : mu_(mu), rough_mu_(mu.about()) {}

  Tail above(const Ball& loss) const override {
    return {normal_above(loss / mu_ - mu_ / 2), normal_above(loss / mu_ + mu_ / 2)};
  }
  RoughTail rough(double loss) const override {
    const double z = loss / rough_mu_ - 0.5 * rough_mu_;
    return {rough_above(z), rough_above(z + rough_mu_), rough_above(-z)};
  }
  Ball bottom() const override { return -Ball::infinity(); }
  Ball top() const override { return Ball::infinity(); }

 private:
  Ball mu_;
  double rough_mu_;
};

}  // namespace
}  // namespace tails_file

std::unique_ptr<StepTails> laplace_tails(const Laplace& step) {
  return std::make_unique<tails_file::LaplaceTails>(step);
}

std::unique_ptr<StepTails> sampled_gaussian_tails(const SampledGaussian& step, Direction direction) {
  if (direction == Direction::remove) return std::make_unique<tails_file::Removing>(step);
  return std::make_unique<tails_file::Adding>(step);
}

std::unique_ptr<StepTails> gaussian_tails(const std::vector<CountedMechanism>& gaussians) {
  return std::make_unique<tails_file::GaussianTails>(gaussian_ratio(gaussians));
}

}  // namespace renyi::certify
