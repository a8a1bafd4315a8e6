// What would fit where a charge does not: fewer steps, or the same step with more noise.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ledger/rules/standing.h"

namespace renyi::ledger {

struct Fitting {
  std::optional<std::int64_t> count{};
  std::optional<FittingStep> step{};
};

// What a question about fitting steps is asked of: the budget of a scope, and the steps that count there.
struct Room {
  Budget budget{};
  std::shared_ptr<const PriceTerms> terms{};
  StepCounts history{};
};

// Takes 50 ms of the processor at most, after which nothing is found.
Fitting fitting(const std::vector<Room>& rooms, const ChargedSteps& steps, std::int64_t count);

}  // namespace renyi::ledger
