// What would fit where a charge does not: fewer steps, or the same step with more noise.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ledger/rules/book.h"

namespace renyi::ledger {

struct Fitting {
  std::optional<std::int64_t> count{};
  std::optional<FittingStep> step{};
};

// May take a second. Nothing is found where a scope has very many kinds of steps.
Fitting fitting(const std::vector<Room>& rooms, const PricedSteps& steps, std::int64_t count);

}  // namespace renyi::ledger
