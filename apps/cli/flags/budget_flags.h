// Flags that state the budget of a filter, its cap, and the relation that it is about.
#pragma once

#include <optional>
#include <vector>

#include "apps/cli/flags/question.h"
#include "renyi/filter.h"
#include "renyi/plan.h"

namespace renyi::cli {

// The numbers of a budget that may change, and --budget for all of it.
std::vector<FlagText> changed_budget_flags();
// All numbers of a budget with --kind, --like, --cap, --neighbors and --unit, for a new filter.
std::vector<FlagText> new_budget_flags();

// What the flags of a new filter state.
struct StatedBudget {
  Budget budget;
  std::optional<Budget> cap{};
  Adjacency relation{};
};

// Reads the flags of a new filter. The question names them in errors. Throws InvalidArgument.
StatedBudget stated_budget(Question& question, const Flags& flags);

// Returns the budget of a filter with the numbers that the flags give instead of its own. Throws InvalidArgument, also
// if no flag gives one, and if --limit or --share is about an order that the budget does not have, or above the cap.
Budget changed_budget(Question& question, const Flags& flags, const Filter& filter);

}  // namespace renyi::cli
