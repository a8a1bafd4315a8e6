// Questions about one plan, one after the other: what was composed for one serves the next.
#pragma once

#include <optional>
#include <string>

#include "exact/privacy_profile.h"
#include "renyi/cost.h"

namespace renyi {

class CostQuestions {
 public:
  explicit CostQuestions(const Analysis& analysis, const CostOptions& options = {});

  // Both parts, or why not; the plan's overflows and the estimate under Poisson sampling are left out. Throws
  // InvalidArgument for an epsilon, a delta or an option out of range, and what the Renyi bound throws.
  Cost at(Quantity quantity, double at) const;

 private:
  Analysis analysis_;
  CostOptions options_;
  std::optional<PrivacyProfile> profile_{};
  std::optional<Obstacle> obstacle_{};
};

// One question, and all there is to say of it.
Cost cost(const Analysis& analysis, Quantity quantity, double at, const CostOptions& options = {});

// What keeps an exact answer from being as narrow as asked, in words; empty: nothing.
std::string limit_of(const ExactAnswer& answer, Quantity quantity, const CostOptions& options);

}  // namespace renyi
