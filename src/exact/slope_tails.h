// Computes tails of the privacy loss from the slope of delta(epsilon), for plans whose tails cannot be integrated: the
// lattice gives their delta (docs/math/privacy-loss.md, "From the slope of delta").
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "renyi/extras/privacy_loss.h"

namespace renyi::exact {

// The tails of a plan whose loss is known and finite. Both functions return std::nullopt where the slope gives no
// bound.
class SlopeTails {
 public:
  SlopeTails(const std::vector<CountedMechanism>& steps, std::shared_ptr<const Curve> curve);

  // Pr_P[L >= t]; the lower bound does not count an atom at t itself.
  std::optional<TailProbability> at_least(double t, Direction direction) const;
  // Pr_P[L < -s]
  std::optional<TailProbability> below(double s, Direction direction) const;

 private:
  struct Slope;

  ExactInterval delta(double epsilon, Direction direction) const;
  Slope slope(double t, Direction direction) const;

  std::shared_ptr<const Curve> curve_;
  PrivacyProfile accountant_;
};

}  // namespace renyi::exact
