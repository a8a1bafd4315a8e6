// The privacy profile of a plan: its exact delta at every epsilon, and back, by the first engine that serves.
#pragma once

#include <memory>
#include <vector>

#include "conversion/renyi_bound.h"
#include "renyi/exact.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi {

namespace exact {
class ProfileCache;
}

// What was composed for one question serves the next, so that the last digits of an answer may depend on the questions
// before it.
class PrivacyProfile {
 public:
  // Throws Unsupported where a step enters by bounds on its divergences only, and no pair that dominates it is known.
  explicit PrivacyProfile(const Analysis& analysis, const ExactOptions& options = {});
  // The steps as Plan::analysed() gives them, and their composed curve if it is at hand: it is not set up again.
  PrivacyProfile(std::vector<CountedMechanism> steps, std::shared_ptr<const Curve> curve,
                 const ExactOptions& options = {});

  // epsilon in [0, inf]. Throws Unsupported where the engine asked for does not serve.
  ExactAnswer delta(double epsilon) const;
  // delta in [0, 1].
  ExactAnswer epsilon(double delta) const;
  // The Renyi bound of the same plan, which the engines start from: it is found once for both.
  RenyiBound renyi_epsilon(double delta) const;
  RenyiBound renyi_delta(double epsilon) const;

 private:
  template <class Ask>
  ExactAnswer both(const Ask& ask) const;
  ExactAnswer delta_of_one(double epsilon) const;
  ExactAnswer epsilon_of_one(double delta) const;
  ExactInterval finite_delta(double epsilon, Direction direction) const;
  ExactInterval finite_epsilon(double delta, Direction direction) const;
  bool is_dominated() const;

  std::vector<PrivacyProfile> alternatives_{};  // one for each choice of parallel parts; none without such parts
  std::vector<CountedMechanism> steps_;         // as the engines see them: losses are finite, pairs are known
  std::shared_ptr<const Curve> plan_curve_;     // the curve of the plan
  std::shared_ptr<const Curve> curve_;          // the curve of the steps
  std::shared_ptr<const Curve> capping_curve_;  // no answer exceeds its Renyi bound; its losses are finite
  ExactOptions options_;
  std::shared_ptr<exact::ProfileCache> cache_;  // laws that were composed for earlier questions
  // The profile of the steps with every number rounded the other way, which gives the lower ends; nothing where no
  // number is rounded.
  std::shared_ptr<const PrivacyProfile> optimistic_{};
};

}  // namespace renyi
