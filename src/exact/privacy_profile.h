// The privacy profile of a plan: its exact delta at every epsilon, and its inverse, by the first engine that supports
// the plan.
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

// A law that was composed for one question is used again for later ones, so the last digits of an answer may depend on
// earlier questions.
class PrivacyProfile {
 public:
  // Throws Unsupported if only bounds on the divergences of a step are known, and no dominating pair.
  explicit PrivacyProfile(const Analysis& analysis, const ExactOptions& options = {});
  // Takes the steps as returned by Plan::analysed(), and their composed curve if it is available, so that it is not
  // computed again.
  PrivacyProfile(std::vector<CountedMechanism> steps, std::shared_ptr<const Curve> curve,
                 const ExactOptions& options = {});

  // epsilon is in [0, inf]. Throws Unsupported if the requested engine does not support the plan.
  ExactAnswer delta(double epsilon) const;
  // delta is in [0, 1].
  ExactAnswer epsilon(double delta) const;
  // Returns the Renyi bound of the same plan, from which the engines start: it is computed once for both.
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

  std::vector<PrivacyProfile> alternatives_{};  // one per choice of parallel subsets; else empty
  std::vector<CountedMechanism> steps_;         // as given to engines: finite losses, known pairs
  std::shared_ptr<const Curve> plan_curve_;     // the curve of the plan
  std::shared_ptr<const Curve> curve_;          // the curve of the steps
  std::shared_ptr<const Curve> capping_curve_;  // no answer exceeds its Renyi bound; its losses are finite
  ExactOptions options_;
  std::shared_ptr<exact::ProfileCache> cache_;  // laws composed for earlier questions
  // The profile of the steps with every number rounded optimistically, which gives the lower bounds; null if no number
  // is rounded.
  std::shared_ptr<const PrivacyProfile> optimistic_{};
};

}  // namespace renyi
