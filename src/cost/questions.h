// Answers several questions about one plan: a law that was composed for one question is used again for the next ones.
#pragma once

#include <optional>
#include <string>

#include "exact/privacy_profile.h"
#include "renyi/cost.h"

namespace renyi {

class CostQuestions {
 public:
  explicit CostQuestions(const Analysis& analysis, const CostOptions& options = {});

  // Returns the Renyi bound and the exact interval, or why there is none, without the plan's overflows and the estimate
  // under Poisson sampling. Throws InvalidArgument for an epsilon, a delta or an option out of range, and the
  // exceptions of the Renyi bound.
  Cost at(Quantity quantity, double at) const;

 private:
  Cost without_scope(Quantity quantity, double at) const;

  Analysis analysis_;
  CostOptions options_;
  std::optional<PrivacyProfile> profile_{};
  std::optional<Obstacle> obstacle_{};
};

// Answers one question, with everything that is reported with it.
Cost cost(const Analysis& analysis, Quantity quantity, double at, const CostOptions& options = {});

// Returns a sentence that says what keeps an exact answer from being as narrow as requested; empty if nothing does.
std::string limit_of(const ExactAnswer& answer, Quantity quantity, const CostOptions& options);
// Returns what Cost::contradiction says about the answer.
std::string contradiction_of(const ExactAnswer& answer);

}  // namespace renyi
